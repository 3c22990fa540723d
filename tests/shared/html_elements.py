"""The elements of an html page, and what all pages of ours have in common: they need nothing and allow nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser


class Elements(HTMLParser):
    """The elements of a page with their attributes and their text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("", {}, []))  # what follows is not its text

    def handle_data(self, data: str) -> None:
        if self.found:
            self.found[-1][2].append(data)

    def named(self, name: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, "".join(texts)) for tag, attributes, texts in self.found if tag == name]


def data_of(text: str) -> str:
    """Return the JSON that a page holds."""
    (content,) = [
        content
        for attributes, content in Elements(text).named("script")
        if attributes.get("type") == "application/json"
    ]
    return content


def check_needs_nothing_else(text: str) -> None:
    """Check that a page loads nothing."""
    assert not re.search(r"https?:|//\w|@import|url\(|\bimport\b.*\bfrom\b", text)
    elements = Elements(text)
    assert not [tag for tag, attributes, _ in elements.found if {"src", "href", "srcset", "action"} & set(attributes)]
    assert not elements.named("link")


def check_no_element_brings_style_or_code(text: str) -> None:
    """Check that no element has a style or code in its attributes."""
    attributes = {name for _, found, _ in Elements(text).found for name in found}
    assert not [name for name in attributes if name == "style" or name.startswith("on")]


def check_policy(text: str) -> None:
    """Check that the policy of a page names its style and its script, by their hashes, and forbids the rest."""
    elements = Elements(text)
    metas = [found for found, _ in elements.named("meta")]
    (policy,) = [found["content"] for found in metas if found.get("http-equiv") == "Content-Security-Policy"]
    (style,) = elements.named("style")
    (script,) = [script for script in elements.named("script") if "type" not in script[0]]
    digests = [hashlib.sha256(content.encode()).digest() for _, content in (style, script)]
    first, second = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    rest = "base-uri 'none'; form-action 'none'"
    assert policy == f"default-src 'none'; style-src {first}; script-src {second}; {rest}"
