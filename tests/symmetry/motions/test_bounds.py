"""Motions on many networks: each leaves the value as it is, they are as many as other families find together or more,
and no exact rank is above the bound.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from algatt import Network, PrimeField, Weights, verbs
from algatt.fields import Elements
from algatt.layers import (
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Logits,
    MeanToken,
    Power,
    Probabilities,
    Residual,
    RMSNorm,
    SigmoidRouter,
    Unembedding,
)
from algatt.published.fields import values_of
from algatt.published.known import CONFIGS
from algatt.published.scaled_proofs import shipped_proofs, small_network
from algatt.symmetry import CompositeSymmetry, QuadraticForm, StretchSymmetry, UnseenDirections, UnseenSymmetry
from motions_oracle import motion_tangents, motions_bound
from random_programs import inputs_with_values, random_network

FIELD = PrimeField(8388593)


def rank(arrays: list[Elements]) -> int:
    rows = [one.raw for one in arrays if one.raw.size]
    return int(verbs.rank(Elements(FIELD, np.concatenate(rows)))) if rows else 0


def check_program(net: Network, seed: int) -> None:
    theta = verbs.sample(net, Weights, field=FIELD, seed=seed)
    motions = motion_tangents(net, theta)
    values = verbs.jacobian(net, theta, inputs_with_values(net, FIELD, theta))
    assert not (values @ motions.T).raw.any()
    families = verbs.symmetries(net)
    kinds = CompositeSymmetry | QuadraticForm | StretchSymmetry | UnseenDirections | UnseenSymmetry
    hidden = [one.tangent_elements(theta) for one in families if isinstance(getattr(one, "family", one), kinds)]
    together = [one.tangent_elements(theta) for one in families]
    assert rank(together) <= rank([motions, *hidden]) <= net.parameters - rank([values])


@pytest.mark.parametrize("seed", range(1000, 1030))
def test_random_programs(seed):
    check_program(random_network(seed), seed)


@pytest.mark.parametrize("seed", range(1100, 1115))
def test_random_heads(seed):
    check_program(random_network(seed, "heads"), seed)


@pytest.mark.parametrize("seed", range(1200, 1210))
def test_random_streams(seed):
    check_program(random_network(seed, "add", "neurons"), seed)


LARGEST = 200
"""Rows of published proofs with at most this number of parameters are compared; the others by hand."""

MODELS = {path.stem.replace("_", ""): path for path in CONFIGS.glob("*.json")}
PROOFS = {
    (one.model_type, tuple(one.sizes.items()), one.eps, one.reading): one
    for one in shipped_proofs()
    if one.parameters <= LARGEST and one.model_type not in ("olmo2", "dinov2")  # several models under one name
}


@pytest.mark.parametrize("key", PROOFS, ids=lambda key: f"{key[0]} {key[3]}")
def test_published_architectures(key):
    proof = PROOFS[key]
    name = "".join(letter for letter in proof.model.rpartition("/")[2].lower() if letter.isalnum())
    path = next(path for stem, path in MODELS.items() if name in stem or stem in name)
    values = json.loads(path.read_text())
    reading = Probabilities() if proof.reading == "probabilities" else Logits()
    net = small_network(values_of(values.get("config", values)), proof.sizes, reading, proof.eps)
    assert net.parameters == proof.parameters
    assert motions_bound(net) == proof.upper == proof.lower


EXACT = {
    "biases of norms before matrices without one": (
        Network(Residual(LayerNorm() >> Feedforward(2, Power(2))), tokens=2, width=3),
        10,  # 2 x 2 entries of up * g on centred vectors, 2 of up b, 6 of down, less T(2)
    ),
    "vectors that correct the choice of experts": (
        Network(
            Embedding(5, 2) >> MeanToken() >> Experts(3, Feedforward(1, Power(2)), SigmoidRouter(2, correction=True)),
            tokens=2,
        ),
        21,
    ),
    "tied unembeddings behind a gain": (
        Network(Embedding(5, 2) >> Residual(RMSNorm() >> Heads(1, width=1, mask=Causal())) >> Unembedding(5), tokens=3),
        None,
    ),
    "two matrices": (Network(Linear(2) >> Linear(2), tokens=2, width=3), 6),
}


@pytest.mark.parametrize("name", EXACT)
def test_bounds_of_networks(name):
    net, expected = EXACT[name]
    if expected is not None:
        assert motions_bound(net) == expected
    assert motions_bound(net) <= net.parameters - rank(
        [one.tangent_elements(verbs.sample(net, Weights, field=FIELD, seed=0)) for one in verbs.symmetries(net)]
    )
