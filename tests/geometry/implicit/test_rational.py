"""Networks that divide: the function is a point of the projective space of numerators and denominators."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument, UndefinedFunction
from algatt.fields import Rationals
from algatt.fields.prime import residue
from algatt.geometry import Coefficients
from algatt.geometry.implicit.expansion import expand
from algatt.layers import Affine, Causal, Embedding, FeatureMap, Heads, Power, Residual, Tie, Unembedding

SCROLL = algatt.Normalized((1, 1), (1,), 2, score=Affine(1, 1))
CUBIC = algatt.Normalized((2, 1), (1,), 2, score=Power(1))
LINEAR = algatt.Network(Heads(1, score=FeatureMap(Power(1)), mask=Causal()), tokens=2, width=2)
TOKENS = algatt.Network(Embedding(2, 1) >> Heads(1, score=Power(1)) >> Unembedding(2), tokens=2)
ONE_NUMBER = {f"heads.{name}_1": "heads.Q_1" for name in "KVO"}
NO_CONE = algatt.Network(Tie(Embedding(2, 1) >> Residual(Heads(1, score=Affine(1, 1))), ONE_NUMBER), tokens=4)


def fraction(number: Any) -> Fraction:
    """Return a rational number of FLINT as one of Python."""
    return Fraction(int(number.p), int(number.q)) if hasattr(number, "p") else Fraction(number)


def quotients_at(found: Coefficients, X: np.ndarray) -> list[Fraction]:
    """Return the entries of the value at an input, of the coefficients of numerators and denominator."""
    totals: dict[tuple[int, int], Fraction] = {}
    for one, number in zip(found.basis, found.vector, strict=True):
        term = fraction(number) * math.prod(Fraction(int(X[i, j])) ** e for i, j, e in one.powers)
        totals[one.row, one.column] = totals.get((one.row, one.column), Fraction(0)) + term
    rows, columns = found.arch.output_shape
    return [totals[entry] / totals[-1, -1] for entry in itertools.product(range(rows), range(columns))]


@pytest.mark.parametrize("arch", [SCROLL, CUBIC, LINEAR], ids=repr)
def test_numerators_over_the_denominator_are_the_values(arch: algatt.architectures.Architecture) -> None:
    theta = algatt.sample(arch, algatt.Weights, field=Rationals(), seed=1)
    found = algatt.coefficients(arch, theta)
    X = np.arange(2, 2 + math.prod(arch.input_shape)).reshape(arch.input_shape)
    assert [fraction(one) for one in algatt.evaluate(arch, theta, X).flat] == quotients_at(found, X)
    assert next(one for one in found.vector if one != 0) == 1
    assert found.basis[0].row == -1


def test_coefficients_modulo_a_prime_are_those_of_the_rational_ones() -> None:
    field = algatt.PrimeField(8388593)
    weights = [([[2, 3]], [[5, 7]], [[11, 13]])]
    exact = algatt.coefficients(CUBIC, algatt.Weights.of(weights, field=Rationals()))
    residues = algatt.coefficients(CUBIC, algatt.Weights.of(weights, field=field))
    assert [residue(fraction(number), field.p) for number in exact.vector] == [int(one) for one in residues.vector]


def test_a_rational_normal_scroll() -> None:
    """With s = 1 + k q x_1 x_j and c = k q: the point is (1 : c : c^2) times (1 : v), up to numbers, so the closure is
    P^1 x P^1 embedded by forms of degree (2, 1), the scroll S(2, 2), with its 6 quadrics.
    """
    found = algatt.equations(SCROLL, 3)
    assert (found.status, found.hilbert_function.projective) == ("proven", True)
    assert [one.degree for one in found.generators] == [2] * 6
    assert found.hilbert_function.values == tuple((2 * e + 1) * (e + 1) for e in range(4))
    assert str(found.coordinates[0]) == "denominator: 1"
    assert str(found).startswith("c1 = coefficient of the denominator: 1\n")
    assert algatt.dimension(SCROLL).value == 2


def test_a_cubic_hypersurface() -> None:
    """With rank 1 and s = (k x_j)(q x_i) the value is sum (v x_j)(k x_j) / sum k x_j: then c1 = k_1, c2 = k_2, and
    c3, c4, c5 are v_1 k_1, v_1 k_2 + v_2 k_1 and v_2 k_2. So c4 = c3 c2 / c1 + c5 c1 / c2.
    """
    found = algatt.equations(CUBIC, 3)
    assert [str(one) for one in found.generators] == ["c1^2*c5 - c1*c2*c4 + c2^2*c3"]
    assert found.status == "proven"
    span = algatt.span(CUBIC)
    assert (span.dimension, span.projective) == (5, True)  # a space P^4
    assert algatt.dimension(CUBIC).value == 3


def test_denominators_of_token_readers_do_not_depend_on_the_input() -> None:
    theta = algatt.sample(TOKENS, algatt.Weights, field=Rationals(), seed=1)
    found = algatt.coefficients(TOKENS, theta)
    for one, number in zip(found.basis, found.vector, strict=True):
        assert number == algatt.evaluate(TOKENS, theta, list(one.tokens))[one.row, one.column]
    equations = algatt.equations(TOKENS, 2)
    assert (equations.hilbert_function.homogeneous, equations.hilbert_function.projective) == (True, False)
    c = {one: fraction(number) for one, number in zip(found.basis, found.vector, strict=True)}
    assert len(equations.generators) == 6
    for one in equations.generators:
        assert sum(n * math.prod(c[equations.coordinates[k - 1]] for k in places) for places, n in one.terms) == 0


def test_tables_that_are_no_cone() -> None:
    """All matrices of the head are one number w: rescalings do not multiply x_i + w^2 sum s_ij x_j / sum s_ij. It has 8
    different values: one at aaaa and bbbb, two at aaab, aabb and abbb.
    """
    found = algatt.equations(NO_CONE, 2)
    assert (found.hilbert_function.homogeneous, found.hilbert_function.projective) == (False, False)
    assert found.hilbert_function.values == (1, 9, 45 - len(found.generators))
    assert found.generators
    assert expand(NO_CONE).denominators == 1
    assert not expand(NO_CONE).polynomial
    theta = algatt.sample(NO_CONE, algatt.Weights, field=Rationals(), seed=3)
    at = algatt.coefficients(NO_CONE, theta)
    c = {one: fraction(number) for one, number in zip(at.basis, at.vector, strict=True)}
    for one in found.generators:
        assert sum(n * math.prod(c[found.coordinates[k - 1]] for k in places) for places, n in one.terms) == 0


@pytest.mark.parametrize(("arch", "degree"), [(SCROLL, 2), (CUBIC, 3), (TOKENS, 2), (NO_CONE, 2)], ids=repr)
def test_exports_have_a_scale(arch: algatt.architectures.Architecture, degree: int) -> None:
    names: dict[str, Any] = {}
    exec(algatt.export(arch, "python", degree=degree), names)  # noqa: S102 - what was written is to be run
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(8388593), seed=1)
    weights = [int(entry) for entry in algatt.flatten(theta)]
    values = names["coordinates"]([*weights, 3])
    assert values == [3 * one for one in names["coordinates"]([*weights, 1])]
    assert set(names["equations"](values)) == {0}
    found = algatt.coefficients(arch, theta)
    known = dict(zip(found.basis, map(int, found.vector), strict=True))
    values = [residue(Fraction(value), 8388593) for value in values]
    coordinates = algatt.hilbert_function(arch, 1).coordinates
    if arch is NO_CONE:  # the denominator comes first
        scale, values = values[0], values[1:]
    else:
        scale = values[0] * pow(known[coordinates[0]], -1, 8388593)
    assert values == [known[one] * scale % 8388593 for one in coordinates]


def test_weights_and_networks_without_a_value() -> None:
    zero = algatt.Weights.of([([[1, 2]], [[0, 0]], [[1, 1]])], field=Rationals())
    with pytest.raises(UndefinedFunction, match="theta was a point with no function"):
        algatt.coefficients(CUBIC, zero)
    with pytest.raises(InvalidArgument, match="which divides; it should be a network whose values are polynomials"):
        algatt.degree_of_closure(CUBIC)
    two = algatt.Normalized((2, 2, 1), (1, 1), 2, score=Affine(1, 1))
    with pytest.raises(InvalidArgument, match="products of terms; it should be a smaller one"):
        algatt.span(two)
