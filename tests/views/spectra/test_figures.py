"""Pictures of spectra: what their lines and bars are, that labels do not overlap, and what is refused."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

import algatt
from algatt.spectra import chain_reports, spectrum_report
from algatt.views.plotting import MissingExtra, render
from algatt.views.spectra import (
    chain_figure,
    convergence_figure,
    laws_figure,
    matrices_figure,
    write_chain,
    write_matrices,
)


@pytest.fixture(scope="module")
def reports():
    return chain_reports(algatt.spectra.AttentionEnsemble(100, 100, 100, 0.6), draws=2)


def overlaps(figure):
    """Return the pairs of texts whose boxes overlap."""
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    texts = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for ax in figure.axes:
        labels = [
            label
            for axis in (ax.xaxis, ax.yaxis)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
            for label in (tick.label1,)
            if min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        ]
        texts += [
            ax.title,
            ax.xaxis.label,
            ax.yaxis.label,
            *labels,
            *(ax.get_legend().get_texts() if ax.get_legend() else []),
        ]
    boxes = [
        (text.get_text(), text.get_window_extent(renderer).padded(-1))
        for text in texts
        if text.get_visible() and text.get_text()
    ]
    inside = [(name, box) for name, box in boxes if figure.bbox.overlaps(box) and box.width > 0]
    return [(one[0], two[0]) for one, two in itertools.combinations(inside, 2) if one[1].overlaps(two[1])]


def test_the_bars_are_the_density_of_the_values_without_the_largest(reports):
    ax = algatt.draw(reports[0])
    (bars,) = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
    heights, edges, _ = bars.get_data()
    kept = reports[0].values[:, 3:]
    assert (heights * np.diff(edges)).sum() == pytest.approx(1)
    counts, _ = np.histogram(kept, edges)
    assert heights * np.diff(edges) * kept.size == pytest.approx(counts)
    assert edges[-1] > kept.max()


def test_the_curves_are_the_laws(reports):
    ax = algatt.draw(reports[0])
    lines = {line.get_label(): line for line in ax.lines}
    for name, law in (
        ("limit law", algatt.spectra.AttentionLaw(0.6)),
        ("Marchenko-Pastur", reports[0].marchenko_pastur),
    ):
        x, y = lines[name].get_data()
        assert y == pytest.approx(algatt.spectra.density(law, x))
    assert lines["Marchenko-Pastur"].get_linestyle() == "--"
    assert lines["limit law"].get_linestyle() == "-"


def test_the_chain_has_a_panel_for_each_model(reports):
    figure = chain_figure(reports)
    assert figure.get_figwidth() == 7.0
    titles = [ax.get_title() for ax in figure.axes[:6]]
    assert titles == [f"${report.ensemble.symbol}$" for report in reports]
    for ax, report in zip(figure.axes[6:], reports, strict=True):
        model, attention, law, old = ax.lines
        assert model.get_ydata() == pytest.approx(report.values[:, 3:].mean(axis=0))
        assert attention.get_ydata() == pytest.approx(reports[0].scaled_values[:, 3:].mean(axis=0))
        assert law.get_ydata()[0] == pytest.approx(algatt.spectra.edge(report.law))
        assert old.get_ydata()[0] == pytest.approx(algatt.spectra.edge(report.marchenko_pastur))
        assert model.get_xdata()[0] == pytest.approx(3.5 / 100)


def test_bars_rise_from_below_the_axes_for_every_mean():
    """The densities of large values are small: a baseline of 1e-9 was above them, and bars hung from it."""
    ensemble = algatt.spectra.LinearEnsemble(60, 60, 60, 5)
    ax = algatt.draw(spectrum_report(ensemble, draws=1))
    (bars,) = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
    heights, _, baseline = bars.get_data()
    assert baseline < ax.get_ylim()[0] < heights.max()


@pytest.mark.sample(0)
def test_no_labels_overlap(reports):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", algatt.spectra.FiniteSizeWarning)
        growth = [
            spectrum_report(algatt.spectra.AttentionEnsemble(n, n, n, beta), draws=1)
            for n in (50, 100, 200)
            for beta in (0.5, 1.0, 1.5)
        ]
    for figure in (
        chain_figure(reports),
        laws_figure((0.5, 1.0, 1.5), (1 / 3, 1, 2)),
        convergence_figure(growth),
        algatt.draw(reports[0]).figure,
    ):
        assert overlaps(figure) == []
    for count in (1, 2, 4, 5, 9):
        assert overlaps(matrices_figure(growth[:count])) == []


def test_given_matrices_have_a_panel_each(reports):
    figure = matrices_figure(reports[:5])
    assert [ax.get_title() for ax in figure.axes] == [f"{number}: $\\beta = 0.6$" for number in range(1, 6)]
    for ax, report in zip(figure.axes, reports, strict=False):
        (bars,) = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
        heights, edges, _ = bars.get_data()
        assert heights * np.diff(edges) * report.values[:, 3:].size == pytest.approx(
            np.histogram(report.values[:, 3:], edges)[0]
        )
    for some in ((), reports * 3):
        with pytest.raises(algatt.errors.InvalidArgument, match=f"reports was of {len(some)} matrices"):
            matrices_figure(some)


@pytest.mark.sample(0)
def test_the_check_has_teeth(reports):
    figure = chain_figure(reports)
    for ax in figure.axes:
        ax.tick_params(labelsize=30)
    assert overlaps(figure)


def test_axes_that_are_given_are_drawn_on_and_returned(reports):
    axes = Figure(figsize=(7, 4)).subplots(1, 2)
    assert algatt.draw(reports[0], ax=axes[1]) is axes[1]
    assert algatt.draw(algatt.spectra.AttentionLaw(1), ax=axes[0]) is axes[0]
    assert len(axes[0].lines) == 1


def test_laws_are_drawn_at_mean_one():
    figure = laws_figure((0.5, 2.0), (1.0,))
    (ax,) = figure.axes
    for line, law in zip(
        ax.lines,
        (algatt.spectra.AttentionLaw(0.5), algatt.spectra.AttentionLaw(2.0), algatt.spectra.MarchenkoPastur(1)),
        strict=True,
    ):
        x, y = line.get_data()
        mean = algatt.spectra.moments(law, 1)[0]
        assert y == pytest.approx(mean * algatt.spectra.density(law, mean * x), rel=1e-6, abs=1e-12)


def test_convergence_shows_the_distances():
    reports = [spectrum_report(algatt.spectra.AttentionEnsemble(n, n, n, 0.5), draws=1) for n in (100, 50)]
    left, right = convergence_figure(reports).axes
    expected = [report.wasserstein / report.law.mean for report in reversed(reports)]
    assert left.lines[0].get_xdata().tolist() == [50, 100]
    assert left.lines[0].get_ydata() == pytest.approx(expected)
    assert right.lines[0].get_xdata() == pytest.approx(0.5 / np.sqrt(np.log([50, 100])))


@pytest.mark.sample(0)
def test_the_same_figure_gives_the_same_bytes(reports):
    assert render(chain_figure(reports), "svg") == render(chain_figure(reports), "svg")


@pytest.mark.sample(1)
@pytest.mark.parametrize(("write", "figure"), [(write_chain, chain_figure), (write_matrices, matrices_figure)])
def test_figures_are_written_by_suffix(write, figure, reports, tmp_path):
    write(reports[:1], tmp_path / "figure.SVG")
    assert (tmp_path / "figure.SVG").read_bytes() == render(figure(reports[:1]), "svg")
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=r"with the suffix \.txt; it should be a file that ends in \.svg, \.pdf, \.png",
    ):
        write(reports[:1], tmp_path / "figure.txt")
    with pytest.raises(algatt.errors.OutputError, match="No such file"):
        write(reports[:1], tmp_path / "missing" / "figure.svg")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda reports: chain_figure([]), "reports was without that of an AttentionEnsemble"),
        (lambda reports: chain_figure(reports[1:]), "reports was without that of an AttentionEnsemble"),
        (lambda reports: laws_figure((), (1.0,)), "betas was 0 numbers"),
        (
            lambda reports: laws_figure((0.1, 0.2, 0.3, 0.4, 0.5), (1.0,)),
            "betas was 5 numbers, with 1 ratios; it should be at most 4",
        ),
        (lambda reports: convergence_figure([]), "reports was of 0 values of beta"),
    ],
)
def test_bad_input(reports, call, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        call(reports)


def test_matplotlib_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        MissingExtra,
        match=r"matplotlib is not installed; python -m pip install '.\[plot\]' in the folder of the clone brings it",
    ):
        algatt.draw(algatt.spectra.AttentionLaw(1))


@pytest.mark.sample(0)
def test_nothing_heavy_is_loaded_before_it_is_needed():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r}); import algatt, "
        f"algatt.views.spectra; "
        "print([m for m in ('matplotlib', 'scipy') if m in sys.modules]); "
        "algatt.draw(algatt.spectra.AttentionLaw(1)); print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "False"]
