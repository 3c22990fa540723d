"""A comparison of two points of a network as one html page that holds its style, its script and its data."""

from __future__ import annotations

from collections.abc import Mapping

from algatt.geometry.equality.large.comparison import Comparison
from algatt.symmetry.legend import explain
from algatt.views.pages import fill_page


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
    data["spaces"] = [
        space | {"group": one.letter} for space, one in zip(data["spaces"], comparison.spaces, strict=True)
    ]
    data["legend"] = explain([space["group"] for space in data["spaces"]], ())
    data["tensors"] = [one | {"name": comparison.labels([one["name"]])[0]} for one in data["tensors"]]
    return fill_page("comparison", titles[comparison.equal], data)
