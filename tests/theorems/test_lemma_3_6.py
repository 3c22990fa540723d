"""HMK Lemma 3.6 and Eq 12: the recursion P_i = P_{i-1} M_i P_{i-1} M_i^T P_{i-1}, and its unrolled form with (3^l - 1)
/ 2 factors F_m.
"""

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt

P = algatt.PrimeField().p


def integers(public):
    return np.array(public.tolist(), dtype=object)


def times(matrices):
    return functools.reduce(lambda left, right: left @ right % P, matrices)


def factor(m):
    """Return (k, transposed) of F_m: k - 1 is the 3-adic valuation of m; its last non-zero digit to base 3 is 1 for
    M_k, 2 for the transpose.
    """
    k = 1
    while m % 3 == 0:
        m, k = m // 3, k + 1
    return k, m % 3 == 2


def unrolled(M, L, X, word):
    """Return L prod (X X^T F_m) X."""
    gram = X @ X.T % P
    return times(
        [L, *(matrix for k, transposed in word for matrix in (gram, M[k - 1].T if transposed else M[k - 1])), X]
    )


def composed(layers, X):
    """Compose the layers V X X^T K^T Q X in plain integers."""
    for Q, K, V in layers:
        X = times([V, X, X.T, K.T, Q, X])
    return X


def instance(layers, seed=0, dims=None, tokens=2):
    dims = dims or (3, 2, 3, 2, 3)[: layers + 1]
    arch = algatt.Lightning(dims, (2,) * layers, tokens)
    theta = algatt.sample(arch, algatt.Weights, seed=seed)
    return arch, theta, algatt.sample_inputs(arch, seed=seed)[0]


def plain_layers(theta):
    return [tuple(map(integers, layer)) for layer in theta.layers]


def plain_virtual_weights(layers):
    L = np.eye(layers[0][0].shape[1], dtype=object)
    M = []
    for Q, K, V in layers:
        M.append(times([L.T, K.T, Q, L]))
        L = V @ L % P
    return M, L


@given(
    dims=st.lists(st.integers(1, 4), min_size=2, max_size=4),
    rank=st.integers(1, 4),
    tokens=st.integers(1, 4),
    seed=st.integers(0, 10**6),
)
def test_the_recursion_computes_the_composition_of_the_layers(dims, rank, tokens, seed):
    arch = algatt.Lightning(dims, (rank,) * (len(dims) - 1), tokens)
    theta = algatt.sample(arch, algatt.Weights, seed=seed)
    X = algatt.sample_inputs(arch, seed=seed)[0]
    value = algatt.evaluate(arch, algatt.convert(theta, algatt.VirtualWeights), X)
    assert np.array_equal(integers(value), composed(plain_layers(theta), integers(X)))


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
def test_the_recursion_of_the_paper_written_out(layers):
    arch, theta, X = instance(layers)
    M, L = plain_virtual_weights(plain_layers(theta))
    X = integers(X)
    gram, value = X @ X.T % P, X
    for matrix in M:  # Eq 10 and 11: the factors P_{i-1} M_i grow from the right
        assert np.array_equal(gram, gram.T)
        value = times([gram, matrix, value])
        gram = times([gram, matrix, gram, matrix.T, gram])
    expected = composed(plain_layers(theta), X)
    assert np.array_equal(L @ value % P, expected)
    assert np.array_equal(integers(algatt.evaluate(arch, algatt.convert(theta, algatt.VirtualWeights), X)), expected)


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
def test_the_unrolled_product_is_the_network(layers):
    arch, theta, X = instance(layers, seed=layers)
    M, L = plain_virtual_weights(plain_layers(theta))
    word = [factor(m) for m in range(1, (3**layers - 1) // 2 + 1)]
    value = unrolled(M, L, integers(X), word)
    for coordinates in (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights):
        assert np.array_equal(integers(algatt.evaluate(arch, algatt.convert(theta, coordinates), X)), value)


@pytest.mark.parametrize(
    ("layers", "word"),
    [(1, "M1"), (2, "M1 M1' M2 M1"), (3, "M1 M1' M2 M1 M1' M2' M1 M1' M3 M1 M1' M2 M1")],
)
def test_the_words_of_the_paper(layers, word):
    factors = [factor(m) for m in range(1, (3**layers - 1) // 2 + 1)]
    assert word.split() == [f"M{k}{chr(39) if transposed else ''}" for k, transposed in factors]
    assert all(sum(k == level for k, _ in factors) == 3 ** (layers - level) for level in range(1, layers + 1))


@pytest.mark.parametrize("layers", [2, 3])
def test_without_the_transposes_the_product_is_another_function_unless_the_matrices_are_symmetric(layers):
    arch, theta, X = instance(layers)
    M, L = plain_virtual_weights(plain_layers(theta))
    word = [factor(m) for m in range(1, (3**layers - 1) // 2 + 1)]
    never = [(k, False) for k, _ in word]
    assert not np.array_equal(unrolled(M, L, integers(X), never), unrolled(M, L, integers(X), word))
    symmetric = [(matrix + matrix.T) % P for matrix in M]
    value = unrolled(symmetric, L, integers(X), never)
    theta = algatt.VirtualWeights.of(symmetric, L, field=algatt.PrimeField())
    assert np.array_equal(integers(algatt.evaluate(arch, theta, X)), value)


def test_in_another_order_the_product_is_another_function():
    arch, theta, X = instance(2)
    M, L = plain_virtual_weights(plain_layers(theta))
    word = [factor(m) for m in range(1, 5)]
    assert not np.array_equal(unrolled(M, L, integers(X), word[::-1]), integers(algatt.evaluate(arch, theta, X)))
