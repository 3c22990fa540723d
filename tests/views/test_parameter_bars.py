"""The bars of what makes parameters redundant."""

from __future__ import annotations

import itertools

import pytest
from matplotlib.figure import Figure

import algatt
from algatt.published import parameters, scaled
from algatt.views.plotting import PAGE, render
from configs import config


@pytest.fixture(scope="module")
def llama():
    return parameters(config("llama_2_7b"))


@pytest.fixture(scope="module")
def pythia():
    return parameters(scaled(config("pythia_160m")))


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_a_bar_for_each_component_and_one_for_all(llama):
    ax = algatt.views.plot_parameters(llama)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == [4096 * 4095 // 2, 32 * 32 * 128, 32 * 32 * 128**2, 32 * 11008, 65 * 4096, sum(widths[:-1])]
    assert labels(ax)[0] == "the stream"
    assert labels(ax)[-1] == "together"
    assert ax.texts[0].get_text() == "8,386,560"
    assert ax.get_xscale() == "log"
    assert "llama, read as logits" in ax.get_title()


def test_what_is_common_has_a_number_and_no_bar(pythia):
    ax = algatt.views.plot_parameters(pythia)
    assert len(ax.patches) == len(labels(ax)) - 1
    place = labels(ax).index("in common")
    assert ax.texts[place].get_text().startswith("\N{MINUS SIGN}")


@pytest.mark.parametrize("name", ["llama", "pythia"])
def test_everything_is_inside_and_apart(name, request):
    ax = algatt.views.plot_parameters(request.getfixturevalue(name))
    assert ax.figure.get_figwidth() == PAGE
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    width, height = ax.figure.canvas.get_width_height()
    texts = [ax.title, ax.xaxis.label, *ax.texts, *ax.get_yticklabels()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts if text.get_text()]
    for text, box in boxes:
        assert 0 <= box.x0 < box.x1 <= width, text
        assert 0 <= box.y0 < box.y1 <= height, text
    assert [(one, two) for (one, box), (two, other) in itertools.combinations(boxes, 2) if box.overlaps(other)] == []


def test_axes_are_taken_and_returned(llama):
    left, right = Figure(figsize=(7, 3)).subplots(1, 2)
    assert algatt.views.plot_parameters(llama, ax=right) is right
    assert not left.patches


def test_the_same_report_gives_the_same_file(llama):
    one, two = (render(algatt.views.plot_parameters(llama).figure, "svg") for _ in range(2))
    assert one == two


@pytest.mark.parametrize(("report", "ax", "message"), [(3, None, "report was 3"), (None, "axes", "ax was 'axes'")])
def test_bad_input(report, ax, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        algatt.views.plot_parameters(report, ax=ax)
