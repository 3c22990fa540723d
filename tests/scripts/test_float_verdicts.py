"""The scripts that count what floating point says, and at which scales its spectra are open."""

from __future__ import annotations

import dataclasses
import json

import pytest

import algatt


@pytest.fixture
def float_verdicts(script):
    return script("float_verdicts")


@pytest.fixture
def spectrum_scales(script):
    return script("spectrum_scales")


def test_no_verdict_is_wrong(float_verdicts, capsys):
    assert float_verdicts.main(["--count", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["networks"]) == 5
    assert {one["status"] for one in found["networks"]} == {"proven"}
    for methods in found["counts"].values():
        assert methods["verdict"]["wrong"] == 0
        assert all(sum(results.values()) == 5 for results in methods.values())


def test_the_table_has_a_row_for_each_method(float_verdicts, capsys):
    assert float_verdicts.main(["--count", "2", "--layers", "1", "--largest", "3", "--tokens", "3"]) == 0
    out = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if line.startswith("│")]
    assert "2 random softmax networks, 2 of them proven" in out
    assert [row[0] for row in rows] == ["uniform"] * 4 + ["normal"] * 4
    assert [row[1] for row in rows[:4]] == list(float_verdicts.METHODS.values())


def test_networks_are_random_and_in_range(float_verdicts):
    networks = [float_verdicts.random_network(0, number, 4, 6, (2, 3, 4)) for number in range(200)]
    assert {arch.layers for arch in networks} == {1, 2, 3, 4}
    assert {width for arch in networks for width in arch.dims} == set(range(1, 7))
    assert {a for arch in networks for a in arch.ranks} == set(range(1, 7))
    assert {arch.tokens for arch in networks} == {2, 3, 4}
    assert len(set(networks)) > 190
    assert networks[:5] == [float_verdicts.random_network(0, number, 4, 6, (2, 3, 4)) for number in range(5)]
    assert networks[:5] != [float_verdicts.random_network(1, number, 4, 6, (2, 3, 4)) for number in range(5)]


def test_a_gap_at_the_wrong_place_is_wrong_alone_and_refused_as_a_verdict(float_verdicts):
    compared = float_verdicts.compare(algatt.Softmax((1, 1, 2, 1), (1, 1, 1), 3), 3)
    assert compared.proven
    assert compared.result("uniform", "gap") == compared.result("uniform", "float64") == "wrong"
    assert compared.result("uniform", "verdict") == "refused"


def test_a_wrong_verdict_is_noticed(float_verdicts, monkeypatch, capsys):
    compare = float_verdicts.compare

    def falsified(arch, seed):
        one = compare(arch, seed)
        return dataclasses.replace(one, answers={draw: {**ranks, "verdict": 0} for draw, ranks in one.answers.items()})

    monkeypatch.setattr(float_verdicts, "compare", falsified)
    assert float_verdicts.main(["--count", "1", "--layers", "1"]) == 1


def test_what_is_not_proven_is_listed_and_not_counted(float_verdicts, monkeypatch, capsys):
    compare = float_verdicts.compare

    def unproven(arch, seed):
        one = compare(arch, seed)
        return dataclasses.replace(one, report=dataclasses.replace(one.report, status="numerical"))

    monkeypatch.setattr(float_verdicts, "compare", unproven)
    assert float_verdicts.main(["--count", "1", "--layers", "1"]) == 0
    out = capsys.readouterr().out
    assert "1 random softmax networks, 0 of them proven" in out
    assert "not proven: Normalized(" in out


def test_overflow_counts_as_a_refusal(float_verdicts, monkeypatch):
    def overflow(*arguments, **options):
        raise algatt.errors.ScoreOverflow("too large")

    monkeypatch.setattr(algatt, "jacobian_spectrum", overflow)
    assert set(float_verdicts.ranks(algatt.Softmax((2, 2), (1,), 2), 0, "normal").values()) == {None}


@pytest.mark.parametrize("arguments", [["--count", "0"], ["--tokens", "two"], ["--colour"]])
def test_bad_arguments(float_verdicts, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        float_verdicts.main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_bad_seed(float_verdicts, capsys):
    assert float_verdicts.main(["--seed", "-1"]) == 2
    assert capsys.readouterr().err.splitlines() == ["float_verdicts: seed was -1; it should be an integer >= 0"]


def test_scales(spectrum_scales, monkeypatch, capsys):
    monkeypatch.setattr(spectrum_scales, "NETWORKS", (algatt.Softmax((4, 4, 4), (2, 2), 3),))
    monkeypatch.setattr(spectrum_scales, "SCALES", (0.25, 1.0, 4.0))
    assert spectrum_scales.main(["--points", "1"]) == 0
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("│")
    ]
    assert [row[0] for row in rows] == ["0.25", "1", "4"]
    assert rows[1][2].startswith("* ")
    assert spectrum_scales.main(["--points", "1", "--json"]) == 0
    found = {(one["weights"], one["inputs"]): one["opening"] for one in json.loads(capsys.readouterr().out)}
    assert found[1.0, 1.0] == max(found.values()) > 1e6
