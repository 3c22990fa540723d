"""A comparison of two points of a network as one html page that holds its style, its script and its data."""

from __future__ import annotations

from collections.abc import Mapping

from algatt.geometry.equality.large.comparison import Comparison
from algatt.symmetry.legend import explain
from algatt.views.pages import fill_page

LETTERS = {"general": "GL", "orthogonal": "O", "turns": "C", "commutant": "C"}
"""The letters of groups, as `algatt symmetries` has them."""


def page(comparison: Comparison, files: Mapping[str, str] | None = None) -> str:
    """Return a self-contained html page: the files, the spaces, green where an element fits and red where none does,
    and the tensors with their residuals.

    Parameters
    ----------
    comparison : Comparison
        What `algatt.same_function` found of two points of a large network.
    files : mapping of str to str, optional
        The files of both, with their SHA-256.

    Returns
    -------
    str
        The page. Its Content-Security-Policy allows its own style and script and nothing else.
    """
    titles = {True: "One function, up to rounding", False: "Two functions", None: "Undecided"}
    data = comparison.to_dict()
    data = {name: data[name] for name in ("reason", "hypothesis", "broken", "spaces", "tensors")}
    data["files"] = list((files or {}).items())
    for space in data["spaces"]:
        letter = LETTERS.get(space["group"])
        space["group"] = space["group"] if letter is None else f"{letter}({space['size']})"
    data["legend"] = explain([space["group"] for space in data["spaces"]], ())
    data["tensors"] = [one | {"name": comparison.labels([one["name"]])[0]} for one in data["tensors"]]
    return fill_page("comparison", titles[comparison.equal], data)
