"""Pictures of the answers of a sweep: what is where, and what cannot be drawn."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.sweeps import Row
from algatt.views.plotting import new_figure
from algatt.views.sweeps import picture, plot_answers, plot_heat_map


def row(sizes: dict[str, int], value: int | None, upper: int | None = None) -> Row:
    status = "failed" if value is None else "proven" if upper in (None, value) else "probable"
    return Row("a family", sizes, str(sizes), 1, "dimension", 0, "1", status, value, value, upper, {})


def one_layer(d: int, a: int) -> int:
    """Equation 7 with as many outputs as inputs."""
    return min(a, d) * (2 * d - min(a, d)) + d * d - 1


ROWS = [row({"d": d, "a": a, "t": 2}, one_layer(d, a)) for d in range(1, 4) for a in range(1, 5)]

WITH_GAPS = [*ROWS[:-2], row({"d": 3, "a": 3, "t": 2}, 15, 17), row({"d": 3, "a": 4, "t": 2}, None)]
"""One is not proven, and one has no answer."""


def test_a_curve_for_each_size() -> None:
    ax = plot_answers(ROWS, "a", by="d")
    assert [line.get_label() for line in ax.lines] == ["d = 1", "d = 2", "d = 3"]
    for d, line in enumerate(ax.lines, 1):
        assert [(int(a), int(value)) for a, value in line.get_xydata()] == [(a, one_layer(d, a)) for a in range(1, 5)]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("a", "dimension", "a family, t = 2")
    assert len({(line.get_color(), line.get_marker()) for line in ax.lines}) == 3


def test_open_markers_are_not_proven_and_what_is_missing_is_counted() -> None:
    ax = plot_answers(WITH_GAPS, "a", by="d")
    *_, whole, doubted = ax.lines
    assert doubted.get_xydata().tolist() == [[3, 15]]
    assert doubted.get_markerfacecolor() == "white"
    assert whole.get_markevery() == [0, 1]
    assert "open: not proven" in ax.get_title()
    assert "1 without an answer" in ax.get_title()


def test_cells_of_a_heat_map() -> None:
    ax = plot_heat_map(WITH_GAPS, "d", "a")
    cells = {tuple(map(int, text.get_position())): text.get_text() for text in ax.texts}
    expected = {(d - 1, a - 1): str(one_layer(d, a)) for d in range(1, 4) for a in range(1, 5)}
    assert cells == expected | {(2, 2): "(15)", (2, 3): "\N{MULTIPLICATION SIGN}"}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1", "2", "3", "4"]
    assert "in brackets: not proven" in ax.get_title()


def test_defects_are_expected_minus_true() -> None:
    ax = plot_heat_map(WITH_GAPS, "d", "a", defect=True, expected="d*d + 2*a*d - a*a - 1")
    cells = {tuple(map(int, text.get_position())): text.get_text() for text in ax.texts}
    assert cells[0, 0] == "0"
    assert cells[0, 1] == "\N{MINUS SIGN}1"  # 1 + 4 - 4 - 1 - 1
    assert cells[2, 2] == "(2)"
    bounds = plot_answers(WITH_GAPS, "a", by="d", defect=True)
    assert bounds.lines[-1].get_xydata().tolist() == [[3, 2]]
    assert bounds.get_ylabel() == "expected minus true dimension"


def test_sizes_that_vary_are_found() -> None:
    assert plot_answers(ROWS).get_xlabel() == "d"
    assert plot_answers([one for one in ROWS if one.sizes["d"] == 2]).get_xlabel() == "a"
    ax = plot_heat_map(ROWS, y="d")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("a", "d")
    given = new_figure(3, 3).add_axes((0.1, 0.1, 0.8, 0.8))
    assert plot_heat_map(ROWS, ax=given) is given
    assert plot_answers(ROWS, ax=given) is given


@pytest.mark.sample(2)
@pytest.mark.parametrize("draw", [plot_answers, plot_heat_map])
@pytest.mark.parametrize("rows", [ROWS, WITH_GAPS])
def test_everything_is_inside_and_apart(draw: Callable[..., Any], rows: list[Row]) -> None:
    ax = draw(rows, "a", **{"by" if draw is plot_answers else "y": "d"})
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    width, height = ax.figure.canvas.get_width_height()
    named = ax.get_legend().get_texts() if ax.get_legend() else []
    texts = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.texts, *named]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts if text.get_text()]
    for text, box in boxes:
        assert 0 <= box.x0 < box.x1 <= width, text
        assert 0 <= box.y0 < box.y1 <= height, text
    assert [(one, two) for (one, box), (two, other) in itertools.combinations(boxes, 2) if box.overlaps(other)] == []


def test_large_maps_have_a_scale_and_many_curves_few_names() -> None:
    many = [row({"x": x, "y": y}, x - y) for x in range(40) for y in range(3)]
    ax = plot_heat_map(many, "x", "y")
    assert not ax.texts
    assert len(ax.figure.axes) == 2
    assert len(plot_answers(many, "y", by="x").get_legend().get_texts()) <= 14


def test_files() -> None:
    assert picture(ROWS, "svg", x="a", by="d") == picture(ROWS, "svg", x="a", by="d")
    assert picture(ROWS, "png", y="a").startswith(b"\x89PNG")
    assert b"<!-- (2) -->" in picture(WITH_GAPS, "svg", x="d", y="a", defect=True)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([], {}, "rows was none; it should be answers of a sweep"),
        (ROWS, {"x": "b"}, "x was 'b'; it should be one of the sizes d, a, t"),
        ([*ROWS, row({"d": 1, "a": 1, "t": 3}, 1)], {"x": "a", "by": "d"}, "several at a = 1, d = 1, of different t"),
        ([*ROWS, dataclasses.replace(ROWS[0], version="2")], {}, "rows was of 2 kinds of version: 1, 2"),
        ([*ROWS, row({"d": 1}, 1)], {}, "of different sizes, or of none"),
        ([row({"d": 1}, None)], {}, "rows was without any answer"),
        ([dataclasses.replace(one, upper=None) for one in ROWS], {"defect": True}, "the rows have no bounds"),
        (ROWS, {"defect": True, "expected": "d / 2"}, "with 'd / 2' in it"),
        (ROWS, {"defect": True, "expected": "(d, 2)"}, "it should be a formula with an integer"),
        (ROWS, {"ax": 3}, "ax was"),
    ],
)
def test_what_cannot_be_drawn(rows: list[Row], options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message.replace("(", r"\(")):
        plot_answers(rows, **options)


def test_a_heat_map_has_two_sizes() -> None:
    with pytest.raises(InvalidArgument, match="y was None, and no other size varies"):
        algatt.views.sweeps.plot_heat_map([row({"d": d}, d) for d in range(1, 4)])
