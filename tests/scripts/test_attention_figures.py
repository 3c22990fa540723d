"""The scripts about spectra of attention, on small matrices."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import algatt

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")  # the figures are made smaller

NAMES = ("attention_spectrum", "attention_laws", "attention_convergence", "layer_laws")


@pytest.fixture
def small(script, monkeypatch):
    """The scripts with a few small matrices in place of many large ones."""
    modules = {name: script(name) for name in NAMES}
    for name in ("attention_spectrum", "attention_convergence"):
        monkeypatch.setattr(modules[name], "TOKENS", 60)
        monkeypatch.setattr(modules[name], "DRAWS", 2)
    monkeypatch.setattr(modules["attention_convergence"], "GROWTH", {40: 2, 80: 1})
    return modules


def check_figure(folder, name):
    """Check that a script has written a figure as two files."""
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.png", f"{name}.svg"]
    assert ElementTree.parse(folder / f"{name}.svg").getroot().attrib["width"] == "504pt"


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", ["attention_spectrum", "attention_laws"])
def test_a_figure_is_two_files(small, name, tmp_path):
    assert small[name].main(["-o", str(tmp_path)]) == 0
    check_figure(tmp_path, name)


def test_the_spectrum_is_that_of_the_paper(script):
    module = script("attention_spectrum")
    assert (module.TOKENS, module.BETA, module.DRAWS) == (1000, 1.0, 10)


@pytest.mark.sample(0)
def test_the_tables_are_printed_beside_a_figure(small, capsys, tmp_path):
    assert small["attention_convergence"].main(["-o", str(tmp_path)]) == 0
    check_figure(tmp_path, "attention_convergence")
    out = capsys.readouterr().out
    rows = [line.replace("│", " ").split() for line in out.splitlines() if line.startswith("│")]
    assert len(rows) == 12 + 8
    assert [row[0] for row in rows[:2]] == ["Attention", "Linear"]
    assert {(row[1], row[3]) for row in rows[12:]} == {
        (tokens, beta) for tokens in ("40", "80") for beta in ("0.5", "1", "1.5", "2")
    }
    report = algatt.spectra.spectrum_report(algatt.spectra.AttentionEnsemble(60, 60, 180, 0.5), draws=2)
    assert rows[0][5:7] == [f"{report.wasserstein:.3g}", f"{report.wasserstein_marchenko_pastur:.3g}"]


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments_are_told_in_one_line(small, name, capsys):
    with pytest.raises(SystemExit) as caught:
        small[name].main(["--colour"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_that_is_missing_is_noticed_before_the_work(script, name, monkeypatch, capsys, tmp_path):
    module = script(name)
    for work in ("figure", "laws_figure"):
        monkeypatch.setattr(module, work, lambda *_: pytest.fail("it worked first"), raising=False)
    assert module.main(["-o", str(tmp_path / "missing")]) == 2
    assert f"{name}: cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_the_figure_of_the_documentation_is_small(name):
    assert (ROOT / "docs" / "figures" / f"{name}.svg").stat().st_size < 300_000


@pytest.mark.sample(0)
def test_a_draw_is_measured_beside_the_bare_singular_values(script):
    figures = script("benchmarks.spectra").measure(script("benchmarks.plan").Plan(runs=1, quick=True))
    (ratio,) = [figure for figure in figures if figure.unit == "x"]
    assert ratio.value > 0
    assert any(figure.name.startswith("density") and figure.target == 0.05 for figure in figures)
    assert figures[-1].name.startswith("a law of values tied to keys")
    assert figures[-1].value > 0


@pytest.mark.sample(0)
def test_the_table_of_layers_has_the_distances_and_moments_of_draws(script, capsys, monkeypatch):
    layers = script("layer_laws")
    monkeypatch.setattr(layers, "DRAWS", 2)
    ensemble = algatt.spectra.AttentionEnsemble(30, 30, 30, 0.4)
    monkeypatch.setattr(layers, "ensembles", lambda beta, tokens: {"attention": ensemble})
    layers.measure(0.4)
    _, _, row = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    draws = np.array([algatt.spectra.squared_singular_values(ensemble, seed=seed, drop=0) for seed in range(2)])
    law = algatt.spectra.AttentionLaw(0.4)
    values = np.repeat(np.sort(draws, axis=None), 20)
    quantiles = algatt.spectra.quantile(law, (np.arange(len(values)) + 0.5) / len(values))
    assert float(row[1]) == pytest.approx(np.abs(values - quantiles).mean() / law.mean, abs=2e-3)
    means = draws.mean(axis=1) / np.expm1(0.16)
    expected = 1000 * (means.mean() - 1), 1000 * np.ptp(means) / 2
    assert row[8].split()[0] == "{:+.1f}({:.1f})".format(*expected)


def test_the_effective_rank_of_one_layer(script, monkeypatch):
    """theta^2 / (2 theta^2 + beta^4) of the tokens in the limit."""
    layers = script("layer_laws")
    monkeypatch.setattr(layers, "DEPTH", 1)
    monkeypatch.setattr(layers, "TOKENS_OF_DEPTH", 200)
    (measured,), (predicted,) = layers.effective_ranks(0.5, 0.0)
    theta = np.expm1(0.25)
    assert predicted == pytest.approx(theta**2 / (2 * theta**2 + 0.0625), rel=1e-9)
    assert measured == pytest.approx(predicted, rel=0.03)


def test_the_table_of_scaling_has_the_distance_of_a_matrix_to_its_law(script, capsys, monkeypatch):
    """The mean difference of sorted values and quantiles, by a sum of twenty ranks for each value."""
    scaling = script("attention_scaling")
    monkeypatch.setattr(scaling, "KAPPAS", (0.3,))
    assert scaling.main(["--tokens", "40", "--draws", "1"]) == 0
    head, row = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert (head, row[0]) == (["kappa", "l = 40"], "0.3")
    beta = 0.3 * math.log(40) ** 0.5
    law = algatt.spectra.AttentionLaw(beta)
    ensemble = algatt.spectra.AttentionEnsemble(40, 40, 40, beta)
    values = np.repeat(np.sort(algatt.spectra.squared_singular_values(ensemble, seed=0, drop=0)), 20)
    quantiles = algatt.spectra.quantile(law, (np.arange(len(values)) + 0.5) / len(values))
    assert float(row[1].split()[0]) == pytest.approx(np.abs(values - quantiles).mean() / law.mean, abs=2e-3)


@pytest.mark.parametrize("arguments", [["--tokens", "x"], ["--draws", "x"], ["--tokens", "1"]])
def test_scaling_refuses_bad_arguments(script, arguments, capsys):
    try:
        code = script("attention_scaling").main(arguments)
    except SystemExit as caught:
        code = caught.code
    assert code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
