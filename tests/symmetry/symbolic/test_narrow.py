"""Parts that are one row wide, whose matrices are numbers, and networks of which a smaller one is not like the rest."""

import pytest

import algatt
from algatt import Network
from algatt.layers import (
    AcrossHeads,
    Concatenate,
    EncoderDecoder,
    Feedforward,
    Heads,
    LatentHeads,
    LayerScale,
    Linear,
    Residual,
    RMSNorm,
    SiLU,
    Tie,
)
from algatt.symmetry import symbolic_symmetries

PLAIN = RMSNorm(gain=False)
LATENT = Network(Residual(LatentHeads(1, 3, 1, 1, value_width=1, norm=PLAIN)), tokens=2, width=3)
"""O(3) on the latent vectors, and a number for keys, for shared keys, and for values: 6 of 27 parameters."""


def test_numbers_below_each_other_stay_joined_to_those_of_queries():
    answer = symbolic_symmetries(LATENT)
    assert (answer.parameters, answer.upper, answer.free) == (27, 27 - 3 - 1 - 1 - 1, True)


def test_the_bound_of_narrow_latent_heads_is_not_below_the_dimension():
    report = algatt.dimension(LATENT)
    assert report.status == "proven"
    assert report.lower == symbolic_symmetries(LATENT).upper


@pytest.mark.parametrize(
    "layer",
    [
        LatentHeads(2, 2, 1, 1, value_width=1, query_latent=2, bias=True),
        LatentHeads(1, 2, 2, 1, value_width=1),  # a number below a matrix
        Heads(2, width=1, norm=AcrossHeads(PLAIN)),
        Heads(3, key_heads=1, width=1, norm=AcrossHeads(RMSNorm()), biases="QK"),
    ],
    ids=str,
)
def test_dimensions_of_narrow_heads(layer, exact):
    net = Network(Residual(layer), tokens=2, width=2)
    answer = symbolic_symmetries(net)
    dimension, orbit = exact(net)
    assert answer.dimension <= dimension
    assert answer.orbit <= orbit
    assert not answer.complete or answer.orbit == orbit


def test_numbers_that_move_from_one_part_to_another_come_to_rest():
    net = Network(Residual(Concatenate(Linear(1), Linear(1)) >> LayerScale()), tokens=2, width=2)
    assert 4 <= symbolic_symmetries(net).upper <= 6  # X + diag(g) W X depends on the four numbers of diag(g) W


@pytest.mark.parametrize("ties", [{"heads.O_2": "heads.O_3"}, {"heads.Q_5": "heads.Q_1", "heads.K_2": "heads.Q_2"}])
def test_heads_that_are_tied_are_not_like_others(ties, exact):
    net = Network(Tie(Residual(Heads(5, width=1)), ties), tokens=2, width=2)
    answer = symbolic_symmetries(net)
    assert answer.complete
    assert (answer.dimension, answer.orbit) == exact(net)


def test_heads_that_are_tied_in_all_blocks(exact):
    ties = {f"{number}.heads.Q_2": "1.heads.Q_2" for number in (2, 3)}
    net = Network(Tie(3 * Residual(Heads(4, width=1)), ties), tokens=2, width=2)
    assert symbolic_symmetries(net).orbit == exact(net)[1]


def test_stacks_that_nothing_reads():
    block = Residual(RMSNorm() >> Feedforward(2, SiLU()))
    net = Network(EncoderDecoder(3 * block, Linear(2)), tokens=4, width=2)
    assert symbolic_symmetries(net).upper >= 4  # all that the function depends on is the matrix of the decoder
