"""The script that holds the symmetries of random networks against exact ranks."""

from __future__ import annotations

from fractions import Fraction

import pytest

import algatt
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.witness import Witness
from algatt.layers import Exponential, Feedforward, Heads, Linear, Power, Residual, Unnormalized

NET = algatt.Network(Residual(Feedforward(2, Power(2))), tokens=2, width=3)
"""A network of dimension 10: 12 parameters, and two neurons that are rescaled."""


def rows_of(out: str) -> dict[str, str]:
    """Return the numbers of the first table by their headings."""
    lines = out.partition("unexplained directions")[0].splitlines()
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    return dict(cells)


@pytest.mark.parametrize("mode", [[], ["--odd"]])
def test_no_bound_is_contradicted(script, capsys, mode):
    assert script("random_networks").main(["--ring", "--count", "6", "--seed", "3", *mode]) == 0
    counts = rows_of(capsys.readouterr().out)
    assert counts["contradicted"] == "0"
    assert sum(int(count) for count in counts.values()) == 6


@pytest.mark.sample(0)
@pytest.mark.parametrize("mode", [["--ring", "--count", "25"], ["--ring", "--odd", "--count", "15"], ["--count", "8"]])
def test_the_witness_is_not_below_a_proven_dimension_and_is_most(script, capsys, mode):
    assert script("random_networks").main(["--witness", "--seed", "3", *mode]) == 0
    counts = {heading: int(count) for heading, count in rows_of(capsys.readouterr().out).items()}
    assert "witness below a proven dimension" not in counts
    assert counts["witness at a proven dimension"] >= 0.9 * counts["proven"] - 1


def test_a_witness_below_a_proven_dimension_is_told(script, capsys, monkeypatch):
    monkeypatch.setattr(Question, "witness", Witness(9, (0,), (7,), 0.5))
    monkeypatch.setattr(script("random_networks").Generator, "network", lambda self: NET)
    assert script("random_networks").main(["--witness", "--count", "1"]) == 1
    out = capsys.readouterr().out
    assert rows_of(out)["witness below a proven dimension"] == rows_of(out)["contradicted"] == "1"
    assert "witness below 10" in out


def test_the_same_networks_for_the_same_seed(script):
    kind = script("random_networks").Generator
    one, two, other = (kind(seed, False, True) for seed in (5, 5, 6))
    drawn = [one.network() for _ in range(20)]
    assert drawn == [two.network() for _ in range(20)] != [other.network() for _ in range(20)]


def test_every_layer_and_slot_is_drawn(script):
    from algatt.layers.catalogue import catalogue

    generator = script("random_networks").Generator(0, False, True)
    text = " ".join(repr(generator.network()) for _ in range(400))
    left_out = {"Chain", "Stack", "AcrossHeads"}  # the first two are printed as >> and *
    # layers of encoders and decoders, state spaces, latent heads and the weightings of other papers are not drawn yet
    left_out |= {"Convolution", "CrossHeads", "DepthwiseConvolution", "DifferentialHeads", "EncoderDecoder"}
    left_out |= {"FeatureMap", "LatentHeads", "Product", "Retention", "SelectiveScan", "Sigmoid", "Sink"}
    left_out |= {"SinusoidalPosition", "Softplus", "ReadAs"}  # the last one is that of an unembedding elsewhere
    missing = {entry.name for entry in catalogue() if f"{entry.name}(" not in text} - left_out
    assert missing <= {"Exponential", "Logits", "SoftmaxRouter"}  # what is there unless given is not printed


def test_a_bound_that_is_too_small_is_told(script, capsys, monkeypatch):
    random_networks = script("random_networks")
    monkeypatch.setattr(random_networks.Generator, "network", lambda self: NET)
    monkeypatch.setattr(random_networks, "examine", lambda net: random_networks.Outcome(net, 11, 10))
    assert random_networks.main(["--count", "1"]) == 1
    out = capsys.readouterr().out
    assert rows_of(out)["contradicted"] == "1"
    assert "rank 11 above 10" in out


def test_tensors_that_are_moved_although_floats_overflow(script):
    """X + W X is a product with 1 + W; the exponentials of large scores overflow at some inputs."""
    large = Residual(Linear(2)) >> Linear(2) >> Heads(1, width=1, score=Unnormalized(Exponential(Fraction(1, 1000))))
    net = algatt.Network(large, tokens=2, width=2)
    moved = script("random_networks").moved_over_reals(net)
    assert moved
    assert set(moved) <= {"W", "Q", "K", "V", "O"}


@pytest.mark.parametrize("arguments", [["--count", "0"], ["--seed", "two"], ["--seed", "-1"], ["--sizes", "3"]])
def test_bad_arguments(script, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        script("random_networks").main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
