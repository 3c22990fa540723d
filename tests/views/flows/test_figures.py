"""Pictures of runs: what is in them, that no label covers another, and that the same run gives the same file."""

import dataclasses
import itertools
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import algatt
from algatt.dynamics import random_tokens
from algatt.views import flow_diagrams, flow_files, flows
from algatt.views.plotting import render


@pytest.fixture(scope="module")
def run():
    heads = (algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ProjectorHead(np.eye(3)[:, :1], 0.5))
    return algatt.dynamics.integrate(
        algatt.dynamics.SphereFlow(heads, beta=2.0), random_tokens(12, 3), until=2.0, tolerance=1e-6
    )


def ticks(axis):
    """The labels of the ticks that are in view; matplotlib has some beyond."""
    low, high = sorted(axis.get_view_interval())
    return [
        label
        for place, label in zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=True)
        if low <= place <= high
    ]


def texts(figure):
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    found = []
    for ax in figure.axes:
        parts = [
            ax.title,
            ax.xaxis.label,
            ax.yaxis.label,
            *ax.texts,
            *(label for axis in (ax.xaxis, ax.yaxis) for label in ticks(axis)),
        ]
        legends = [ax.get_legend()] if ax.get_legend() is not None else []
        parts += [text for legend in legends for text in legend.get_texts()]
        found += [part for part in parts if part.get_text() and part.get_visible()]
    found += [text for legend in figure.legends for text in legend.get_texts()]
    visible = [(part.get_text(), part.get_window_extent(renderer)) for part in found]
    width, height = figure.canvas.get_width_height()
    return [(text, box) for text, box in visible if box.x1 > 0 and box.x0 < width and box.y1 > 0 and box.y0 < height]


def check_labels(figure):
    width, height = figure.canvas.get_width_height()
    boxes = texts(figure)
    for (one, box), (two, other) in itertools.combinations(boxes, 2):
        assert not box.overlaps(other), (one, two)
    for text, box in boxes:
        assert box.x0 >= 0, text
        assert box.x1 <= width, text
        assert box.y0 >= 0, text
        assert box.y1 <= height, text


def test_the_figure_of_a_run_has_no_overlapping_labels(run):
    figure = flows.run_figure(run)
    check_labels(figure)
    assert figure.get_figwidth() == 7.0
    assert [ax.get_title() for ax in figure.axes][1:] == [
        "energy",
        "radial shadow",
        "share of dominant tokens",
        "entropy of attention",
    ]


def test_overlaps_are_seen(run):
    figure = flows.run_figure(run)
    figure.axes[1].title.set_fontsize(60)
    with pytest.raises(AssertionError):
        check_labels(figure)


def test_the_lines_are_the_numbers_of_the_run(run):
    first, second, total = flows.draw_energies(run).lines
    assert np.array_equal(first.get_ydata(), run.energies[:, 0])
    assert np.array_equal(second.get_ydata(), run.energies[:, 1])
    assert np.allclose(total.get_ydata(), run.energies.sum(axis=1))
    assert np.allclose(flows.draw_shadows(run).lines[1].get_ydata(), run.shadows[:, 1].mean(axis=1))
    assert np.allclose(flows.draw_dominance(run).lines[0].get_ydata(), (run.margins[:, 0] >= 0).mean(axis=1))
    *_, limit = flows.draw_entropies(run).lines
    assert limit.get_ydata()[0] == pytest.approx(math.log(12))


def test_tokens_at_which_floats_cannot_decide_are_not_counted(run):
    margins, shadows = np.zeros_like(run.margins), np.ones_like(run.shadows)
    margins[:, 0, :3] = [1.0, 1e-20, -1.0]  # one dominant, one undecided, one not, and nine at zero
    line, none, *_ = flows.draw_dominance(dataclasses.replace(run, margins=margins, shadows=shadows)).lines
    assert (line.get_ydata() == 0.5).all()
    assert np.isnan(none.get_ydata()).all()


def test_heads_differ_in_colour_and_in_style(run):
    one, two, _ = flows.draw_energies(run).lines
    assert one.get_color() != two.get_color()
    assert one.get_linestyle() != two.get_linestyle()


def test_positions_are_a_rotation_of_the_states(run):
    points, projection = flows.positions(run)
    assert projection == ""
    for state, moved in zip(run.states, points, strict=True):
        assert np.allclose(moved.T @ moved, state.T @ state, atol=1e-12)
    right, up, front = points[-1].mean(axis=1)
    assert front > abs(right) + 0.1 * up
    assert min(right, up) > 0


def test_more_dimensions_are_projected_to_where_the_tokens_are():
    axes, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((6, 3)))
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),))
    run = algatt.dynamics.integrate(flow, axes @ random_tokens(8, 3), until=1.0, samples=3)
    points, projection = flows.positions(run)
    assert projection == "3 principal axes of 6 dimensions"
    for state, moved in zip(run.states, points, strict=True):  # they never leave their three dimensions
        assert np.allclose(moved.T @ moved, state.T @ state, atol=1e-12)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dimension", [1, 2])
def test_fewer_dimensions_are_flat(dimension):
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),))
    run = algatt.dynamics.integrate(flow, random_tokens(5, dimension), until=0.5, samples=3)
    points, _ = flows.positions(run)
    assert np.array_equal(points[:, :dimension], run.states)
    assert not points[:, dimension:].any()
    check_labels(flows.run_figure(run))


def test_a_run_that_ended_at_once_can_be_drawn():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),))
    still = algatt.dynamics.integrate(flow, [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]], until=1.0, clustered=1e-3)
    assert len(still.times) == 1
    check_labels(flows.run_figure(still))


def test_axes_that_are_given_are_drawn_on_and_returned(run):
    ax = Figure().subplots()
    assert algatt.draw(run, ax=ax) is ax
    assert flows.draw_entropies(run, ax=ax) is ax
    assert len(ax.collections) >= 3


def test_the_phase_diagram_changes_colour_at_the_threshold():
    ax = flow_diagrams.draw_phase_diagram(tokens=50, heads=(2, 3, 4), betas=np.linspace(0.5, 2.5, 201))
    check_labels(ax.figure)
    (image,), (line,) = ax.images, ax.lines
    for row, heads in enumerate((2, 3, 4)):
        edge = np.linspace(0.5, 2.5, 201)[int(image.get_array()[row].sum()) - 1]  # the last one that is dominant
        assert edge == pytest.approx(math.log(49 / (heads - 1)) / 2, abs=0.011)
        assert line.get_xdata()[row] == pytest.approx(math.log(49 / (heads - 1)) / 2)


def test_the_clustering_times_are_four_lines_in_two_pictures():
    left, right = flow_diagrams.draw_clustering_times(tokens=(4, 16, 64), dimensions=(16, 64, 256))
    check_labels(left.figure)
    lines = {line.get_label(): line for line in left.lines}
    assert np.allclose(lines["exp, linearised"].get_ydata(), np.array([4, 16, 64]) / 2 * (0.5 - 1 / 8))
    assert np.allclose(lines["ReLU, linearised"].get_ydata(), np.array([4, 16, 64]) / 2 * math.log(4))
    assert right.lines[0].get_xdata().tolist() == [16, 64, 256]


@pytest.mark.sample(0)
def test_files_are_steady_and_of_their_kind(run, tmp_path):
    for suffix, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        path = tmp_path / f"run.{suffix}"
        flow_files.write(run, path)
        assert path.read_bytes().startswith(start)
    assert render(flows.run_figure(run), "svg") == (tmp_path / "run.svg").read_bytes()
    ElementTree.parse(tmp_path / "run.svg")


def test_too_many_heads_are_refused():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),) * 9)
    run = algatt.dynamics.integrate(flow, random_tokens(3, 3), until=0.1, samples=2)
    with pytest.raises(algatt.errors.InvalidArgument, match="flow was of 9 heads"):
        flows.run_figure(run)


def test_where_floats_cannot_tell_dominance_the_line_ends():
    """Orthogonal heads at tokens that come to rest: in the end the margin of the head that sees nothing is rounding."""
    axes = np.eye(3)
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ProjectorHead(axes[:, :1]), algatt.dynamics.ProjectorHead(axes[:, 2:]))
    )
    run = algatt.dynamics.integrate(flow, random_tokens(6, 3, seed=1), until=60.0, tolerance=1e-6)
    shares = np.stack([line.get_ydata() for line in flows.draw_dominance(run).lines])
    assert not np.isnan(shares[:, run.times < 1]).any()
    assert np.isnan(shares[:, run.times > 50]).any(axis=0).all()


def test_energies_that_overflow_leave_an_empty_panel():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=2000.0)
    run = algatt.dynamics.integrate(flow, random_tokens(5, 3), until=0.1, samples=3)
    assert np.isinf(run.energies).all()
    check_labels(flows.run_figure(run))


def test_the_figures_of_the_documentation_are_small():
    folder = Path(__file__).parents[3] / "docs" / "figures"
    sizes = {path.name: path.stat().st_size for path in folder.glob("flow_*.svg")}
    assert len(sizes) == 7
    assert max(sizes.values()) < 300_000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: flow_diagrams.draw_phase_diagram(heads=()), r"heads was \[\]"),
        (
            lambda: flow_diagrams.draw_phase_diagram(heads=(2, 4, 8)),
            r"heads was \[2, 4, 8\]; it should be integers that increase by one",
        ),
        (lambda: flow_diagrams.draw_phase_diagram(heads=(2.5, 3.5)), "heads was 2.5"),
        (lambda: flow_diagrams.draw_phase_diagram(betas=[1.0]), r"betas was \[1.0\]"),
        (lambda: flow_diagrams.draw_phase_diagram(betas=[0.1, 0.2, 2.0]), "betas was .*equal steps"),
        (lambda: flow_diagrams.draw_phase_diagram(betas=[0.0, 1.0]), "beta was 0"),
        (lambda: flow_diagrams.draw_clustering_times(tokens=()), "tokens was empty"),
        (lambda: flow_diagrams.draw_clustering_times(dimensions=(0,)), "dimensions was 0"),
    ],
)
def test_grids_that_a_picture_would_show_wrongly_are_refused(call, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        call()


def test_the_softmax_rate_is_marked_where_it_is_no_longer_concave():
    from algatt.views.flows.diagrams import draw_crossover, draw_softmax_rate

    ax = draw_softmax_rate(tokens=(5, 64))
    curve, mark = ax.lines[0], ax.lines[1]
    end = float(mark.get_xdata()[0])
    assert (end - 2) * np.exp(end) == pytest.approx(4 * (end + 2))
    bends = np.diff(curve.get_ydata(), 2)
    assert (bends[curve.get_xdata()[2:] < end] < 0).all()
    assert (bends[curve.get_xdata()[:-2] > end] > 0).all()
    relu, softmax = draw_crossover(betas=(1.0, 8.0)).lines
    assert np.round(relu.get_ydata(), 2).tolist() == [6.54, 0.82]
    assert np.round(softmax.get_ydata(), 2).tolist() == [3.24, 9.39]
    with pytest.raises(algatt.errors.InvalidArgument, match="tokens was empty"):
        draw_softmax_rate(tokens=())


def test_the_states_on_a_path_are_where_tokens_move():
    turns = np.minimum(np.linspace(0, 40, 801), 1)  # half a circle in the first of 40 units of time, then at rest
    states = np.stack([np.cos(np.pi * turns), np.sin(np.pi * turns), 0 * turns], axis=1)[:, :, np.newaxis]
    ax = Figure().add_subplot()
    flows.tokens.draw_paths(ax, states)
    drawn = np.concatenate([np.concatenate(lines.get_segments()) for lines in ax.collections])
    assert drawn[[0, -1], 0].tolist() == [1, -1]
    assert np.linalg.norm(np.diff(drawn, axis=0), axis=1).max() < 2 * math.pi / 20
