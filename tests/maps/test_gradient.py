"""Rows of the Jacobian by adjoints, against the whole Jacobian by dual numbers: two derivations that share no rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields import Adjoint, AdjointArray, Elements, Field
from algatt.fields.adjoint import pull_back
from algatt.maps.gradient import gradients
from algatt.maps.gradient import pull_back as pull_back_of

FIELDS = (
    algatt.PrimeField(2),
    algatt.PrimeField(),
    algatt.PrimeField(2147483647),
    algatt.PrimeField(2305843009213693951),
    algatt.Reals(),
)


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("coordinates", [algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights])
@pytest.mark.parametrize("arch", algatt.Lightning.examples())
def test_rows_are_those_of_the_jacobian(
    arch: algatt.Lightning, coordinates: type[algatt.parameters.Parameters], field: Field
) -> None:
    theta = algatt.sample(arch, coordinates, field=field, seed=2)
    X = Elements.of(field, algatt.sample_inputs(arch, field=field, seed=2, count=4))
    size = arch.dims[-1] * arch.tokens
    outputs = np.array([0, size - 1, 3 % size, 0])
    rows = gradients(arch, theta, X, outputs=outputs).raw
    expected = verbs.jacobian(arch, theta, X).raw[np.arange(4) * size + outputs]
    if isinstance(field, algatt.Reals):
        np.testing.assert_allclose(rows, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    else:
        assert (rows == expected).all()


def test_many_inputs_are_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    arch = algatt.Lightning((3, 2, 3), (2, 2), 2)
    theta = algatt.sample(arch, algatt.Weights)
    X = Elements.of(theta.field, algatt.sample_inputs(arch, count=7))
    outputs = np.arange(7) % 6
    whole = gradients(arch, theta, X, outputs=outputs).raw
    monkeypatch.setattr("algatt.maps.gradient.BLOCK", 2 * arch.parameters)
    assert (gradients(arch, theta, X, outputs=outputs).raw == whole).all()


@pytest.mark.parametrize(
    ("outputs", "message"),
    [([0], "outputs was of shape"), ([0, 6], "outputs was from 0 to 6"), ([-1, 0], "outputs was from -1 to 0")],
)
def test_outputs_that_are_none(outputs: list[int], message: str) -> None:
    arch = algatt.Lightning((3, 3), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights)
    X = Elements.of(theta.field, algatt.sample_inputs(arch, count=2))
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        gradients(arch, theta, X, outputs=np.array(outputs))


@pytest.mark.parametrize("field", [algatt.PrimeField(31), algatt.Reals()], ids=str)
def test_broadcast_operands_collect_their_derivatives(field: Field) -> None:
    """The entries of s * A + R, with s a scalar matrix and R a row, have derivatives A by s, s by A and 1 by R: sums
    over what was broadcast.
    """
    s, A, R = (Elements.of(field, array) for array in ([[2]], [[1, 2, 3], [4, 5, 6]], [[7, 8, 9]]))
    leaves = [AdjointArray(operand.raw) for operand in (s, A, R)]
    lifted = [Elements(Adjoint(field), leaf) for leaf in leaves]
    value = (lifted[0] * lifted[1] + lifted[2] - lifted[1]).raw
    G = verbs.encode(field, [[[1, 0, 2], [0, 3, 0]]])
    by_s, by_A, by_R = pull_back(field, value, G, leaves)
    assert by_s.tolist() == [[[1 * 1 + 2 * 3 + 3 * 5]]]
    assert by_A.tolist() == [[[1, 0, 2], [0, 3, 0]]]
    assert by_R.tolist() == [[[1, 3, 2]]]


def test_what_does_not_matter_has_no_derivative() -> None:
    field = algatt.PrimeField(7)
    used, unused = (AdjointArray(verbs.encode(field, [[1, 2]])) for _ in range(2))
    value = (Elements(Adjoint(field), used) * 3).raw
    by_used, by_unused = pull_back(field, value, verbs.encode(field, [[1, 1]]), [used, unused])
    assert by_used.tolist() == [[3, 3]]
    assert by_unused is None


@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("coordinates", [algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights])
def test_what_is_pulled_back_is_a_combination_of_rows_of_the_jacobian(
    coordinates: type[algatt.parameters.Parameters], field: Field
) -> None:
    arch = algatt.Lightning((3, 2, 4), (2, 2), 3)
    theta = algatt.sample(arch, coordinates, field=field, seed=5)
    X = Elements.of(field, algatt.sample_inputs(arch, field=field, seed=5, count=3))
    cotangents = Elements(field, verbs.draw_array(field, shape=(3, 4, 3), seed=5, label="cotangents"))
    rows = pull_back_of(arch, theta, X, cotangents).public()
    jacobian = verbs.jacobian(arch, theta, X).public().reshape(3, 12, -1)
    for row, matrix, forms in zip(rows, jacobian, cotangents.public(), strict=True):
        expected = forms.reshape(12) @ matrix
        if isinstance(field, algatt.Reals):
            np.testing.assert_allclose(row, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
        else:
            assert (row == expected).all()


def test_pulling_back_is_cut_into_blocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    arch = algatt.Lightning((3, 2, 3), (2, 2), 2)
    theta = algatt.sample(arch, algatt.Weights)
    X = Elements.of(theta.field, algatt.sample_inputs(arch, count=7))
    cotangents = Elements(theta.field, verbs.draw_array(theta.field, shape=(7, 3, 2), seed=0, label="cotangents"))
    whole = pull_back_of(arch, theta, X, cotangents).raw
    monkeypatch.setattr("algatt.maps.gradient.BLOCK", 2 * arch.parameters)
    assert (pull_back_of(arch, theta, X, cotangents).raw == whole).all()


def test_cotangents_that_are_none() -> None:
    arch = algatt.Lightning((3, 3), (2,), 2)
    theta = algatt.sample(arch, algatt.Weights)
    X = Elements.of(theta.field, algatt.sample_inputs(arch, count=2))
    for shape in ((2, 6), (2, 2, 3), (1, 3, 2), (3, 3, 2), (3, 2)):
        with pytest.raises(
            algatt.errors.InvalidArgument, match=r"cotangents was of shape .*; it should be of shape \(batch, 3, 2\)"
        ):
            pull_back_of(arch, theta, X, Elements.of(theta.field, np.zeros(shape, dtype=int)))
    with pytest.raises(algatt.errors.InvalidArgument, match="cotangents was of shape"):
        pull_back_of(
            arch, theta, Elements(theta.field, X.raw[0]), Elements.of(theta.field, np.zeros((3, 2), dtype=int))
        )
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"cotangents was over GF\(31\); it should be over GF\(8388593\)"
    ):
        pull_back_of(arch, theta, X, Elements.of(algatt.PrimeField(31), np.zeros((2, 3, 2), dtype=int)))


@pytest.mark.parametrize("field", [*FIELDS, algatt.Balls()], ids=str)
def test_the_derivatives_by_what_plays_no_part_are_zeros_of_the_field(field: Field) -> None:
    arch = ValuesAlone((3, 2), (1,), 2)
    theta = algatt.sample(arch, algatt.Weights, field=field)
    X = Elements.of(field, algatt.sample_inputs(arch, field=field, count=2))
    rows = gradients(arch, theta, X, outputs=np.array([0, 3])).raw
    zero = verbs.encode(field, [[0]])[0, 0]
    assert all(type(entry) is type(zero) and entry == 0 for entry in rows[:, :6].flat)
    assert (rows[0, 6:9] == X.raw[0, :, 0]).all()
    assert (rows[1, 9:] == X.raw[1, :, 1]).all()


@dataclass(frozen=True)
class ValuesAlone(algatt.architectures.AttentionNetwork):
    """A linear map of each token."""


@verbs.evaluate.method
def evaluate_values_alone(arch: ValuesAlone, theta: algatt.Weights, inputs: Elements) -> Elements:
    return theta.layer_elements[0].V @ inputs
