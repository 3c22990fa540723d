"""The svg files of trees by their geometry: how far labels are from the dots of the leaves, by the outlines in the
file.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import algatt
from algatt.views.plotting import render

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"

FIGURES = Path(__file__).parents[3] / "docs" / "figures"

CLEAR = 1.5
"""Points between a label and a dot at least: nearly twice the width of a line, and two pixels at 100 dots per inch."""


def matrix(element: ElementTree.Element) -> np.ndarray:
    """The transformation of an element, with the place of a use."""
    found = np.eye(3)
    for name, text in re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", "")):
        x, *rest = (float(number) for number in re.split(r"[ ,]+", text.strip()))
        y = rest[0] if rest else (x if name == "scale" else 0.0)
        one = {"translate": [[1, 0, x], [0, 1, y], [0, 0, 1]], "scale": [[x, 0, 0], [0, y, 0], [0, 0, 1]]}[name]
        found = found @ np.array(one)
    place = [[1, 0, float(element.get("x", 0))], [0, 1, float(element.get("y", 0))], [0, 0, 1]]
    return found @ np.array(place) if element.tag == f"{SVG}use" else found


def points(path: ElementTree.Element) -> np.ndarray:
    """The points of an outline, with those that steer its curves: their box holds the outline."""
    letters = set(re.findall("[A-Za-z]", path.get("d", "").replace("e-", "")))
    assert letters <= set("MLQCz")  # absolute, so each number is a coordinate
    numbers = [float(number) for number in re.findall(r"-?\d[\d.]*(?:e-?\d+)?", path.get("d", ""))]
    return np.reshape(numbers, (-1, 2))


def outlines(
    element: ElementTree.Element,
    ids: dict[str, ElementTree.Element],
    above: np.ndarray,
) -> Iterator[np.ndarray]:
    """The outlines below an element, in the coordinates of the file."""
    here = above @ matrix(element)
    if element.tag == f"{SVG}use":
        yield from outlines(ids[element.attrib[HREF].removeprefix("#")], ids, here)
    elif element.tag == f"{SVG}path":
        found = points(element)
        yield (here @ np.column_stack([found, np.ones(len(found))]).T)[:2].T
    elif element.tag != f"{SVG}defs":
        for child in element:
            yield from outlines(child, ids, here)


class Drawing:
    """The labels of an svg file as boxes (left, top, right, bottom), and its dots as (x, y, radius), in points."""

    def __init__(self, text: str) -> None:
        parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
        root = ElementTree.fromstring(text, parser)
        ids = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        self.labels: list[tuple[str, np.ndarray]] = []
        self.dots: list[tuple[float, float, float]] = []
        for name, group in ids.items():
            if name.startswith("text_"):
                (comment,) = [str(child.text).strip() for child in group if child.tag is ElementTree.Comment]
                drawn = np.concatenate(list(outlines(group, ids, np.eye(3))))
                self.labels.append((comment, np.concatenate([drawn.min(axis=0), drawn.max(axis=0)])))
            for use in group.iter(f"{SVG}use") if name.startswith("PathCollection_") else []:
                (line,) = re.findall(r"stroke-width: ([\d.]+)", use.attrib["style"])
                (drawn,) = outlines(use, ids, np.eye(3))
                (left, top), (right, bottom) = drawn.min(axis=0), drawn.max(axis=0)
                assert right - left == pytest.approx(bottom - top, abs=1e-6)
                self.dots.append(((left + right) / 2, (top + bottom) / 2, (right - left + float(line)) / 2))

    def distances(self) -> list[tuple[float, str]]:
        """The distance of each label, by its box, from the nearest dot."""
        found = []
        for name, (left, top, right, bottom) in self.labels:
            aside = [(max(left - x, x - right, 0), max(top - y, y - bottom, 0), radius) for x, y, radius in self.dots]
            found.append((min(math.hypot(x, y) - radius for x, y, radius in aside), name))
        return sorted(found)


def drawing(tree, window=None, width=None):
    """The file of a tree, drawn alone or on axes of a width in points."""
    if width is None:
        return Drawing(render(algatt.draw(tree, window=window).figure, "svg").decode())
    figure = Figure(figsize=(width / 72, 4))
    algatt.draw(tree, window=window, ax=figure.add_axes((0, 0.1, 1, 0.7)))
    return Drawing(render(figure, "svg").decode())


@pytest.mark.sample(1)
@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6])
def test_no_label_touches_a_dot(layers):
    tree = algatt.unroll(layers)
    found = drawing(tree)
    leaves = [kind for _, kind in tree.nodes(data="kind") if kind in ("leaf", "input")]
    assert len(found.dots) == (len(leaves) if layers < 6 else 0)
    if found.dots:
        assert found.distances()[0] > (CLEAR, "")


@pytest.mark.sample(1)
@pytest.mark.parametrize(("layers", "slot"), [(2, 2), (3, 6), (4, 18), (4, 40), (5, 54)])
def test_no_label_of_a_reflection_touches_a_dot(layers, slot):
    assert drawing(algatt.unroll(layers), window=slot).distances()[0] > (CLEAR, "")


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [240, 360, 400, 440, 480, 500, 560, 620, 640, 700])
def test_no_label_touches_a_dot_on_axes_of_any_width(width):
    assert drawing(algatt.unroll(4), width=width).distances()[0] > (CLEAR, "")


@pytest.mark.parametrize("name", ["figure_2", "figure_4", "tree_4", "tree_5"])
def test_no_label_touches_a_dot_in_the_documentation(name):
    found = Drawing((FIGURES / f"{name}.svg").read_text())
    assert len(found.dots) > 13
    assert found.distances()[0] > (CLEAR, "")


def test_the_geometry_is_that_of_the_file():
    """The title's dot is no leaf, a leaf is where the picture says, and a label that is moved onto a dot is noticed."""
    ax = algatt.draw(algatt.unroll(3))
    found = Drawing(render(ax.figure, "svg").decode())
    assert len(found.dots) == 14
    x, y, _ = sorted(found.dots)[0]
    height = 72 * ax.figure.get_figheight()
    assert (x, height - y) == pytest.approx(ax.transData.transform((1, 0)) * 72 / ax.figure.dpi, abs=1e-3)
    (label,) = [text for text in ax.texts if text.get_text() == r"$\varphi$"]
    label.set_position((1, 0))
    assert Drawing(render(ax.figure, "svg").decode()).distances()[0][0] < 0
