"""The Jacobian against difference quotients, exact interpolation and derivatives by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, Network, PrimeField, Reals, VirtualWeights, Weights, verbs
from algatt.fields import Elements
from algatt.layers import Layer, Linear, Tensors
from algatt.maps.gradient import gradients as gradients_of

COORDINATES = [Weights, AttentionMatrix, VirtualWeights]
ARCHITECTURES = [
    Lightning((2, 1), (1,), 1),
    Lightning((3, 2), (2,), 3),
    Lightning((3, 2, 2), (2, 1), 2),
    Lightning((2, 3, 1, 2), (1, 2, 2), 2),
]


def test_one_layer_by_hand():
    # d_0 = d_1 = a = t = 1: phi = v k q x^3, so the derivatives by (q, k, v) are (v k, v q, k q) x^3.
    arch = Lightning((1, 1), (1,), 1)
    theta = Weights.of([([[2]], [[3]], [[5]])], field=PrimeField())
    assert algatt.jacobian(arch, theta, [[7]]).tolist() == [[5 * 3 * 343, 5 * 2 * 343, 3 * 2 * 343]]
    attention = AttentionMatrix.of([([[6]], [[5]])], field=PrimeField())
    assert algatt.jacobian(arch, attention, [[7]]).tolist() == [[5 * 343, 6 * 343]]


def test_rows_are_ordered_by_input_output_row_and_token():
    # With A = 1 and d_0 = 1 the value is V (sum of squares) x: row i depends on V_i alone.
    arch = Lightning((1, 2), (1,), 3)
    theta = Weights.of([([[1]], [[1]], [[5], [6]])], field=PrimeField())
    J = algatt.jacobian(arch, theta, [[[1, 2, 3]], [[4, 0, 0]]])
    by_values = [[14 * x * (row == column) for column in range(2)] for row in range(2) for x in (1, 2, 3)]
    by_values += [[16 * x * (row == column) for column in range(2)] for row in range(2) for x in (4, 0, 0)]
    assert J[:, 2:].tolist() == by_values


def lagrange_derivative_at_zero(points, p):
    """Return weights w with f'(0) = sum w_k f(points[k]) for every polynomial f of degree below the number
    of points.
    """
    weights = []
    for k, s in enumerate(points):
        others = points[:k] + points[k + 1 :]
        slope = sum(int(np.prod([-t for t in others if t != omitted], dtype=object)) for omitted in others)
        weights.append(slope * pow(int(np.prod([s - t for t in others], dtype=object)), -1, p) % p)
    return weights


@pytest.mark.sample(4)
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=repr)
@pytest.mark.parametrize("p", [1048583, 2147483647, 2305843009213693951])
def test_the_jacobian_is_the_derivative_of_the_interpolating_polynomial(arch, coordinates, p):
    # Weights enter with degree 3, 12, 39 in one, two, three layers, other coordinates with less.
    field = PrimeField(p)
    points = list(range(1, (3, 12, 39)[arch.layers - 1] + 2))
    weights = lagrange_derivative_at_zero(points, p)
    theta = algatt.flatten(algatt.sample(arch, coordinates, field=field)).tolist()
    X = algatt.sample_inputs(arch, field=field, count=2)
    direction = [(7 * k * k + 3) % p for k in range(len(theta))]

    def value(s):
        moved = np.array([(x + s * h) % p for x, h in zip(theta, direction, strict=True)], dtype=object)
        return algatt.evaluate(arch, algatt.unflatten(arch, coordinates, moved, field=field), X).ravel().tolist()

    expected = [
        sum(w * y for w, y in zip(weights, column, strict=True)) % p for column in zip(*map(value, points), strict=True)
    ]
    J = algatt.jacobian(arch, algatt.unflatten(arch, coordinates, theta, field=field), X).tolist()
    assert [sum(x * h for x, h in zip(row, direction, strict=True)) % p for row in J] == expected


@pytest.mark.sample(5)
@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("arch", ARCHITECTURES, ids=repr)
def test_over_the_reals_the_jacobian_has_the_difference_quotients_as_columns(arch, coordinates):
    theta = algatt.flatten(algatt.sample(arch, coordinates, field=Reals()))
    X = algatt.sample_inputs(arch, field=Reals())[0]
    J = algatt.jacobian(arch, algatt.unflatten(arch, coordinates, theta), X)
    step = 1e-5
    for column, unit in enumerate(np.eye(len(theta))):
        ends = [
            algatt.evaluate(arch, algatt.unflatten(arch, coordinates, theta + s * unit), X).ravel()
            for s in (step, -step)
        ]
        assert np.allclose((ends[0] - ends[1]) / (2 * step), J[:, column], rtol=1e-5, atol=1e-6 * np.abs(J).max())


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_rows_of_a_large_batch_are_those_of_its_inputs(coordinates):
    # So many inputs that the columns are computed in several blocks.
    arch = Lightning((4, 2, 4), (3, 2), 4)
    theta = algatt.sample(arch, coordinates)
    inputs = algatt.sample_inputs(arch, count=1500)
    J = algatt.jacobian(arch, theta, inputs)
    assert J.shape == (1500 * 16, algatt.flatten(theta).size)
    for k in (0, 700, 1499):
        assert np.array_equal(J[16 * k : 16 * (k + 1)], algatt.jacobian(arch, theta, inputs[k]))


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_the_euler_relation_of_a_homogeneous_map(coordinates):
    # The value has degree 1 in V_l, which are the last parameters: V_l times the derivative by V_l is the value.
    arch = Lightning((3, 2, 2), (2, 1), 2)
    theta = algatt.sample(arch, coordinates, field=PrimeField(1048583))
    X = algatt.sample_inputs(arch, field=PrimeField(1048583))[0]
    last = theta.elements[-1].raw.size
    vector = algatt.flatten(theta)
    along = algatt.jacobian(arch, theta, X)[:, -last:] @ vector[-last:]
    assert np.array_equal(along, algatt.evaluate(arch, theta, X).ravel())


def test_all_entries_of_an_attention_matrix_are_columns_whatever_its_rank():
    arch = Lightning((3, 2), (1,), 2)
    theta = algatt.sample(arch, AttentionMatrix)
    X = algatt.sample_inputs(arch, count=12)
    # Eq 7 with full rank: 9 + 6 - 1 directions, although the point has rank one; the weights of rank one have 5 + 6 -
    # 1.
    assert algatt.jacobian(arch, theta, X).shape[1] == 15
    assert algatt.rank(algatt.jacobian(arch, theta, X)) == 14
    assert algatt.rank(algatt.jacobian(arch, algatt.sample(arch, Weights), X)) == 10


@dataclass(frozen=True, repr=False)
class Constant(Layer):
    """The value B, whatever the input is."""


@verbs.tensors.method
def tensors_of_constant(layer: Constant, shape: tuple) -> dict:
    return {"B": shape}


@verbs.apply.method
def apply_constant(layer: Constant, w: Tensors, X: Elements) -> Elements:
    return w.B


@pytest.mark.parametrize("field", [PrimeField(), Reals()], ids=str)
def test_a_network_that_ignores_its_input(field):
    net = Network(Constant(), tokens=3, width=2)
    theta = algatt.sample(net, Weights, field=field)
    B = theta["constant.B"]
    X = algatt.sample_inputs(net, field=field, count=4)
    assert np.array_equal(algatt.evaluate(net, theta, X), np.stack([B] * 4))
    assert np.array_equal(algatt.evaluate(net, theta, X[0]), B)
    assert np.array_equal(algatt.jacobian(net, theta, X), np.vstack([np.eye(6, dtype=int)] * 4))
    elements = Elements.of(field, X)
    gradients = gradients_of(net, theta, elements, outputs=np.array([0, 5, 2, 2]))
    assert np.array_equal(gradients.public(), np.eye(6, dtype=int)[[0, 5, 2, 2]])
    assert algatt.dimension(net, field=field).value == 6


def test_a_bilinear_network_that_ignores_its_input():
    """The value W B: its derivative by W_ij is row j of B in row i, that by B_ij column i of W in column j."""
    net = Network(Constant() >> Linear(3), tokens=2, width=2)
    theta = algatt.sample(net, Weights)
    B, W = (np.array(theta[name]).astype(object) for name in ("constant.B", "linear.W"))
    by_B = [np.outer(W[:, i], np.eye(2, dtype=int)[j]) for i in range(2) for j in range(2)]
    by_W = [np.outer(np.eye(3, dtype=int)[i], B[j]) for i in range(3) for j in range(2)]
    expected = np.array([derivative.ravel() for derivative in (*by_B, *by_W)]).T
    J = algatt.jacobian(net, theta, algatt.sample_inputs(net, count=2))
    assert np.array_equal(np.array(J).astype(object), np.vstack([expected] * 2))
