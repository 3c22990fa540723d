"""Questions at rational points: exact, where floats cannot tell and a prime says nothing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument, UndefinedFunction
from algatt.fields import Balls, Rationals
from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    Linear,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    Unembedding,
    Unnormalized,
)
from algatt.parameters import Weights

FIELD = Rationals()
TINY = Fraction(1, 10**40)

LAYER = algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=3)
DEEP = algatt.Lightning(dims=(2, 3, 2), ranks=(2, 2), tokens=2)
SOFTMAX = algatt.Normalized(dims=(2, 2), ranks=(1,), tokens=2)
HEADS = algatt.Network(Residual(Heads(2, width=1, score=Unnormalized())), tokens=2, width=2)
TOKENS = algatt.Network(Embedding(5, 2) >> Residual(Heads(1, score=Unnormalized())) >> Unembedding(5), tokens=2)
NEURONS = algatt.Network(Linear(3) >> ReLU() >> Linear(2), tokens=1, width=2)
NORM = algatt.Network(Residual(RMSNorm(1) >> Feedforward(2)), tokens=1, width=2)

ALL = [LAYER, DEEP, SOFTMAX, HEADS, TOKENS, NEURONS, NORM]
ALGEBRAIC = [LAYER, DEEP, HEADS, TOKENS]


def point(arch, seed=0):
    return algatt.sample(arch, Weights, field=FIELD, seed=seed)


def moved(arch, theta):
    for family in algatt.symmetries(arch):
        theta = algatt.act(family.element(theta, seed=3), theta)
    return theta


def nudged(theta):
    """Return weights with one entry that is larger by less than floats tell."""
    first, *others = theta.elements
    raw = first.raw.copy()
    raw.flat[0] += FIELD.scalar(TINY)
    return theta.replace([algatt.fields.Elements(FIELD, raw), *others])


def as_residues(theta, field):
    """Return weights modulo p."""
    return theta.replace(
        [
            algatt.fields.Elements.of(
                field,
                np.array([int(x.p) * pow(int(x.q), -1, field.p) % field.p for x in one.raw.flat]).reshape(one.shape),
            )
            for one in theta.elements
        ]
    )


def test_samples_are_exact_numbers_between_minus_two_and_two():
    entries = [entry for one in point(DEEP).elements for entry in one.raw.flat]
    assert all(-2 < entry < 2 and entry.q == 2**63 for entry in entries)
    assert len(set(map(str, entries))) == len(entries)
    balls = algatt.sample(DEEP, Weights, field=Balls(), seed=0)  # of which the first 24 bits of the same words are
    for one, other in zip(point(DEEP).elements, balls.elements, strict=True):
        assert all(abs(float(x) - float(y)) <= 2.0**-23 for x, y in zip(one.raw.flat, other.raw.flat, strict=True))


@pytest.mark.parametrize("arch", ALL, ids=str)
def test_points_of_one_orbit_are_one_function_and_a_nudge_is_another(arch):
    theta = point(arch)
    other = moved(arch, theta)
    assert other != theta
    answer = algatt.same_function(arch, theta, other)
    assert (answer.equal, answer.status) == (True, "proven")
    assert algatt.same_function(arch, theta, theta).equal
    answer = algatt.same_function(arch, theta, point(arch, 1))
    assert (answer.equal, answer.status) == (False, "proven")


@pytest.mark.parametrize("arch", ALGEBRAIC, ids=str)
def test_functions_that_floats_do_not_tell_apart_are_told_apart(arch):
    theta = point(arch)
    answer = algatt.same_function(arch, theta, nudged(theta))
    assert (answer.equal, answer.status) == (False, "proven")
    values = [algatt.evaluate(arch, one, answer.separating_input) for one in (theta, nudged(theta))]
    assert (values[0] != values[1]).any()


@pytest.mark.parametrize("arch", ALL, ids=str)
def test_normal_forms_are_idempotent_and_those_of_the_orbit(arch):
    theta = point(arch)
    form = algatt.canonical(arch, theta)
    assert algatt.canonical(arch, form) == form
    assert algatt.canonical(arch, moved(arch, theta)) == form
    assert algatt.same_function(arch, theta, form).status == "proven"


@pytest.mark.sample(2)
@pytest.mark.parametrize("arch", [LAYER, SOFTMAX, HEADS, TOKENS], ids=str)
def test_fibres_have_the_dimension_that_the_dimension_of_all_leaves(arch):
    """That of all is proven modulo p, or with exponentials."""
    theta = point(arch)
    fibre = algatt.fiber(arch, theta)
    assert fibre.dimension == arch.parameters - algatt.dimension(arch).value
    assert fibre.contains(moved(arch, theta))
    assert fibre.contains(fibre.sample(1))
    assert not fibre.contains(point(arch, 1))


@pytest.mark.sample(2)
@pytest.mark.parametrize("arch", ALGEBRAIC, ids=str)
def test_jacobians_have_the_rank_that_is_proven_modulo_p(arch):
    theta = point(arch)
    X = algatt.sample_inputs(arch, field=FIELD, seed=1, count=arch.parameters)
    jacobian = algatt.jacobian(arch, theta, X)
    rank = algatt.dimension(arch).value
    assert algatt.rank(jacobian) == rank
    kernel = algatt.kernel(jacobian)
    assert kernel.shape == (arch.parameters, arch.parameters - rank)
    assert not (jacobian @ kernel).any()


def test_values_are_those_modulo_p():
    field = algatt.PrimeField()
    theta, X = point(DEEP), np.array([[1, 2], [3, 4]])
    value = algatt.evaluate(DEEP, theta, X.astype(object) * Fraction(1))
    residues = algatt.evaluate(DEEP, as_residues(theta, field), field.galois(X))
    assert [int(x.p) * pow(int(x.q), -1, field.p) % field.p for x in value.flat] == residues.ravel().tolist()


def test_gates_have_values():
    theta = Weights.of({"linear_1.W": [[1, 2], [3, 4], [-1, 0]], "linear_2.W": [[1, 0, 1], [0, 1, 0]]}, field=FIELD)
    X = np.array([[Fraction(1, 3)], [Fraction(-1, 5)]])
    # W X = (-1/15, 1/5, -1/3), of which the second is positive
    assert algatt.evaluate(NEURONS, theta, X).ravel().tolist() == [0, FIELD.scalar(Fraction(1, 5))]


def test_singular_points_are_those_of_the_theorem():
    """HMK Theorem 3.4 at points next to which all floats are the same."""
    generic = point(LAYER)
    assert not algatt.is_singular(LAYER, generic)
    Q, K, V = ([[1, 2, 3], [2, 4, 6]], [[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    for first, singular in ((Fraction(1), True), (1 + TINY, False)):
        rows = [[first, 2, 3], Q[1]]
        theta = Weights.of([(rows, K, V)], field=FIELD)
        assert algatt.is_singular(LAYER, theta) is singular
        assert not algatt.is_boundary(LAYER, theta)
    key, value = [[1, 1, 1], [0, 0, 0]], [[1, 1, 1], [2, 2, 2], [0, 0, 0]]  # A = k q^T, V = v k^T
    for entry, boundary in ((Fraction(1), True), (1 + TINY, False)):
        rows = [[entry, 1, 1], *value[1:]]
        theta = Weights.of([([[1, 2, 3], [0, 0, 0]], key, rows)], field=FIELD)
        assert algatt.is_boundary(LAYER, theta) is boundary


def test_rotations_by_angles_are_refused():
    net = algatt.Network(Heads(1, width=2, position=Rotary(), score=Unnormalized()), tokens=2, width=2)
    with pytest.raises(InvalidArgument, match="cosines and sines"):
        algatt.same_function(net, point(net), point(net, 1))


def test_points_without_a_function_have_none():
    net = algatt.Network(Linear(2) >> RMSNorm(0), tokens=1, width=2)
    zero = Weights.of({"linear.W": [[0, 0], [0, 0]], "norm.g": [[1], [1]]}, field=FIELD)
    with pytest.raises(UndefinedFunction):
        algatt.same_function(net, zero, zero)
