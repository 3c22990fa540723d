"""What all html pages need that hold their style, their script and their data, and that may not use the network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib import resources
from string import Template


def fill_page(view: str, title: str, data: object, further: str = "", **texts: str) -> str:
    """Return a page: what all pages have, and the tools, body, style and script of a view.

    Parameters
    ----------
    view : str
        The package in which the parts of the page are, such as ``networks``; its ``body.html`` has places for the title
        and the further texts.
    title : str
        What the page is called.
    data : object
        What the script draws, as plain values for JSON.
    further : str, optional
        A view whose style and script come after those of the first.
    **texts : str
        What else the body has places for.
    """
    views = ("", view, further) if further else ("", view)
    style, script = ("".join(part(one, f"page.{kind}") for one in views) for kind in ("css", "js"))
    escaped = {place: html.escape(text) for place, text in {"title": title, **texts}.items()}
    return Template(part("", "page.html")).substitute(
        title=escaped["title"],
        policy=policy(style, script),
        style=style,
        script=script,
        tools=part(view, "tools.html"),
        body=Template(part(view, "body.html")).substitute(escaped),
        data=embedded_json(data),
    )


def part(view: str, name: str) -> str:
    """Return a part of a page, which is a file of a view or of all, and empty where a view has none."""
    path = resources.files("algatt.views").joinpath(view, name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


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
