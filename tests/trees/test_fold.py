"""Folding the graph: the values of a network composed layer by layer in plain integers, over every field, with few
products on the dag.
"""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import algatt
from algatt.fields import Dual, DualArray, Elements

BOTH = pytest.mark.parametrize("kind", ["tree", "dag"])


def instance(plain, layers, tokens=3, seed=0):
    """A network in plain integers: its virtual weights over GF(p), an input and its value."""
    dims = ((3, 2) * layers)[: layers + 1]
    weights = plain.weights(dims, (2,) * layers, seed)
    X = plain.random((3, tokens), seed + 1)
    M, L = plain.virtual_weights(weights)
    theta = algatt.VirtualWeights.of(M, L, field=algatt.PrimeField(plain.p))
    return theta, X, plain.network(weights, X)


@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6])
@BOTH
def test_the_fold_is_the_network(plain, layers, kind):
    theta, X, value = instance(plain, layers)
    folded = algatt.evaluate(algatt.unroll(layers, kind=kind), theta, X)
    assert np.array_equal(np.array(folded), value)
    assert type(folded) is algatt.PrimeField(plain.p).galois


@BOTH
def test_batches(plain, kind):
    theta, X, value = instance(plain, 3)
    batch = algatt.evaluate(algatt.unroll(3, kind=kind), theta, np.stack([X, 0 * X, X]))
    assert np.array_equal(np.array(batch), np.stack([value, 0 * value, value]))


@pytest.mark.parametrize("p", [2, 3, 31, 2**61 - 1])
@BOTH
def test_small_and_large_primes(p, kind):
    arch = algatt.Lightning(dims=(3, 2, 3, 2), ranks=(2, 2, 2), tokens=2)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=1)
    X = algatt.sample_inputs(arch, field=algatt.PrimeField(p), seed=1)[0]
    value = np.array(X.tolist(), dtype=object)
    for layer in theta.layers:
        Q, K, V = (np.array(matrix.tolist(), dtype=object) for matrix in layer)
        value = V @ value @ value.T @ K.T @ Q @ value % p
    folded = algatt.evaluate(algatt.unroll(arch, kind=kind), algatt.convert(theta, algatt.VirtualWeights), X)
    assert folded.tolist() == value.tolist()


@BOTH
def test_over_the_reals(kind):
    theta = algatt.VirtualWeights.of(
        [[[1.0, 0.5], [2.0, 0.0]], [[0.0, 1.0], [-1.0, 3.0]]], [[1.0, -1.0]], field=algatt.Reals()
    )
    X = [[1.0, 2.0, -1.0], [0.5, 0.0, 1.0]]
    M = [np.array([[Fraction(x) for x in row] for row in matrix.tolist()]) for matrix in theta.M]
    exact = np.array([[Fraction(x) for x in row] for row in X])
    gram = exact @ exact.T
    value = np.array([[1, -1]]) @ gram @ M[0] @ gram @ M[0].T @ gram @ M[1] @ gram @ M[0] @ exact
    assert algatt.evaluate(algatt.unroll(2, kind=kind), theta, X) == pytest.approx(value.astype(float))


@BOTH
def test_derivatives_pass_through_the_fold(plain, kind):
    """Over dual numbers the fold is the derivative: here along M_1 -> M_1 + e M_1, of which the value is homogeneous of
    degree 3^(l-1).
    """
    theta, X, value = instance(plain, 3)
    dual = Dual(theta.field)
    elements = tuple(
        Elements(dual, DualArray(one.raw, one.raw[None] if k == 0 else None)) for k, one in enumerate(theta.elements)
    )
    folded = algatt.evaluate(
        algatt.unroll(3, kind=kind), algatt.VirtualWeights(elements), Elements(dual, DualArray(X.astype(float)))
    )
    assert np.array_equal(folded.raw.value, value)
    assert np.array_equal(folded.raw.tangent[0], 9 * value % plain.p)


@pytest.mark.parametrize(
    ("kind", "layers"), [("dag", 1), ("dag", 2), ("dag", 3), ("dag", 12), ("tree", 1), ("tree", 2), ("tree", 5)]
)
def test_numbers_of_products(kind, layers, monkeypatch):
    """On the dag each different matrix is multiplied out once: P_0 takes one product, P_i four, the root 2 l + 1; on
    the tree every copy of it.
    """
    copies = [1] * layers if kind == "dag" else [(3 ** (layers - i) - 1) // 2 for i in range(layers)]
    counted = []
    product = Elements.__matmul__
    monkeypatch.setattr(Elements, "__matmul__", lambda left, right: counted.append(1) or product(left, right))
    theta = algatt.sample(
        algatt.Lightning((2,) * (layers + 1), (2,) * layers, 2), algatt.VirtualWeights, field=algatt.PrimeField(31)
    )
    counted.clear()
    algatt.evaluate(algatt.unroll(layers, kind=kind), theta, [[1, 2], [3, 4]])
    assert (
        len(counted)
        == copies[0] + 4 * sum(copies[1:]) + 2 * layers + 1
        == (6 * layers - 2 if kind == "dag" else (3 ** (layers + 1) - 1) // 2)
    )


def test_a_changed_graph_has_another_value(plain):
    """The fold computes what the graph says: without its transposes the tree is another function."""
    theta, X, value = instance(plain, 2)
    tree = algatt.unroll(2)
    nx.set_node_attributes(tree, False, "transposed")
    assert not np.array_equal(np.array(algatt.evaluate(tree, theta, X)), value)


def test_bad_input(plain):
    theta, X, _ = instance(plain, 2)
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"theta was .*virtual weights of 3 layers, as many as the tree has"
    ):
        algatt.evaluate(algatt.unroll(3), theta, X)
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=r"inputs was of shape \(2, 3\); it should be of shape \(3, t\) or \(batch, 3, t\), t >= 1",
    ):
        algatt.evaluate(algatt.unroll(2), theta, X[:2])
    with pytest.raises(algatt.errors.InvalidArgument, match=r"inputs was of shape \(3, 0\)"):
        algatt.evaluate(algatt.unroll(2), theta, X[:, :0])
    with pytest.raises(algatt.errors.InvalidArgument, match="a graph made by unroll"):
        algatt.evaluate(nx.DiGraph(), theta, X)
    with pytest.raises(algatt.errors.InvalidArgument, match="tree was a multigraph"):
        algatt.evaluate(nx.MultiDiGraph(algatt.unroll(2)), theta, X)
    with pytest.raises(algatt.errors.MethodError):
        algatt.evaluate(nx.Graph(), theta, X)
