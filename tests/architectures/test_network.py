"""Networks of layers: what they are made of, and weights that are not theirs."""

from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Reals, Weights, verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    Layer,
    Linear,
    Power,
    Residual,
    RMSNorm,
    Tensors,
    Unembedding,
    Unnormalized,
)

NET = Network(Linear(2, bias=True) >> Feedforward(3, Power(2)), tokens=2, width=3)
THETA = algatt.sample(NET, Weights, field=Reals(), seed=0)
ARRAYS = {name: THETA[name] for name in THETA.names()}
X = algatt.sample_inputs(NET, field=Reals(), seed=0)[0]


def test_tensors_are_named_in_the_order_of_the_network():
    shapes = {"linear.W": (2, 3), "linear.b": (2, 1), "feedforward.up": (3, 2), "feedforward.down": (2, 3)}
    assert list(algatt.coordinates(NET).items()) == list(shapes.items())
    assert (NET.parameters, NET.input_shape, NET.output_shape, NET.outputs) == (20, (3, 2), (2, 2), 4)


def test_weights_in_another_order_are_refused():
    turned = Weights.of(dict(reversed(ARRAYS.items())))
    with pytest.raises(
        InvalidArgument, match=r"it should be with them in the order linear\.W, linear\.b, feedforward\.up, "
    ):
        algatt.evaluate(NET, turned, X)
    again = Weights.of({name: turned[name] for name in algatt.coordinates(NET)})
    assert np.array_equal(algatt.evaluate(NET, again, X), algatt.evaluate(NET, THETA, X))


def without(name):
    return {key: array for key, array in ARRAYS.items() if key != name}


@pytest.mark.parametrize(
    ("arrays", "was", "should"),
    [
        (without("linear.b"), "without linear.b", f"parameters of {NET}"),
        (ARRAYS | {"linear.c": [[1.0]]}, "with linear.c", f"parameters of {NET}, which has no linear.c"),
        (
            ARRAYS | {"linear.W": np.ones((3, 2))},
            "with linear.W of shape (3, 2)",
            f"parameters of {NET}, with linear.W of shape (2, 3)",
        ),
    ],
    ids=["missing", "extra", "misshapen"],
)
@pytest.mark.parametrize("verb", [algatt.evaluate, algatt.jacobian], ids=lambda verb: verb.__name__)
def test_weights_that_are_not_the_networks_are_told_by_the_tensor(arrays, was, should, verb):
    theta = Weights.of(arrays)
    with pytest.raises(InvalidArgument) as told:
        verb(NET, theta, X)
    assert str(told.value) == f"theta was {theta!r}, {was}; it should be {should}"
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Network("layers", 2, 3), "layers was 'layers'; it should be a layer, or layers composed as f >> g"),
        (lambda: Network(Linear(2), 0, 3), "tokens was 0; it should be an integer >= 1"),
        (lambda: Network(Linear(2), 2, 0), "width was 0; it should be an integer >= 1"),
        (
            lambda: Network(Residual(RMSNorm(gain=False)), 2, 3),
            "layers was Residual(RMSNorm(gain=False)), which has no tensors; it should be layers with tensors",
        ),
    ],
)
def test_what_makes_no_network(make, message):
    with pytest.raises(InvalidArgument) as told:
        make()
    assert str(told.value) == message


@dataclass(frozen=True, repr=False)
class Shaped(Layer):
    """A layer with a tensor of any shape."""

    shape: object


@verbs.tensors.method
def tensors_of_shaped(layer: Shaped, shape: tuple) -> dict:
    return {"g": layer.shape}


@verbs.apply.method
def apply_shaped(layer: Shaped, w: Tensors, X: Elements) -> Elements:
    return (X.T * w.g).T


@pytest.mark.parametrize("shape", [(3,), (), (2, 3, 3), (3, 0), (3.0, 1), 3], ids=str)
def test_tensors_are_matrices(shape):
    """A vector of one axis was taken by some questions only: it has one column."""
    message = f"shaped.g was of shape {shape!r}; it should be of a shape (rows, columns); a vector has one column"
    with pytest.raises(InvalidArgument) as told:
        Network(Residual(Shaped(shape)), tokens=2, width=3)
    assert str(told.value) == message


def test_what_kind_of_functions_they_are():
    """Polynomials, quotients of polynomials, and others."""
    kinds = {
        Network(Heads(1, score=Unnormalized()), 2, 2): (True, True),
        Network(Heads(1, score=Power(2)), 2, 2): (True, False),
        Network(Heads(1), 2, 2): (False, False),
        Network(RMSNorm() >> Linear(2), 2, 2): (False, False),
        Network(Embedding(3, 2) >> Unembedding(3), 2): (True, True),
    }
    for net, (algebraic, polynomial) in kinds.items():
        assert (net.algebraic, net.polynomial) == (algebraic, polynomial), net


def test_the_dimension_of_linear_maps_in_a_row_is_that_of_matrices_of_a_rank():
    """Matrices of shape (4, 3) and rank at most 2: 2 (4 + 3 - 2) (a determinantal variety)."""
    net = Network(Linear(2) >> Linear(4), tokens=1, width=3)
    theta = algatt.sample(net, Weights, field=PrimeField(), seed=0)
    inputs = algatt.sample_inputs(net, field=PrimeField(), seed=0, count=6)
    assert algatt.rank(algatt.jacobian(net, theta, inputs)) == 10
