"""HMK Eq 12, Figures 2 and 4, and Eq 28: the unrolled product against the recursion and the composed network, both in
plain integers.
"""

import itertools

import numpy as np
import pytest

import algatt
from algatt.trees import factor_at, linear_term, window

SIX = pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6])


def instance(plain, layers, tokens=2, seed=0):
    dims = ((3, 2) * layers)[: layers + 1]
    weights = plain.weights(dims, (2,) * layers, seed)
    return weights, *plain.virtual_weights(weights), plain.random((3, tokens), seed + 1)


def points(plain, M, L):
    return algatt.VirtualWeights.of(M, L, field=algatt.PrimeField(plain.p))


def integers(array):
    return np.array(array.tolist(), dtype=np.int64)


@SIX
def test_the_product_of_the_factors_is_the_network(plain, layers):
    weights, M, L, X = instance(plain, layers)
    gram = X @ X.T % plain.p
    value = X
    for factor in reversed(algatt.factors(layers)):
        matrix = M[factor.layer - 1]
        value = plain.times(gram, matrix.T if factor.transposed else matrix, value)
    assert np.array_equal(plain.times(L, value), plain.network(weights, X))


@SIX
def test_the_product_of_the_factors_is_the_recursion_multiplied_out(plain, layers):
    """For any matrices M_k, not only those of a network with small ranks."""
    M, L, X = list(plain.random((layers, 3, 3), 5)), plain.random((2, 3), 6), plain.random((3, 2), 7)
    gram, value = X @ X.T % plain.p, X
    for matrix in M:
        value = plain.times(gram, matrix, value)
        gram = plain.times(gram, matrix, gram, matrix.T, gram)
    expected = plain.times(L, value)
    gram, value = X @ X.T % plain.p, X
    for factor in reversed(algatt.factors(layers)):
        matrix = M[factor.layer - 1]
        value = plain.times(gram, matrix.T if factor.transposed else matrix, value)
    assert np.array_equal(plain.times(L, value), expected)
    for kind in ("tree", "dag"):
        assert np.array_equal(
            integers(algatt.evaluate(algatt.unroll(layers, kind=kind), points(plain, M, L), X)), expected
        )


@SIX
def test_the_digits_mirror_each_other_across_a_factor(layers):
    """The step of Figure 4: for 0 < p < 3^(k-1), F_{m+p} is the transpose of F_{m-p}."""
    for factor in algatt.factors(layers):
        for p in range(1, min(3 ** (factor.layer - 1), 30)):
            left, right = factor_at(factor.slot - p), factor_at(factor.slot + p)
            assert (left.layer, left.transposed) == (right.layer, not right.transposed)


def expanded(plain, matrices, L, X, indices):
    """Return L x_{j_1} prod x_{j_m}^T F_m x_{j_{m+1}}."""
    value = L @ X[:, indices[0]] % plain.p
    for matrix, (left, right) in zip(matrices, itertools.pairwise(indices), strict=True):
        value = value * int(X[:, left] @ (matrix @ X[:, right] % plain.p) % plain.p) % plain.p
    return value


@pytest.mark.parametrize(("layers", "slot"), [(2, 1), (2, 2), (3, 3), (3, 6), (3, 8), (4, 30), (4, 33)])
def test_where_the_ends_agree_a_factor_counts_only_through_its_symmetric_part(plain, layers, slot):
    """HMK Figure 4: over all indices inside a window, the ends equal and the rest fixed, the sum does not see the
    skew-symmetric part of F_m.
    """
    M, L, X = list(plain.random((layers, 2, 2), 5)), plain.random((1, 2), 6), plain.random((2, 2), 7)
    theta, tree = points(plain, M, L), algatt.unroll(layers, kind="dag")
    start, *inner, stop = (place - 1 for place in window(layers, slot))
    base = [int(index) for index in np.random.default_rng(slot).integers(0, 2, tree.graph["factors"] + 1)]
    base[stop] = base[start]
    matrices = [
        M[factor.layer - 1].T if factor.transposed else M[factor.layer - 1] for factor in algatt.factors(layers)
    ]
    symmetric = list(matrices)
    symmetric[slot - 1] = (matrices[slot - 1] + matrices[slot - 1].T) * pow(2, -1, plain.p) % plain.p
    total, expected = 0, 0
    for choice in itertools.product(range(2), repeat=len(inner)):
        indices = list(base)
        for place, index in zip(inner, choice, strict=True):
            indices[place] = index
        total = total + integers(algatt.trees.monomial(tree, indices).value(theta, X))
        expected = expected + expanded(plain, symmetric, L, X, indices)
    assert np.array_equal(total % plain.p, expected % plain.p)


# Eq 28


def coefficient(plain, values, degree):
    """Return the coefficient of a polynomial with the given values at 0, 1, ..., by Lagrange interpolation in plain
    integers.
    """
    p, total = plain.p, 0
    for k, value in enumerate(values):
        basis, denominator = [1], 1
        for other in range(len(values)):
            if other != k:
                basis = [(a - other * b) % p for a, b in zip([0, *basis], [*basis, 0], strict=True)]
                denominator = denominator * (k - other) % p
        total = (total + value * basis[degree] * pow(denominator, -1, p)) % p
    return total


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_term_that_is_linear_in_one_token_by_interpolation(plain, layers):
    """Values of the network at (a, s b) for s = 0, 1, ..., 3^l: the coefficient of s is the closed form, and zero at
    the other token.
    """
    weights, M, L, X = instance(plain, layers, seed=layers)
    scales = range(3**layers + 1)
    values = [plain.network(weights, np.stack([X[:, 0], s * X[:, 1] % plain.p], axis=1)) for s in scales]
    closed = linear_term(points(plain, M, L), X[:, 0], X[:, 1])
    tree = algatt.unroll(layers)
    term = algatt.trees.monomial(tree, (0,) * tree.graph["factors"] + (1,))
    assert term.value(points(plain, M, L), X).tolist() == closed.tolist()
    for row in range(len(L)):
        assert coefficient(plain, [int(value[row, 1]) for value in values], 1) == int(closed[row])
        assert coefficient(plain, [int(value[row, 0]) for value in values], 1) == 0


def test_the_linear_term_by_interpolation_of_folded_values(plain):
    """The same from the graph alone: four layers, folded at 82 inputs, of which the derivative at s = 0 is the term."""
    _, M, L, X = instance(plain, 4)
    theta, dag = points(plain, M, L), algatt.unroll(4, kind="dag")
    inputs = np.stack([np.stack([X[:, 0], s * X[:, 1] % plain.p], axis=1) for s in range(82)])
    values = integers(algatt.evaluate(dag, theta, inputs))
    assert coefficient(plain, values[:, 0, 1].tolist(), 1) == int(linear_term(theta, X[:, 0], X[:, 1])[0])


def test_the_linear_term_sees_only_the_symmetric_part_of_the_later_matrices(plain):
    _, M, L, X = instance(plain, 3)
    a, b = X.T
    skew = plain.random((3, 3), 8)
    skew = skew - skew.T
    closed = linear_term(points(plain, M, L), a, b).tolist()
    changed = [[(matrix + skew * (k == j)) % plain.p for k, matrix in enumerate(M)] for j in range(3)]
    assert linear_term(points(plain, changed[1], L), a, b).tolist() == closed
    assert linear_term(points(plain, changed[2], L), a, b).tolist() == closed
    assert linear_term(points(plain, changed[0], L), a, b).tolist() != closed
