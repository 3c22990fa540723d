"""Real points at which derivatives keep their digits."""

from __future__ import annotations

import math

import pytest

import algatt
from algatt import verbs
from algatt.fields import Balls, FloatBalls
from algatt.geometry.dimensions.real_point import ball_weights, powers_before_norms, scales_of
from algatt.layers import (
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LearnedPosition,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
    Unembedding,
)


def reader(
    eps: float, *, normed: bool = False, position: bool = False, behind: bool = False, activation: Layer | None = None
) -> algatt.Network:
    """Return a transformer that reads tokens."""
    heads = Heads(2, width=2, mask=Causal(), norm=RMSNorm(eps) if normed else None)
    attention = RMSNorm(eps) >> heads >> RMSNorm(eps) if behind else RMSNorm(eps) >> heads
    chain = Embedding(9, 4) >> LearnedPosition() if position else Embedding(9, 4)
    chain = chain >> Residual(attention) >> Residual(RMSNorm(eps) >> Feedforward(2, activation or SiLU(), gated=True))
    return algatt.Network(chain >> RMSNorm(eps) >> Unembedding(9), tokens=2)


WRITERS = ["heads.O_1", "heads.O_2", "feedforward.down"]

SCORES = [f"heads.{letter}_{head}" for letter in "QK" for head in (1, 2)]


def powers(first: int, *small: str, behind: int = 8) -> dict[str, int]:
    """Return the powers of an embedding and other small tensors, and of what is added to the stream."""
    return {"embedding.E": first, **dict.fromkeys(small, first), **dict.fromkeys(WRITERS, first + behind)}


@pytest.mark.parametrize(
    ("net", "expected"),
    [
        (reader(2.0**-20), powers(6)),
        (reader(2.0**-12), powers(2)),
        (reader(2.0**-2), powers(0)),
        (reader(0), powers(0)),
        (reader(2.0**-20, position=True), powers(6, "position.P")),
        (reader(2.0**-20, normed=True), powers(6, *SCORES)),
        (reader(2.0**-20, behind=True), {"embedding.E": 6, "heads.O_1": 6, "heads.O_2": 6}),
        (reader(2.0**-20, activation=ReLU()), powers(6, behind=0)),
        (algatt.Network(Residual(RMSNorm(2.0**-20) >> Heads(1)), tokens=2, width=3), {}),
    ],
    ids=["epsilon", "larger", "large", "none", "positions", "queries and keys", "norm behind", "gates", "vectors"],
)
def test_what_is_normed_is_small_beside_the_epsilon_and_what_is_added_beside_that(net, expected):
    assert powers_before_norms(net) == expected
    names = verbs.coordinates(net)
    plain = [round(-math.log2(shape[-1]) / 2) for shape in names.values()]
    found = dict(zip(names, scales_of(net), strict=True))
    assert {name: one - found[name] for name, one in zip(names, plain, strict=True) if name in expected} == expected


def test_weights_are_exact_in_floats():
    net = reader(2.0**-20)
    floats, arb = (ball_weights(net, field, 3) for field in (FloatBalls(), Balls(53)))
    for one, other in zip(floats.elements, arb.elements, strict=True):
        assert not one.raw["rad"].any()
        assert one.raw["mid"].tolist() == [[float(entry) for entry in row] for row in other.raw.tolist()]


def test_floats_prove_what_took_balls_of_more_bits():
    block = Residual(RMSNorm() >> Heads(2, width=2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(4, SiLU()))
    report = algatt.dimension(algatt.Network(Embedding(9, 4) >> 3 * block >> RMSNorm() >> Unembedding(9), tokens=3))
    assert (report.status, report.field) == ("proven", FloatBalls())
