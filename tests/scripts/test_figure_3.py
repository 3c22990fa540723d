"""HMK Figure 3 and what is beyond it: the cases, Eq 16, the table and the picture."""

from __future__ import annotations

import dataclasses
import json
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import algatt

ROOT = Path(__file__).parents[2]


@pytest.fixture
def figure_3(script):
    return script("figure_3")


@pytest.fixture
def small(figure_3, monkeypatch):
    """As the figure is, with fewer and smaller cases."""
    monkeypatch.setattr(figure_3, "WIDTHS", range(3, 5))
    monkeypatch.setattr(figure_3, "LAYERS", range(2, 4))
    monkeypatch.setattr(figure_3, "RANKS", range(1, 3))
    monkeypatch.setattr(figure_3, "INPUTS", 60)
    monkeypatch.setattr(
        figure_3, "SCORES", {"exp": algatt.layers.Exponential(), "affine:1,1": algatt.layers.Affine(1, 1)}
    )
    return figure_3


def test_the_cases_are_those_of_the_paper_and_beyond(figure_3):
    published = figure_3.cases(["figure-3"], 5)
    assert len(published) == 8 * 5
    assert {case.arch for case in published} == {algatt.Softmax((d, d, d), (2, 2), 3) for d in range(3, 11)}
    beyond = figure_3.cases(["beyond"], 5)
    assert len(beyond) == 5 * 4 * 5
    assert {case.arch.layers for case in beyond} == {2, 3, 4, 5, 6}
    assert {case.arch.ranks[0] for case in beyond} == {1, 2, 3, 4}
    assert {case.arch.dims[0] for case in beyond} == {4}
    assert len(figure_3.cases(["figure-3", "beyond"], 2)) == 116


@pytest.mark.parametrize("delta", range(3, 11))
def test_equation_16_at_the_settings_of_figure_3(figure_3, delta):
    assert figure_3.equation_16((delta,) * 3, (2, 2)) == delta**2 + 8 * delta - 8


@pytest.mark.parametrize(("a", "value"), [(1, 37), (2, 52), (3, 61), (4, 64)])
def test_equation_16_gives_the_public_scripts_values(figure_3, a, value):
    assert figure_3.equation_16((4, 4, 4, 4), (a, a, a)) == value


@pytest.mark.sample(7)
@pytest.mark.parametrize("delta", range(3, 11))
def test_every_delta_of_figure_3_is_proven(delta):
    report = algatt.dimension(algatt.Softmax((delta,) * 3, (2, 2), 3))
    assert (report.value, report.status) == (delta**2 + 8 * delta - 8, "proven")


@pytest.mark.sample(0)
def test_the_table_and_the_picture(small, capsys, tmp_path):
    assert small.main(["--draws", "2", "-o", str(tmp_path)]) == 0
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("│")
    ]
    table = {row[0]: row[1:] for row in rows}
    assert table["Figure 3, delta = 3"] == ["25", "2", "2", "2", "2", "2", "0", "0"]
    assert table["Figure 3"][:2] == ["25..40", "4"]
    assert table["beyond"][1] == table["beyond"][5] == "8"
    assert table["beyond"][-1] == "0"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure_3.png", "figure_3.svg"]
    assert ElementTree.parse(tmp_path / "figure_3.svg").getroot().attrib["width"] == "504pt"
    assert struct.unpack(">I", (tmp_path / "figure_3.png").read_bytes()[16:20]) == (2100,)


def test_json_has_every_case(small, capsys):
    assert small.main(["--only", "figure-3", "--draws", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sound"]
    assert [(one["expected"], one["proof"], one["gap"], one["float64"]) for one in found["cases"]] == [
        (25,) * 4,
        (40,) * 4,
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("answers", [{"proof": 26}, {"proof": None}, {"gap": 24}])
def test_what_is_wrong_or_unproven_is_noticed(small, monkeypatch, capsys, answers):
    examine = small.examine

    def falsified(case, proofs):
        outcome = examine(case, proofs)
        return dataclasses.replace(outcome, answers={**outcome.answers, **answers})

    monkeypatch.setattr(small, "examine", falsified)
    assert small.main(["--only", "figure-3", "--draws", "1", "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)["sound"]


def test_a_refusal_is_sound(small):
    case = small.cases(["figure-3"], 1)[0]
    outcome = small.Outcome(case, 25, {"float32": 3, "float64": 4, "gap": None, "proof": 25}, "no gap")
    assert small.sound([outcome])


@pytest.mark.parametrize(("d", "a", "value"), [(12, 2, 232), (16, 2, 376), (32, 2, 1272), (64, 2, 4600), (32, 8, 1920)])
def test_equation_16_at_wide_networks(figure_3, d, a, value):
    """The first ones by delta^2 + 8 delta - 8; the last by hand: 2 * (8 * 56 + 1024) - 1024."""
    assert (d, a) in figure_3.WIDE
    assert figure_3.equation_16((d, d, d), (a, a)) == value


def test_wide_networks_are_proven_and_agree_with_the_conjecture(figure_3, monkeypatch, capsys):
    monkeypatch.setattr(figure_3, "WIDE", ((11, 2), (12, 3)))
    assert figure_3.main(["--only", "wide"]) == 0
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("│")
    ]
    assert [row[:7] for row in rows] == [
        ["11", "2", "330", "201", "201", "201", "proven"],
        ["12", "3", "432", "270", "270", "270", "proven"],
    ]


@pytest.mark.parametrize("change", [{"status": "probable"}, {"value": 24}, {"formulas": ()}])
def test_a_wide_network_that_is_not_as_conjectured_is_noticed(figure_3, monkeypatch, capsys, change):
    monkeypatch.setattr(figure_3, "WIDE", ((3, 2),))
    prove_wide = figure_3.prove_wide

    def falsified(progress):
        return [figure_3.Proof(dataclasses.replace(one.report, **change)) for one in prove_wide(progress)]

    monkeypatch.setattr(figure_3, "prove_wide", falsified)
    assert figure_3.main(["--only", "wide", "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)["sound"]


def test_the_figure_of_the_documentation_is_small():
    for name in ("figure_3", "spectrum"):
        assert (ROOT / "docs" / "figures" / f"{name}.svg").stat().st_size < 300_000


@pytest.mark.parametrize(
    "arguments",
    [
        ["--only", "figure-4"],
        ["--draws", "0"],
        ["--only", "beyond", "-o", "."],
        ["--only", "wide", "-o", "."],
        ["--colour"],
    ],
)
def test_bad_arguments_are_told_in_one_line(figure_3, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        figure_3.main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_folder_that_is_missing_is_noticed_before_the_work(figure_3, capsys, tmp_path):
    assert figure_3.main(["-o", str(tmp_path / "missing")]) == 2
    assert "cannot write" in capsys.readouterr().err
