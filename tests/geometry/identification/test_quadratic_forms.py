"""Quadratic forms as values, and oracles: what they accept, count and refuse."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Reals
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.geometry.identification.quadratic_forms import Oracle, QuadraticForms
from algatt.verbs import quadratic_forms

ARCH = Lightning((2, 1), (2,), 2)
F = PrimeField(31)

# q_1 = x1^2 + 3 x1 x2, q_2 = 5 x2^2
COEFFICIENTS = [[[[1, 3], [0, 0]]], [[[0, 0], [0, 5]]]]


def example(field=F):
    return QuadraticForms(ARCH, Elements.of(field, COEFFICIENTS))


def test_the_function_of_forms_by_hand():
    # Tokens (1, 2) and (3, 1): q_1 sums to 7 + 18 = 25, q_2 to 20 + 5 = 25; the columns are 1 * 25 + 2 * 25 and 3 * 25
    # + 1 * 25 modulo 31.
    values = example()([[1, 3], [2, 1]])
    assert values.tolist() == [[75 % 31, 100 % 31]]
    assert example()([[[1, 3], [2, 1]]]).tolist() == [values.tolist()]


def test_the_forms_of_their_own_function():
    forms = example()
    assert quadratic_forms(ARCH, forms) == forms
    assert quadratic_forms(ARCH, Oracle(forms, F)) == forms


def test_floats_give_the_forms_up_to_rounding():
    arch = Lightning((3, 4), (2,), 3)
    theta = algatt.sample(arch, algatt.Weights, field=Reals())
    exact = quadratic_forms(arch, theta)
    found = quadratic_forms(arch, algatt.parametrization(arch, algatt.Weights)(theta))
    assert np.allclose(found.coefficients, exact.coefficients, rtol=0, atol=1e-13)


def test_equality_sees_coefficients_field_and_architecture():
    forms = example()
    assert forms == example()
    assert hash(forms) == hash(example())
    assert forms != example(PrimeField(37))
    assert forms != QuadraticForms(Lightning((2, 1), (2,), 3), forms.elements)
    assert forms != QuadraticForms(ARCH, forms.elements * 2)
    assert forms != "forms"


def test_repr_and_coefficients():
    assert repr(example()) == "QuadraticForms(Lightning(dims=(2, 1), ranks=(2,), tokens=2), field=GF(31))"
    assert example().coefficients.tolist() == COEFFICIENTS
    assert isinstance(example().coefficients, F.galois)


@pytest.mark.parametrize(
    ("arch", "array", "message"),
    [
        (Lightning((2, 2, 1), (1, 1), 2), COEFFICIENTS, "arch was of 2 layers; it should be of one layer"),
        (Lightning((2, 1), (2,), 1), COEFFICIENTS, "arch was with one token"),
        (ARCH, [[1, 2]], r"elements was of shape \(1, 2\); it should be of shape \(2, 1, 2, 2\)"),
        (ARCH, [[[[1, 3], [1, 0]]], [[[0, 0], [0, 5]]]], "elements was with coefficients below a diagonal"),
    ],
)
def test_what_is_no_tuple_of_forms_is_refused(arch, array, message):
    with pytest.raises(InvalidArgument, match=message):
        QuadraticForms(arch, Elements.of(F, array))


def test_parameters_of_another_architecture_are_refused():
    with pytest.raises(InvalidArgument, match="theta was"):
        quadratic_forms(ARCH, algatt.sample(Lightning((3, 1), (2,), 2), algatt.Weights))


def test_a_plain_function_is_asked_over_the_default_field():
    forms = quadratic_forms(ARCH, lambda X: X[:, :1] * X[:, :1] * X[:, :1])
    assert forms.field == PrimeField()


def test_an_oracle_counts_inputs_and_hands_out_copies():
    def careless(X):
        values = X[:, :1].copy()
        X[:] = 0
        return values

    oracle = Oracle(careless, Reals())
    inputs = Elements(Reals(), np.ones((3, 2, 2)))
    oracle.values(ARCH, inputs)
    oracle.values(ARCH, inputs)
    assert oracle.evaluations == 6
    assert (inputs.raw == 1).all()
    assert repr(oracle) == "Oracle(RR (float64), evaluations=6)"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda X: X, r"oracle was a function whose values are of shape \(3, 2, 2\); it should be .* \(3, 1, 2\)"),
        (lambda X: None, "oracle was a function whose values are of type NoneType"),
        (lambda X: np.zeros((3, 1, 2)), "oracle was an array of float64"),
        (lambda X: PrimeField(37).galois.Zeros((3, 1, 2)), r"oracle was over GF\(37\); it should be over GF\(31\)"),
    ],
)
def test_values_of_other_shapes_or_fields_are_refused(function, message):
    with pytest.raises(InvalidArgument, match=message):
        Oracle(function, F).values(ARCH, Elements.of(F, np.ones((3, 2, 2), dtype=int)))


def test_values_that_are_not_finite_are_refused():
    with pytest.raises(InvalidArgument, match="oracle was with NaN or infinity"):
        quadratic_forms(ARCH, Oracle(lambda X: X[:, :1] + np.inf, Reals()))


def test_an_oracle_is_a_function_over_a_field():
    with pytest.raises(InvalidArgument, match="function was 3; it should be callable"):
        Oracle(3)
    with pytest.raises(InvalidArgument, match="field was"):
        Oracle(abs, "GF(7)")
