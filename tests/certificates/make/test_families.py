"""Families of symmetries as words: the verifier accepts them, and they span what the package finds."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.make.directions import checked_families, families_of, tangents
from algatt.certificates.make.families import velocities
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.fields import Residues
from algatt.certificates.verifier.network import network_of
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.question import Question
from algatt.layers import (
    Affine,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Power,
    Rational,
    RelativeBias,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Unembedding,
    Unnormalized,
)
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.symmetry.quotients.shifts import ShiftSymmetry
from algatt.testing import examples
from words_oracle import moves
from written_networks import written

NORMS = [
    algatt.Network(block, tokens=3, width=4)
    for block in (
        Residual(RMSNorm() >> Heads(2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(5)),
        Residual(LayerNorm() >> Heads(1, width=2, biases="QKVO")) >> Residual(LayerNorm() >> Feedforward(3, bias=True)),
        Residual(LayerNorm(bias=False) >> Heads(1) >> LayerScale()) >> Residual(Feedforward(3) >> LayerScale()),
        RMSNorm() >> Heads(2, key_heads=1, position=Rotary(), norm=RMSNorm()) >> Linear(3),
        Residual(RMSNorm() >> Feedforward(3, SiLU(), gated=True)) >> RMSNorm() >> Linear(2, bias=True),
        Linear(3, bias=True) >> LayerScale() >> Linear(2),
    )
]

TOKENS = [
    algatt.Network(
        Embedding(5, 4) >> LearnedPosition() >> Residual(LayerNorm() >> Heads(1, width=2)) >> norm >> Unembedding(5),
        tokens=3,
    )
    for norm in (LayerNorm(), RMSNorm())
]

BIASES = [
    algatt.Network(
        Residual(Heads(1, score=Unnormalized(score), position=RelativeBias(4, 4), mask=Causal())), tokens=3, width=3
    )
    for score in (Affine(1, 0), Power(2))
]


def networks() -> Iterator[Architecture]:
    """Iterate over all examples, of layers in a network by themselves, and networks with gains, tokens and biases."""
    yield from examples(Architecture)
    for layer, (width, tokens) in examples(Layer):
        try:
            yield algatt.Network(layer, tokens=tokens, width=None if isinstance(layer, Embedding) else width)
        except InvalidArgument:  # it has no tensors
            continue
    yield from (*NORMS, *TOKENS, *BIASES)


ALL = list(networks())

ALL = list(networks())


@functools.lru_cache
def families(net: Architecture) -> Any:
    """Return the families with words that the verifier accepts, and the others."""
    return checked_families(net)


def refusal(net: Architecture) -> str:
    """Return why there is no certificate of a dimension; nothing if there is one."""
    try:
        families_of(net, 0)
    except InvalidArgument as error:
        return str(error)
    return ""


def span(field: PrimeField, width: int, *matrices: Elements) -> int:
    """Return the rank of matrices below each other."""
    space = RowSpace(field, width)
    for matrix in matrices:
        space.add(matrix)
    return space.rank


@pytest.mark.parametrize("net", ALL, ids=repr)
def test_words_span_what_the_package_finds(net: Architecture) -> None:
    """Each family that has words spans by them what it does by its own tangents."""
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=1)
    _, unchecked = families(net)
    for family in verbs.symmetries(net):
        if family in unchecked:
            continue
        of_package = family.tangent_elements(theta)
        of_words = [tangents(velocity, theta) for velocity in velocities(family)]
        ranks = [span(theta.field, net.parameters, *some) for some in ([of_package], of_words, [of_package, *of_words])]
        assert len(set(ranks)) == 1, (family.name, ranks)


@pytest.mark.parametrize("net", ALL, ids=repr)
def test_no_family_moves_the_value(net: Architecture) -> None:
    """By its gradient at a random point, with no words; and the verifier reads the directions that the package has."""
    network, theta = network_of(claims_of_network(net)), algatt.sample(net, Weights, field=PrimeField(), seed=2)
    residues = Residues(theta.field.p)
    tensors = {
        name: residues.matrix(*shape, map(int, theta.tensors[name].raw.ravel()))
        for name, shape in network.tensors.items()
    }
    for name, velocity in families(net)[0]:
        directions = directions_of("family", velocity.claim(name), network)
        assert not moves(network, directions), name
        for row, moved in zip(tangents(velocity, theta).raw.tolist(), directions.at(residues, tensors), strict=True):
            zeros = {one: [0] * (height * width) for one, (height, width) in network.tensors.items()}
            found = {**zeros, **{one: list(map(int, M.entries())) for one, M in moved.items()}}
            assert row == [x for entries in found.values() for x in entries], name


@pytest.mark.sample(0)
def test_nearly_all_families_have_words() -> None:
    """What has none are entries of scores that cancel, kernels of large or dependent forms, and what is spanned by
    others.
    """
    counts = {True: 0, False: 0}
    for net in ALL:
        found, unchecked = families(net)
        counts[False] += len(unchecked)
        counts[True] += len(found)
    assert counts[False] <= 17
    assert counts[True] > 200


@pytest.mark.sample(7)
@pytest.mark.parametrize("net", [*NORMS, *TOKENS, *BIASES], ids=repr)
def test_the_bound_is_that_of_the_package(net: Architecture) -> None:
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    if refusal(net):  # a shift by vectors in a kernel, which other families do not span
        assert any(isinstance(one, ShiftSymmetry) and one.shift.conditions for one in verbs.symmetries(net))
        return
    claims, columns = families_of(net, 0)
    assert net.parameters - len(columns) == upper_bound(Question(net), PrimeField(), theta).value
    count = 0
    for claim in claims:
        height, width = claim["free"] or (1, 1)
        count += len(claim.get("entries", range(height * width)))
    assert count == len(columns) == len(set(columns))


def blocks(w: Any, X: Elements) -> Elements:
    """Two blocks whose stream is stretched by one direction of 27."""
    S = w.W @ X + w.b
    N = w.a * (S + (w.Q @ S + w.c) * (w.Q @ S + w.c)).centre()
    return (N + (w.Q @ N + w.c) * (w.Q @ N + w.c)).centre()


MIXED = Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized())


@pytest.mark.parametrize(
    ("net", "missing"),
    [
        (algatt.Normalized((3, 3, 3), (1, 2), 3, Power(3)), "'entries of Q_2'"),
        (algatt.Normalized((3, 2, 1), (1, 2), 1, Affine(1, 1)), "'entries of Q_1'"),
        (algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3), "the ambient space"),
    ],
    ids=["equal tokens", "sums over themselves", "ambient space"],
)  # fmt: skip
def test_what_is_not_checked_is_named_before_the_work(
    net: Architecture, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dimension of a network, whose bound would rest on what no verifier checks, is not even computed."""
    monkeypatch.setattr("algatt.certificates.make.dimension.dimension", None)
    with pytest.raises(InvalidArgument, match=f"whose dimension is bounded by .*{missing}"):
        algatt.certify(net)


@pytest.mark.parametrize(
    ("net", "dimension"),
    [
        (algatt.Lightning((2, 3, 2), (2, 2), 2), 10),
        (algatt.Lightning((4, 3, 1), (1, 2), 2), 17),
        (algatt.Normalized((2, 3, 2), (2, 1), 3, Rational((1,), (2, 1))), 11),
    ],
    ids=["narrow result", "quadratic form", "narrow result, quotients"],
)
def test_kernels_and_quadratic_forms_are_said_in_words(net: Architecture, dimension: int) -> None:
    """Dimensions are ranks of Jacobians in floating point."""
    theta = algatt.sample(net, Weights, field=algatt.Reals(), seed=3)
    inputs = np.random.default_rng(0).standard_normal((20, *net.input_shape)) / 2
    verdict = algatt.rank(algatt.jacobian(net, theta, inputs))
    assert (verdict.rank, verdict.gap > 1e9) == (dimension, True)
    certificate = algatt.certify(net)
    assert (certificate.dimension, certificate.status) == (dimension, "proven")
    assert algatt.verify(certificate).ok


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "net",
    [
        algatt.Network(Residual(MIXED), tokens=3, width=4),
        written({"W": (3, 3), "b": (3, 1), "Q": (3, 3), "a": (3, 1), "c": (3, 1)}, blocks),
        algatt.Network(LayerNorm() >> Linear(2), tokens=2, width=3),
        algatt.Network(Residual(Heads(1, width=1, score=Power(2))), tokens=3, width=3),
        algatt.Lightning((5, 4, 1), (2, 1), 2),
    ],
    ids=["mixtures", "stretches", "biases of norms", "powers of scores of rank one", "unseen directions"],
)
def test_what_once_held_by_a_theorem_is_said_in_words(net: Architecture) -> None:
    certificate = algatt.certify(net)
    assert certificate.status == "proven"
    assert algatt.verify(certificate).ok


def test_a_report_that_rests_on_what_is_not_checked_has_no_certificate() -> None:
    report = algatt.dimension(algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3))
    assert (report.value, report.status) == (18, "proven")  # quadratic forms in three variables, in three rows
    with pytest.raises(InvalidArgument, match=r"report .* bounded by the ambient space"):
        algatt.certify(report)


def test_lightning_and_normalised_attention_are_proven_by_their_program() -> None:
    """Proposition 3.1 of HMK and its like: for wide layers nothing else is there."""
    for net in (algatt.Lightning((4, 3, 4), (2, 2), 3), algatt.Softmax((4, 3, 4), (2, 2), 3)):
        assert families(net)[1] == []


def test_the_stream_behind_a_norm_turns_with_the_gain_in_its_readers() -> None:
    """U moves by - U D S D^-1 for skew S, and the vectors by S."""
    net = algatt.Network(Embedding(7, 4) >> RMSNorm() >> Unembedding(7), tokens=2)
    claims, _ = families_of(net, 0)
    by_name = {claim["name"]: claim for claim in claims}
    assert {name: len(one.get("entries", "1234")) for name, one in by_name.items()} == {"norm.g": 4, "stream": 6}
    assert "tensor norm.g  : 4 x 1" in by_name["stream"]["moves"]["unembedding.U"]
