"""Real points at which derivatives keep their digits."""

from __future__ import annotations

import pytest

import algatt
from algatt.fields import Balls, FloatBalls
from algatt.geometry.dimensions.real_point import ball_weights, powers_before_norms, scales_of
from algatt.layers import Causal, Embedding, Feedforward, Heads, LearnedPosition, Residual, RMSNorm, SiLU, Unembedding


def reader(eps: float, *, normed: bool = False, position: bool = False, behind: bool = False) -> algatt.Network:
    """Return a transformer that reads tokens."""
    heads = Heads(2, width=2, mask=Causal(), norm=RMSNorm(eps) if normed else None)
    attention = RMSNorm(eps) >> heads >> RMSNorm(eps) if behind else RMSNorm(eps) >> heads
    chain = Embedding(9, 4) >> LearnedPosition() if position else Embedding(9, 4)
    chain = chain >> Residual(attention) >> Residual(RMSNorm(eps) >> Feedforward(2, SiLU(), gated=True))
    return algatt.Network(chain >> RMSNorm(eps) >> Unembedding(9), tokens=2)


@pytest.mark.parametrize(
    ("net", "powers"),
    [
        (reader(2.0**-20), {"embedding.E": 6}),
        (reader(2.0**-12), {"embedding.E": 2}),
        (reader(2.0**-2), {"embedding.E": 0}),
        (reader(0), {}),
        (reader(2.0**-20, position=True), {"embedding.E": 6, "position.P": 6}),
        (
            reader(2.0**-20, normed=True),
            dict.fromkeys(["embedding.E", *(f"heads.{a}_{h}" for a in "QK" for h in (1, 2))], 6),
        ),
        (reader(2.0**-20, behind=True), {"embedding.E": 6, "heads.O_1": 6, "heads.O_2": 6}),
        (algatt.Network(Residual(RMSNorm(2.0**-20) >> Heads(1)), tokens=2, width=3), {}),
    ],
    ids=["epsilon", "larger", "large", "none", "positions", "queries and keys", "behind", "vectors"],
)
def test_what_is_normed_is_small_beside_the_epsilon(net, powers):
    assert powers_before_norms(net) == powers
    plain = scales_of(reader(0))
    if set(powers) == {"embedding.E"}:
        assert [a - b for a, b in zip(plain, scales_of(net), strict=True)] == [
            powers["embedding.E"],
            *[0] * (len(plain) - 1),
        ]


def test_weights_are_exact_in_floats():
    net = reader(2.0**-20)
    floats, arb = (ball_weights(net, field, 3) for field in (FloatBalls(), Balls(53)))
    for one, other in zip(floats.elements, arb.elements, strict=True):
        assert not one.raw["rad"].any()
        assert one.raw["mid"].tolist() == [[float(entry) for entry in row] for row in other.raw.tolist()]


def test_floats_prove_what_took_balls_of_more_bits():
    report = algatt.dimension(reader(1e-6))
    assert (report.status, report.field) == ("proven", FloatBalls())
