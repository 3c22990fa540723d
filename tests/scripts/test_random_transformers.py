"""The script that proves dimensions of random blocks of transformers."""

from __future__ import annotations

import dataclasses
import json

import pytest

import algatt
from algatt.errors import SymmetryError
from algatt.layers import Feedforward, Heads, Residual, SiLU


@pytest.fixture
def transformers(script):
    return script("random_transformers")


@pytest.fixture
def small(transformers, monkeypatch):
    """One network, 24 parameters all of which count."""
    net = algatt.Network(Feedforward(4, SiLU()), tokens=2, width=3)
    monkeypatch.setattr(transformers.Generator, "network", lambda self: net)
    return transformers


def test_the_same_networks_for_the_same_seed(transformers):
    one, two, other = (transformers.Generator(seed) for seed in (5, 5, 6))
    drawn = [one.network() for _ in range(20)]
    assert drawn == [two.network() for _ in range(20)] != [other.network() for _ in range(20)]


def test_every_kind_of_part_is_drawn(transformers):
    generator = transformers.Generator(0)
    text = " ".join(repr(generator.network()) for _ in range(300))
    kinds = "RMSNorm LayerNorm Causal Window ALiBi RelativeBias Rotary SoftCap Experts SigmoidRouter Parallel ReLU SiLU"
    for kind in (*kinds.split(), "TanhGELU", "Power", "gated=True", "Rotary(width=2)", "norm=RMSNorm()", "biases='VO'"):
        assert kind in text


def test_a_line_of_json_for_each_network(small, capsys):
    assert small.main(["--count", "2", "--first", "3", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["number"] for line in lines] == [3, 4]
    assert {(line["lower"], line["upper"], line["status"]) for line in lines} == {(24, 24, "proven")}
    assert "exponents of an input are independent" in lines[0]["remark"]


def test_what_is_not_proven_is_listed_with_its_reason(transformers, monkeypatch, capsys):
    """Equal scores: keys and queries are the same tensor, so that the score of i and j is that of j and i."""
    heads = Residual(Heads(1, width=2))
    net = algatt.Network(algatt.layers.Tie(heads, {"heads.K_1": "heads.Q_1"}), tokens=2, width=3)
    monkeypatch.setattr(transformers.Generator, "network", lambda self: net)
    assert transformers.main(["--count", "1"]) == 0
    out = capsys.readouterr().out
    assert "over balls" in out


def test_a_lower_bound_above_the_upper_one_is_told(small, monkeypatch, capsys):
    dimension = algatt.dimension
    monkeypatch.setattr(small.algatt, "dimension", lambda net: dataclasses.replace(dimension(net), upper=23))
    assert small.main(["--count", "1", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["contradicted"]


def test_a_symmetry_that_moves_the_function_is_told(small, monkeypatch, capsys):
    def refuse(net):
        raise SymmetryError("rescaling moves the function")

    monkeypatch.setattr(small.algatt, "dimension", refuse)
    assert small.main(["--count", "1"]) == 1
    assert "rescaling moves the function" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--count", "0"], ["--seed", "two"], ["--first", "-1"], ["--sizes", "3"]])
def test_bad_arguments(transformers, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        transformers.main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
