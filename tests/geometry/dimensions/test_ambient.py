"""The upper bound by the ambient space: the numbers of monomials, and the ranks of values at many points."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.fields.spans import Spanned
from algatt.fields.spans.forms import Monomial
from algatt.geometry.dimensions.ambient import ambient_dimension, dimension_of, within_ambient_space
from algatt.geometry.dimensions.evidence import Minor, UpperBound
from algatt.geometry.dimensions.witness import witness_of
from algatt.layers import (
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    Linear,
    Power,
    ReLU,
    Residual,
    Rotary,
    Unembedding,
    Unnormalized,
)
from algatt.testing import examples


def network(layers: Layer, tokens: int = 1, width: int | None = 3) -> algatt.Network:
    return algatt.Network(layers, tokens=tokens, width=width)


def monomials(degree: int, variables: int) -> int:
    """Return the number of monomials of a degree."""
    return comb(variables + degree - 1, degree)


@pytest.mark.parametrize(
    ("arch", "dimension"),
    [
        (network(Feedforward(7, Power(2))), 3 * monomials(2, 3)),
        (network(Feedforward(7, Power(2)), tokens=4), 3 * monomials(2, 3)),  # each token by itself
        (network(Residual(Feedforward(7, Power(2)))), 3 * monomials(2, 3)),  # the stream is fixed
        (network(Feedforward(30, Power(3))), 3 * monomials(3, 3)),
        (network(Feedforward(20, Power(2), bias=True)), 3 * monomials(2, 4)),  # degrees 0 to 2
        (network(Feedforward(9, Power(1), gated=True)), 3 * monomials(2, 3)),  # two factors x
        (network(Heads(6, score=Unnormalized(), width=2), width=2), 2 * monomials(3, 2)),  # one token
        # with two tokens or more, x_i^T x_j and x_k: a symmetric matrix and a vector for each row
        (network(Heads(6, score=Unnormalized(), width=2), width=2, tokens=2), 2 * monomials(2, 2) * 2),
        (network(Linear(2)), 6),
    ],
)
def test_all_functions_lie_in_a_space_of_monomials(arch: algatt.Network, dimension: int) -> None:
    report = algatt.dimension(arch)
    assert ambient_dimension(arch) == dimension
    assert (report.value, report.upper, report.status) == (dimension, dimension, "proven")
    assert report.parameters - sum(family.removes for family in report.symmetries) == dimension
    witness = witness_of(arch, (), 0)  # which is no proof
    assert witness is not None
    assert witness.value == dimension


def test_the_bound_says_on_what_it_rests() -> None:
    report = algatt.dimension(network(Feedforward(7, Power(2))))
    assert [(family.name, family.removes, family.basis) for family in report.symmetries] == [
        ("feedforward.hidden", 7, "equivariant"),
        ("ambient space", 17, "ambient"),
    ]
    assert "dimension of the ambient space" in report._repr_html_()


def test_the_bound_of_symmetries_stays_where_it_is_lower() -> None:
    report = algatt.dimension(network(Feedforward(2, Power(2))))
    assert (report.value, report.status) == (10, "proven")  # 2 (3 + 3) less a factor for each neuron
    assert {family.basis for family in report.symmetries} == {"equivariant"}


@pytest.mark.parametrize(
    "arch",
    [
        network(Feedforward(3, ReLU())),
        network(Heads(1, score=Unnormalized(), width=4, position=Rotary()), tokens=2),
        network(Heads(1), tokens=2),
        algatt.Network(100 * Residual(Heads(1, score=Unnormalized())), tokens=3, width=3),
    ],
    ids=["gates", "turns", "softmax", "deep"],
)
def test_where_nothing_is_known_there_is_no_bound(arch: algatt.Network) -> None:
    assert ambient_dimension(arch) is None


def span_of_values(arch: algatt.architectures.Architecture, points: int) -> int:
    """Return the dimension of the space of differences of values at random weights, modulo a prime: no more than that
    of any space in which all functions lie.
    """
    field = algatt.PrimeField()
    X = algatt.sample_inputs(arch, field=field, seed=1, count=points)
    thetas = [algatt.sample(arch, algatt.Weights, field=field, seed=seed) for seed in range(points)]
    values = [np.ravel(algatt.evaluate(arch, theta, X)) for theta in thetas]
    return int(algatt.rank(field.galois(np.array([one - values[0] for one in values[1:]]))))


SMALL: list[algatt.architectures.Architecture] = [
    *(network(Residual(Feedforward(2, Power(2), bias=bias)), width=2) for bias in (False, True)),
    network(2 * Residual(Feedforward(2, Power(2))), width=2),
    network(Heads(2, score=Unnormalized(), mask=Causal(), biases="QKVO"), width=2, tokens=2),
    network(Heads(2, score=Unnormalized(), output=False), width=2, tokens=2),
    network(Heads(2, score=Unnormalized(), output=False) >> Linear(1), width=2, tokens=2),
    network(Linear(1) >> Feedforward(2, Power(3)), width=2),
    network(Embedding(3, 2) >> Residual(Heads(1, score=Unnormalized())) >> Unembedding(3), tokens=2, width=None),
    network(Embedding(2, 2) >> Feedforward(3, Power(2), bias=True) >> Unembedding(2), tokens=1, width=None),
    algatt.Lightning((2, 2), (1,), 2),
    *(arch for arch in examples(algatt.Lightning) if arch.parameters < 12),
]


@pytest.mark.parametrize("arch", SMALL, ids=str)
def test_no_values_span_more(arch: algatt.architectures.Architecture) -> None:
    bound = ambient_dimension(arch)
    assert span_of_values(arch, min(bound + 3, 80)) <= bound


def test_functions_on_finitely_many_tokens() -> None:
    """Of two letters a perceptron may give any value each, but its stream is fixed by none."""
    arch = network(Embedding(2, 4) >> Feedforward(9, Power(2)) >> Unembedding(3), tokens=1, width=None)
    report = algatt.dimension(arch)
    assert (ambient_dimension(arch), report.value, report.status) == (6, 6, "proven")


SIZE = 2


def explicit(value: Spanned) -> list[dict[tuple[int, int, Monomial], Fraction]]:
    """Return matrices that span a space, each generator written out along the axes on which it is free."""
    found = []
    for (down, across), forms in (value.moving or {}).items():
        for form in forms:
            for row, column in itertools.product(range(SIZE) if down else (0,), range(SIZE) if across else (0,)):
                found.append(
                    {
                        (row if down else i, column if across else j, monomial): entry
                        for (i, j, monomial), entry in form.items()
                    }
                )
    return found


def rank_over_rationals(vectors: list[dict[tuple[int, int, Monomial], Fraction]]) -> int:
    """Return the rank, by FLINT."""
    places = sorted({place for vector in vectors for place in vector})
    entries = [flint.fmpq(int(vector.get(place, 0))) for vector in vectors for place in places]
    return int(flint.fmpq_mat(len(vectors), len(places), entries).rank())


def forms(rows: int, columns: int) -> st.SearchStrategy[dict[tuple[int, int, Monomial], Fraction]]:
    places = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1), st.sampled_from([(), (0,)]))
    return st.dictionaries(places, st.sampled_from([Fraction(1), Fraction(-1), Fraction(2)]), min_size=1, max_size=3)


KINDS = list(itertools.product((True, False), repeat=2))


@given(st.tuples(*(st.lists(forms(1 if down else SIZE, 1 if across else SIZE), max_size=2) for down, across in KINDS)))
def test_no_dimension_of_a_space_is_too_small(generators: tuple[list[dict[Any, Fraction]], ...]) -> None:
    moving = {kind: tuple(found) for kind, found in zip(KINDS, generators, strict=True) if found}
    value = Spanned((SIZE, SIZE), {}, moving)
    bound, rank = dimension_of(value), rank_over_rationals(explicit(value))
    assert rank <= bound
    assert bound == rank or len(moving) > 1  # generators of one kind are a basis, when they are reduced


def test_what_freer_generators_span_counts_once() -> None:
    one = Fraction(1)
    everything = {(True, True): ({(0, 0, ()): one},)}
    parts = {
        (True, False): ({(0, 0, ()): one, (0, 1, ()): one},),
        (False, True): ({(1, 0, ()): one},),
        (False, False): ({(0, 1, ()): one},),
    }
    assert dimension_of(Spanned((SIZE, SIZE), {}, everything | parts)) == SIZE * SIZE


def test_an_equal_bound_is_left_to_the_symmetries() -> None:
    upper = UpperBound(18, (), Minor((), (), 1))
    assert within_ambient_space(network(Feedforward(7, Power(2))), upper) is upper
