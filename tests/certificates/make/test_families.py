"""The families of certificates: the verifier accepts them, they span what the package finds, and no leaf may change."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import algatt
from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.make.families import claims_of_symmetry, dense, families_of, tangents_of_claim
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier.claims import network_of
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.program import parse
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.fields.trace import line
from algatt.geometry.dimensions.bounds import upper_bound
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
from algatt.testing import examples
from moved_programs import moves

NORMS = [
    algatt.Network(block, tokens=3, width=4)
    for block in (
        2 * (Residual(RMSNorm() >> Heads(2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(5))),
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
    for score in (Affine(1, 1), Power(2))
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


def parsed(net: Architecture) -> Any:
    return parse([line(one) for one in verbs.program(net).instructions])


def shapes(net: Architecture) -> dict[str, tuple[int, int]]:
    return {name: (shape[0], shape[1]) for name, shape in verbs.coordinates(net).items()}


def is_accepted(claim: dict[str, Any], net: Architecture) -> bool:
    """Return whether the verifier accepts a family."""
    network = network_of(claims_of_network(net))
    try:
        return directions_of("family", {"removes": 0, **claim}, network).refutation(network) is None
    except Refused:
        return False


def span(field: PrimeField, width: int, *matrices: Elements) -> int:
    """Return the rank of matrices below each other."""
    space = RowSpace(field, width)
    for matrix in matrices:
        space.add(matrix)
    return space.rank


@pytest.mark.parametrize("net", ALL, ids=repr)
def test_families_are_accepted_and_span_what_the_package_finds(net: Architecture) -> None:
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=1)
    for family in verbs.symmetries(net):
        of_package = family.tangent_elements(theta)
        claims = list(claims_of_symmetry(family, verbs.program(net), parsed(net), shapes(net)))
        matrices = []
        for claim in claims:
            assert claim["by"] == "theorem" or is_accepted(claim, net)
            matrices += dense(tangents_of_claim(family, claim, parsed(net), shapes(net), theta), theta)
        ranks = [span(theta.field, net.parameters, *some) for some in ([of_package], matrices, [of_package, *matrices])]
        assert len(set(ranks)) == 1, family.name


@pytest.mark.parametrize("net", ALL, ids=repr)
def test_the_minor_is_what_the_file_says(net: Architecture) -> None:
    """By FLINT, of the tangents of the claims as they stand in the file; as many as the package finds."""
    flint = pytest.importorskip("flint")
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    claims, minor = families_of(net, theta)
    rows = []
    for claim in claims:
        tangents = claim.get("tangents")
        if tangents is not None:
            rows += [dict(zip(flat[::2], flat[1::2], strict=True)) for flat in tangents]
        else:
            assert is_accepted(claim, net)
            rows += tangents_of_claim(None, claim, parsed(net), shapes(net), theta)  # type: ignore[arg-type]
    p = PrimeField().p
    entries = [rows[row].get(column, 0) for row in minor.rows for column in minor.columns]
    determinant = int(flint.nmod_mat(len(minor.rows), len(minor.rows), entries, p).det()) if entries else 1
    assert determinant == minor.determinant != 0
    assert sum(claim["removes"] for claim in claims) == len(minor.rows)
    assert net.parameters - len(minor.rows) == upper_bound(net, PrimeField(), theta).value
    assert all(claim["removes"] for claim in claims)
    assert [claim["by"] == "theorem" for claim in claims] == sorted(claim["by"] == "theorem" for claim in claims)


def leaves(claim: dict[str, Any], number_of_tensors: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over claims in which one leaf of what acts on a tensor is another one."""
    for kind in ("axes", "images"):
        for name, parts in claim[kind].items():
            for n, (side, space, coefficient, transposed, gains) in enumerate(parts):
                others: list[tuple[int, Any]] = [
                    (0, "columns" if side == "rows" else "rows"),
                    *((1, other) for other in range(len(claim["spaces"])) if other != space),
                    (2, -Fraction(coefficient)),
                    (2, 2 * Fraction(coefficient)),
                    (2, Fraction(coefficient) / 3),
                    (3, not transposed),
                    (4, [*gains, [0, 1]]),
                    *((4, gains[:k] + gains[k + 1 :]) for k in range(len(gains))),
                    *((4, [*gains[:k], [gains[k][0], -gains[k][1]], *gains[k + 1 :]]) for k in range(len(gains))),
                ]
                for place, value in others:
                    if isinstance(value, Fraction):
                        value = value.numerator if value.denominator == 1 else str(value)
                    wrong = copy.deepcopy(claim)
                    wrong[kind][name][n][place] = value
                    yield f"{kind} {name} {n} {place} {value}", wrong
            wrong = copy.deepcopy(claim)
            del wrong[kind][name]
            yield f"{kind} without {name}", wrong


@pytest.mark.parametrize("net", [*examples(Architecture), *NORMS, *TOKENS, *BIASES], ids=repr)
def test_a_leaf_that_changes_is_refused_or_makes_another_symmetry(net: Architecture) -> None:
    """Where scores do not see the length of keys, say, a wrong power of a number is a symmetry as well: the verifier
    says so, and the value stays, by differences. Its tangents are others, so that the minor is refuted.
    """
    claims, _ = families_of(net, algatt.sample(net, Weights, field=PrimeField(), seed=0))
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=1)
    lines = [line(one) for one in verbs.program(net).instructions]
    for claim in claims:
        if claim["by"] != "types":
            continue
        tangents = tangents_of_claim(None, claim, parsed(net), shapes(net), theta)  # type: ignore[arg-type]
        for what, wrong in leaves(claim, len(shapes(net))):
            if is_accepted(wrong, net):
                assert not moves(lines, wrong), f"{claim['name']}: {what}"
                others = tangents_of_claim(None, wrong, parsed(net), shapes(net), theta)  # type: ignore[arg-type]
                assert others != tangents, f"{claim['name']}: {what}"


@pytest.mark.parametrize("net", [*ALL, *BIASES], ids=repr)
def test_entries_that_are_not_listed_are_seen(net: Architecture) -> None:
    for family in verbs.symmetries(net):
        for claim in claims_of_symmetry(family, verbs.program(net), parsed(net), shapes(net)):
            if claim["by"] == "unseen":
                ((name, places),) = claim["entries"].items()
                height, width = shapes(net)[name]
                for place in ([i, j] for i in range(height) for j in range(width)):
                    assert is_accepted({**claim, "entries": {name: [place]}}, net) == (place in places)
