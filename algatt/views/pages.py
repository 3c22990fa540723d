"""What all html pages need that hold their style, their script and their data, and that may not use the network."""

from __future__ import annotations

import base64
import hashlib
import json

__all__ = ["embedded_json", "policy"]


def embedded_json(value: object) -> str:
    """Return JSON that can stand inside a script element: no text in it can end the element or begin a comment."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy that allows this style and this script, by their hashes, and nothing else, so
    no network.
    """
    return (
        f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'; form-action "
        f"'none'"
    )


def digest(text: str) -> str:
    """Return the hash of an inline element as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
