"""What all html pages need that hold their style, their script and their data, and that may not use the network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib import resources
from string import Template

__all__ = ["fill_page", "read_part"]


def read_part(view: str, name: str) -> str:
    """Return a part of a page, which is a file of the package of a view, such as ``networks``."""
    return resources.files(f"algatt.views.{view}").joinpath(name).read_text(encoding="utf-8")


def fill_page(body: str, title: str, data: object, style: str, script: str, **texts: str) -> str:
    """Return a page: the head that all pages have, and a body.

    Parameters
    ----------
    body : str
        A template, with places for the title, the data, the script and the further texts.
    title : str
        What the page is called.
    data : object
        What the script draws, as plain values for JSON.
    style, script : str
        The inline elements, the only ones that the page allows.
    **texts : str
        What else the body has places for.
    """
    head = resources.files("algatt.views").joinpath("head.html").read_text(encoding="utf-8")
    return Template(head + body).substitute(
        title=html.escape(title),
        policy=policy(style, script),
        style=style,
        script=script,
        data=embedded_json(data),
        **{place: html.escape(text) for place, text in texts.items()},
    )


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
