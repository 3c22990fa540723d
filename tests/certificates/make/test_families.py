"""The families of certificates: the verifier accepts them, they span what the package finds, and no leaf may change."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.make.families import (
    check_families,
    checked_families,
    claims_of_symmetry,
    dense,
    families_of,
    tangents_of_claim,
)
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier.claims import Network, network_of
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.limits import Refused
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.geometry.dimensions.ambient import within_ambient_space
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
    RelativeBias,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Unembedding,
    Unnormalized,
)
from algatt.linalg import RowSpace
from algatt.maps import program
from algatt.parameters import Weights
from algatt.programs.trace import line
from algatt.testing import examples
from moved_programs import moves
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
    for score in (Affine(1, 1), Power(2))
]


def refusal(net: Architecture) -> str | None:
    """Say why there is no certificate of a dimension, without computing it."""
    try:
        check_families(net, 0, "net")
    except InvalidArgument as error:
        return str(error)
    return None


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

CERTIFIED = [net for net in ALL if refusal(net) is None]


@functools.lru_cache
def as_read(net: Architecture) -> Network:
    """Return a network as the verifier reads it."""
    return network_of(claims_of_network(net))


def shapes(net: Architecture) -> dict[str, tuple[int, int]]:
    return {name: (shape[0], shape[1]) for name, shape in verbs.coordinates(net).items()}


def is_accepted(claim: dict[str, Any], net: Architecture) -> bool:
    """Return whether the verifier accepts a family."""
    network = as_read(net)
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
    """A shift may be absorbed by a bias, or not by one that nobody sees: there, with all other families."""
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=1)
    of_all = [family.tangent_elements(theta) for family in verbs.symmetries(net)]
    for family in verbs.symmetries(net):
        of_package = family.tangent_elements(theta)
        claims = list(claims_of_symmetry(family, program(net), as_read(net)))
        matrices = []
        if not claims:
            continue
        for claim in claims:
            assert is_accepted(claim, net)
            matrices += dense(tangents_of_claim(claim, as_read(net), theta), theta)
        shifts = any(claim["by"] == "shift" for claim in claims)
        beside = of_all if shifts else []
        assert span(theta.field, net.parameters, of_package) == span(theta.field, net.parameters, *matrices)
        ranks = [
            span(theta.field, net.parameters, *some)
            for some in ([of_package, *beside], [of_package, *beside, *matrices])
        ]
        assert len(set(ranks)) == 1, family.name


@pytest.mark.parametrize("net", CERTIFIED, ids=repr)
def test_the_minor_is_what_the_file_says(net: Architecture) -> None:
    """By FLINT, of the tangents of the claims as they stand in the file; as many as the package finds."""
    flint = pytest.importorskip("flint")
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    claims, minor = families_of(net, theta)
    rows = []
    for claim in claims:
        assert is_accepted(claim, net)
        rows += tangents_of_claim(claim, as_read(net), theta)
    p = PrimeField().p
    entries = [rows[row].get(column, 0) for row in minor.rows for column in minor.columns]
    determinant = int(flint.nmod_mat(len(minor.rows), len(minor.rows), entries, p).det()) if entries else 1
    assert determinant == minor.determinant != 0
    assert sum(claim["removes"] for claim in claims) == len(minor.rows)
    assert net.parameters - len(minor.rows) == upper_bound(Question(net), PrimeField(), theta).value
    assert all(claim["removes"] for claim in claims)


def leaves(claim: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
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


@pytest.mark.parametrize(
    "net", [net for net in CERTIFIED if net in (*examples(Architecture), *NORMS, *TOKENS, *BIASES)], ids=repr
)
def test_a_leaf_that_changes_is_refused_or_makes_another_symmetry(net: Architecture) -> None:
    """Where scores do not see the length of keys, say, a wrong power of a number is a symmetry as well: the verifier
    says so, and the value stays, by differences. Its tangents are others, so that the minor is refuted.
    """
    claims, _ = families_of(net, algatt.sample(net, Weights, field=PrimeField(), seed=0))
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=1)
    lines = [line(one) for one in program(net).instructions]
    for claim in claims:
        if claim["by"] != "types":
            continue
        tangents = tangents_of_claim(claim, as_read(net), theta)
        for what, wrong in leaves(claim):
            if is_accepted(wrong, net):
                assert not moves(lines, wrong), f"{claim['name']}: {what}"
                others = tangents_of_claim(wrong, as_read(net), theta)
                assert others != tangents, f"{claim['name']}: {what}"


@pytest.mark.parametrize("net", [*ALL, *BIASES], ids=repr)
def test_entries_that_are_not_listed_are_seen(net: Architecture) -> None:
    for family in verbs.symmetries(net):
        for claim in claims_of_symmetry(family, program(net), as_read(net)):
            if claim["by"] == "unseen":
                ((name, places),) = claim["entries"].items()
                height, width = shapes(net)[name]
                for place in ([i, j] for i in range(height) for j in range(width)):
                    assert is_accepted({**claim, "entries": {name: [place]}}, net) == (place in places)


@pytest.mark.parametrize("net", [net for net in ALL if net not in CERTIFIED], ids=repr)
def test_what_has_no_certificate_has_a_bound_that_families_do_not_give(net: Architecture) -> None:
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    claims, _ = checked_families(net, as_read(net))
    rank = span(
        theta.field,
        net.parameters,
        *(d for c in claims for d in dense(tangents_of_claim(c, as_read(net), theta), theta)),
    )
    upper = within_ambient_space(net, upper_bound(Question(net), PrimeField(), theta))
    assert upper.value < net.parameters - rank


def blocks(w: Any, X: Elements) -> Elements:
    """Two blocks whose stream is stretched by one direction of 27."""
    S = w.W @ X + w.b
    N = w.a * (S + (w.Q @ S + w.c) * (w.Q @ S + w.c)).centre()
    return (N + (w.Q @ N + w.c) * (w.Q @ N + w.c)).centre()


MIXED = Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized())


@pytest.mark.parametrize(
    ("net", "missing"),
    [
        (algatt.Lightning((2, 2, 2), (1, 2), 2), "'parallel tokens'"),
        (algatt.Network(Residual(MIXED), tokens=3, width=4), "'mixture of"),
        (algatt.Network(Residual(Heads(1, width=1, score=Power(2))), tokens=3, width=3), "'entries of heads.Q_1'"),
        (written({"W": (3, 3), "b": (3, 1), "Q": (3, 3), "a": (3, 1), "c": (3, 1)}, blocks), "'stretch"),
        (algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3), "the ambient space"),
    ],
    ids=["parallel tokens", "mixtures", "rows", "stretches", "ambient space"],
)  # fmt: skip
def test_what_is_not_checked_is_named_before_the_work(
    net: Architecture, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dimension of a network, whose bound would rest on what no verifier checks, is not even computed."""
    monkeypatch.setattr(verbs, "dimension", None)
    with pytest.raises(InvalidArgument, match=f"whose dimension is bounded by .*{missing}"):
        algatt.certify(net)


def test_a_report_that_rests_on_what_is_not_checked_has_no_certificate() -> None:
    report = algatt.dimension(algatt.Network(Feedforward(7, Power(2)), tokens=1, width=3))
    assert (report.value, report.status) == (18, "proven")  # quadratic forms in three variables, in three rows
    with pytest.raises(InvalidArgument, match=r"report .* bounded by the ambient space"):
        algatt.certify(report)


def test_lightning_and_normalised_attention_are_proven_by_their_program() -> None:
    """Proposition 3.1 of HMK and its like: for wide layers nothing else is there."""
    for net in (algatt.Lightning((4, 3, 4), (2, 2), 3), algatt.Softmax((4, 3, 4), (2, 2), 3)):
        assert checked_families(net, as_read(net))[1] == []


def test_the_stream_behind_a_norm_turns_with_the_gain_in_its_readers() -> None:
    """Proven in the program with its gains: U moves by - U D S D^-1 for skew S, and the vectors by S."""
    net = algatt.Network(Embedding(7, 4) >> RMSNorm() >> Unembedding(7), tokens=2)
    claims, _ = families_of(net, algatt.sample(net, Weights, field=PrimeField(), seed=0))
    by_name = {claim["name"]: claim for claim in claims}
    assert {name: claim["removes"] for name, claim in by_name.items()} == {"norm.g": 4, "stream": 6}
    gain = next(k for k, one in enumerate(as_read(net).program) if one.argument == "norm.g")
    ((side, _, _, _, gains),) = by_name["stream"]["axes"]["unembedding.U"]
    assert (side, gains) == ("columns", [[gain, 1]])


def test_where_a_gain_is_zero_nothing_is_claimed_that_divides_by_it() -> None:
    net = algatt.Network(Embedding(7, 4) >> RMSNorm() >> Unembedding(7), tokens=2)
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    tensors = dict(theta.tensors)
    tensors["norm.g"] = tensors["norm.g"] * np.array([[0], [1], [1], [1]])
    theta = theta.replace([tensors[name] for name in theta.names()])
    claims, minor = families_of(net, theta)
    assert [claim["name"] for claim in claims] == ["norm.g"]
    assert net.parameters - len(minor.rows) == upper_bound(Question(net), PrimeField(), theta).value


def test_families_are_made_at_weights_over_a_prime_field() -> None:
    net = algatt.Network(Linear(2), tokens=2, width=3)
    with pytest.raises(InvalidArgument, match="over a PrimeField"):
        families_of(net, algatt.sample(net, Weights, field=algatt.Reals()))
