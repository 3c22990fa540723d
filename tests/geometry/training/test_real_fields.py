"""Brackets of gradients at a real point, by balls: of networks that read tokens and have exponentials."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields import Elements, FloatBalls, Reals
from algatt.fields.float_ball import balls_around
from algatt.geometry.dimensions.real_point import numbered_inputs
from algatt.geometry.training.brackets.gradient_algebra import bracket, gradient_algebra, pairs
from algatt.geometry.training.brackets.gradient_fields import fields_of
from algatt.geometry.training.brackets.real_fields import BallSpace, RealFields
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Linear,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
    Unembedding,
)
from algatt.maps import pull_back
from training_networks import NETWORKS

HEADS = Heads(1, width=2, mask=Causal())

READERS = {
    "softmax": Embedding(4, 3) >> Residual(Heads(1, width=2)) >> Unembedding(4),
    "two layers": Embedding(4, 3) >> Residual(HEADS) >> Residual(HEADS) >> Unembedding(4),
    "positions": Embedding(4, 3) >> LearnedPosition() >> Residual(LayerNorm() >> HEADS) >> Unembedding(4),
    "Llama": Embedding(5, 3)
    >> Residual(RMSNorm() >> HEADS)
    >> Residual(RMSNorm() >> Feedforward(2, SiLU(), gated=True))
    >> Unembedding(5),
    "GELU": Embedding(5, 3) >> Residual(HEADS) >> Residual(Feedforward(2, GELU(), bias=True)) >> Unembedding(5),
    "ReLU": Embedding(5, 3) >> Residual(HEADS) >> Residual(Feedforward(2, ReLU())) >> Unembedding(5),
}


@pytest.mark.parametrize("name", READERS)
def test_readers_of_tokens_are_proven_complete(name: str) -> None:
    laws = algatt.conservation_laws(algatt.Network(READERS[name], tokens=3))
    assert (laws.missing, laws.status, laws.reason) == (0, "proven", None)
    # the norms have an epsilon, of which floats prove too little
    assert str(laws.field) == ("RR (balls of 128 bits)" if name == "Llama" else "RR (balls in float64)")
    assert laws.independent > 0


@pytest.mark.parametrize("name", NETWORKS)
def test_ranks_are_those_modulo_a_prime(name: str) -> None:
    arch = NETWORKS[name]
    target = arch.parameters - len(algatt.conservation_laws(arch, complete=False))
    real, modular = (
        gradient_algebra(fields, target) for fields in (RealFields(arch, 0, FloatBalls()), fields_of(arch, 1))
    )
    assert real.rank == modular.rank == target


@pytest.mark.parametrize("name", ["softmax", "gelu", "gated", "layer norm"])
def test_hessian_matrices_and_jacobi(name: str) -> None:
    """Balls around u H v - v H u, and around the cyclic sum of brackets, contain zero; H u is a difference quotient of
    gradients.
    """
    arch = NETWORKS[name]
    fields, base = RealFields(arch, 0, FloatBalls()), FloatBalls()
    numbers = np.arange(3)
    gradients = fields.at(numbers, fields.point)[0]
    u, v = gradients[:2]
    (Hu,), (Hv,) = (fields.at(numbers[2:], np.concatenate([fields.point, w[None]]))[1] for w in (u, v))
    products = [verbs.product(base, one[None], other[:, None]) for one, other in ((Hu, v), (Hv, u))]
    difference = verbs.add(base, products[0], verbs.negate(base, products[1]))
    assert np.all(np.abs(difference["mid"]) <= difference["rad"])
    assert np.all(np.abs(products[0]["mid"]) > products[0]["rad"])
    assert np.allclose(pairs(fields, 0, 2)["mid"][0], bracket(fields, (0, 1), fields.point)["mid"][0], rtol=1e-12)
    cyclic = [bracket(fields, word, fields.point)[0] for word in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
    total = verbs.add(base, verbs.add(base, cyclic[0], cyclic[1]), cyclic[2])
    assert np.all(np.abs(total["mid"]) <= total["rad"])
    R, step = Reals(), 1e-5
    inputs = verbs.decode(base, numbered_inputs(fields.arch, fields.balls, fields.seed, numbers[2:]).raw).astype(float)
    slopes = Elements(R, fields.cotangents(numbers[2:])["mid"])
    ends = [
        pull_back(
            arch,
            algatt.unflatten(arch, algatt.Weights, fields.point["mid"][0] + sign * step * u["mid"]),
            Elements(R, inputs),
            slopes,
        ).raw[0]
        for sign in (1, -1)
    ]
    assert np.allclose((ends[0] - ends[1]) / (2 * step), Hu["mid"], rtol=1e-5, atol=1e-5 * np.abs(Hu["mid"]).max())


@pytest.mark.parametrize("rank", [0, 1, 3, 6])
def test_no_rank_is_proven_that_a_matrix_inside_has_not(rank: int) -> None:
    """Integer matrices of known rank, exact and with radii."""
    generator = np.random.default_rng(rank)
    M = (generator.integers(-9, 10, (12, rank)) @ generator.integers(-9, 10, (rank, 8))).astype(np.float64)
    for radius in (0.0, 1e-12):
        space = BallSpace(8)
        gained = [space.add(Elements(FloatBalls(), balls_around(part, radius))) for part in (M[:5], M[5:])]
        assert sum(gained) == space.rank == rank
    wide = BallSpace(8)
    wide.add(Elements(FloatBalls(), balls_around(M, 2 * np.abs(M).max() + 1)))
    assert wide.rank == 0


def test_without_a_value_nothing_is_known() -> None:
    """A norm of one number without an epsilon divides by zero."""
    laws = algatt.conservation_laws(algatt.Network(Linear(1) >> LayerNorm(eps=0), tokens=1, width=2))
    assert (laws.rank, laws.missing, laws.field, laws.status) == (None, None, None, "probable")
    assert "real" in str(laws.reason)
