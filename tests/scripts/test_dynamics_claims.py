"""The table of statements about flows, and the scripts of their figures."""

from __future__ import annotations

import dataclasses

import pytest


def test_all_verdicts_are_the_expected_ones(script, capsys):
    assert script("dynamics_claims").main(["--states", "3"]) == 0
    out = capsys.readouterr().out
    assert "fails (as claimed)" in out
    assert "undecided" not in out
    assert out.count("does not apply") == 1  # of a causal mask


@pytest.mark.sample(0)
def test_another_verdict_is_told(script, capsys, monkeypatch):
    claims = script("dynamics_claims")
    true = claims.statements.check_unit_shadow_bound
    monkeypatch.setattr(
        claims.statements, "check_unit_shadow_bound", lambda heads: dataclasses.replace(true(heads), holds=False)
    )
    assert claims.main(["--states", "2"]) == 1
    assert capsys.readouterr().out.count("fails") == 2


@pytest.mark.parametrize("arguments", [["--states", "1"], ["--states", "x"], ["--heads", "3"]])
def test_bad_arguments(script, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        script("dynamics_claims").main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", ["flow_clustering_times", "flow_phase_diagram", "flow_softmax"])
def test_a_figure_is_two_files(script, tmp_path, name):
    assert script(name).main(["-o", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.png", f"{name}.svg"]
    assert (tmp_path / f"{name}.svg").stat().st_size < 300_000


@pytest.fixture
def steppers(script, monkeypatch):
    module = script("flow_steppers")
    monkeypatch.setattr(module, "CASES", [(title, flow, 0.05) for title, flow, _ in module.CASES[:1]] * 2)
    monkeypatch.setattr(module, "TOLERANCES", (1e-3, 1e-6))
    return module


@pytest.mark.sample(0)
def test_steppers_are_compared_by_their_errors(steppers, tmp_path):
    assert steppers.main(["-o", str(tmp_path)]) == 0
    figure = steppers.draw()
    for line in figure.axes[0].lines:
        errors = line.get_xdata()
        assert len(errors) == 2
        assert errors[1] < 1e-4
        assert (line.get_ydata() > 0).all()
    assert len(figure.axes[0].lines) == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["flow_steppers.png", "flow_steppers.svg"]


def test_a_reference_in_which_two_methods_differ_is_none(steppers, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(steppers, "AGREE", 0.0)
    assert steppers.main(["-o", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("flow_steppers: the references differ by ")
    assert not list(tmp_path.iterdir())
