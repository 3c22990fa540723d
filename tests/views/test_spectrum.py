"""The picture of a spectrum: what is in it, that it can be read, and that nothing but its axes is touched."""

from __future__ import annotations

import dataclasses
import itertools
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import algatt
from algatt.views.plotting import COLUMN, render
from algatt.views.spectrum import DARK, LIGHT, LINE


@pytest.fixture(scope="module")
def bottleneck():
    return algatt.jacobian_spectrum(algatt.Softmax((5, 5, 5), (2, 2), 3), draw="normal", prove=True)


@pytest.fixture(scope="module")
def liar():
    return algatt.jacobian_spectrum(algatt.Softmax((1, 1, 2, 1), (1, 1, 1), 3), seed=3, prove=True)


@pytest.fixture(scope="module")
def deep():
    return algatt.jacobian_spectrum(algatt.Lightning((4,) * 5, (2,) * 4, 3))


@pytest.fixture(params=["bottleneck", "liar", "deep"])
def spectrum(request):
    return request.getfixturevalue(request.param)


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def series(ax, marker):
    return [line for line in ax.lines if line.get_marker() == marker]


def test_both_series_are_drawn_by_their_largest(bottleneck):
    ax = algatt.views.plot_spectrum(bottleneck)
    for marker, values in (("o", bottleneck.singular_values), ("s", bottleneck.single.singular_values)):
        (line,) = series(ax, marker)
        np.testing.assert_array_equal(line.get_xdata(), np.arange(1, 91))
        np.testing.assert_allclose(line.get_ydata(), values.astype(float) / float(values[0]))
    assert ax.get_yscale() == "log"


def test_the_dimension_the_gap_and_both_ranks_are_told(bottleneck):
    ax = algatt.views.plot_spectrum(bottleneck)
    assert legend(ax) == ["float64: 57", "float32: 57", "expected, Eq 16, and proven: 57"]  # delta^2 + 8 delta - 8
    assert [line.get_xdata()[0] for line in ax.lines if line.get_label().startswith("expected")] == [57.5]
    assert any("after 57" in text.get_text() for text in ax.texts)
    assert ax.get_title().endswith("verdict: 57")


def test_a_refusal_is_told(liar, deep):
    assert algatt.views.plot_spectrum(liar).get_title().endswith("verdict: refused")
    assert legend(algatt.views.plot_spectrum(liar)) == ["float64: 3", "float32: 2", "proven: 4"]
    assert legend(algatt.views.plot_spectrum(deep))[1:] == ["float32: overflow", "expected, Eq 14: 60"]


def test_tolerances_are_where_the_ranks_are_taken(bottleneck):
    ax = algatt.views.plot_spectrum(bottleneck)
    for colour, one in ((DARK, bottleneck.double), (LIGHT, bottleneck.single)):
        (level,) = [
            line.get_ydata()[0] for line in ax.lines if line.get_color() == colour and line.get_linestyle() == "--"
        ]
        assert level == pytest.approx(one.tolerance / one.singular_values[0])


def test_an_expected_and_a_proven_value_that_differ_are_two_lines(bottleneck, monkeypatch):
    monkeypatch.setattr(
        algatt.geometry.JacobianSpectrum,
        "expected",
        algatt.geometry.Formula(58, "a wrong formula (Eq 99)", theorem=False),
    )
    assert legend(algatt.views.plot_spectrum(bottleneck))[2:] == ["expected, Eq 99: 58", "proven: 57"]


def test_it_is_as_wide_as_a_column_and_everything_is_inside_and_apart(spectrum):
    ax = algatt.views.plot_spectrum(spectrum)
    assert ax.figure.get_figwidth() == COLUMN
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    width, height = ax.figure.canvas.get_width_height()
    left, right = ax.get_xlim()
    ticks = [label for label in ax.get_xticklabels() if left <= label.get_position()[0] <= right]
    texts = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.texts, *ax.get_legend().get_texts(), *ticks]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts if text.get_text()]
    for text, box in boxes:
        assert 0 <= box.x0 < box.x1 <= width, text
        assert 0 <= box.y0 < box.y1 <= height, text
    assert [(one, two) for (one, box), (two, other) in itertools.combinations(boxes, 2) if box.overlaps(other)] == []


def test_the_label_of_the_gap_covers_no_singular_value(spectrum):
    ax = algatt.views.plot_spectrum(spectrum)
    ax.figure.canvas.draw()
    (box,) = [text.get_window_extent() for text in ax.texts if text.get_text()]
    for marker in "os":
        for line in series(ax, marker):
            assert not any(box.contains(*dot) for dot in ax.transData.transform(line.get_xydata()))


def test_the_colours_differ_in_grey():
    """By the luma of Rec. 601; the line of the dimension is vertical and can be told without."""
    luma = {colour: np.dot([0.299, 0.587, 0.114], to_rgb(colour)) for colour in (DARK, LIGHT, LINE)}
    assert luma[LIGHT] - luma[DARK] > 0.35
    assert 1 - luma[LIGHT] > 0.3


def test_singular_values_of_zero_are_at_the_edge(bottleneck):
    values = bottleneck.singular_values.copy()
    values[-3:] = 0
    ax = algatt.views.plot_spectrum(
        dataclasses.replace(bottleneck, double=algatt.geometry.FloatSpectrum(values, bottleneck.shape))
    )
    drawn = series(ax, "o")[0].get_ydata()
    assert (drawn[-3:] == ax.get_ylim()[0]).all()
    assert drawn[:-3].min() > ax.get_ylim()[0] > 0


def test_axes_are_taken_and_returned(bottleneck):
    left, right = Figure(figsize=(7, 3)).subplots(1, 2)
    assert algatt.views.plot_spectrum(bottleneck, ax=right) is right
    assert not left.lines


def test_the_same_spectrum_gives_the_same_file(bottleneck):
    one, two = (render(algatt.views.plot_spectrum(bottleneck).figure, "svg") for _ in range(2))
    assert one == two
    assert len(one) < 300_000


@pytest.mark.parametrize(("spectrum", "ax", "message"), [(3, None, "spectrum was 3"), (None, "axes", "ax was 'axes'")])
def test_bad_input(spectrum, ax, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        algatt.views.plot_spectrum(spectrum, ax=ax)


def test_matplotlib_is_an_extra_and_pyplot_is_not_used():
    program = """
import sys, algatt
assert "matplotlib" not in sys.modules
spectrum = algatt.jacobian_spectrum(algatt.Softmax((3, 2), (2,), 2))
algatt.views.plot_spectrum(spectrum)
assert "matplotlib.pyplot" not in sys.modules
sys.modules["matplotlib"] = None
try:
    algatt.views.plot_spectrum(spectrum)
except algatt.errors.MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (
        done.stdout
        == "matplotlib is not installed; python -m pip install '.[plot]' in the folder of the clone brings it\n"
    )
