"""The pairs (K, Q) with a given product: dimensions by tangent spaces, samples by their product."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.fields import Elements
from algatt.geometry.fibres.factorizations import Factorizations, random_factorization

F = algatt.PrimeField()


def product_of_ranks(d, rho, seed):
    rng = np.random.default_rng(seed)
    left, right = rng.integers(0, 1000, (d, rho)), rng.integers(0, 1000, (rho, d))
    return Elements.of(F, left @ right)


def kernel_dimension(Q, K):
    """Return the dimension of the pairs (dQ, dK) with dK^T Q + K^T dQ = 0."""
    a, d = Q.shape
    columns = []
    for r in range(a):
        for s in range(d):
            unit = np.zeros((a, d), dtype=int)
            unit[r, s] = 1
            change = Elements.of(F, unit)
            columns += [(K.T @ change).raw.ravel(), (change.T @ Q).raw.ravel()]
    return 2 * a * d - algatt.rank(Elements(F, np.array(columns)))


SIZES = [(a, d, rho) for a in range(1, 5) for d in range(1, 5) for rho in range(min(a, d) + 1)]


@pytest.mark.parametrize(("a", "d", "rho"), SIZES)
def test_every_component_has_its_dimension(a, d, rho):
    """A component is smooth at its generic points, with the kernel of the differential as its tangent space."""
    described = Factorizations(a, d, rho)
    A = product_of_ranks(d, rho, seed=a + 10 * d)
    found = {}
    for seed in range(12):
        Q, K = random_factorization(A, a, seed, "test")
        assert ((K.T @ Q).raw == A.raw).all()
        k = algatt.rank(K)
        found[k] = min(found.get(k, 10**6), kernel_dimension(Q, K))
    assert set(found) <= set(described.key_ranks)
    assert found == {k: (k - rho) * (d - k) + a * k + d * (a - k) for k in found}
    assert max(found.values()) <= described.dimension
    if described.components == 1:
        assert list(found.values()) == [described.dimension]


def count(a, d, A, p):
    """Count the pairs over GF(p) whose product is A by running over all of them."""
    everything = np.stack(np.meshgrid(*[np.arange(p)] * (a * d), indexing="ij"), -1).reshape(-1, a, d)
    products = np.einsum("kai,qaj->kqij", everything, everything) % p
    return int((products == A).all(axis=(2, 3)).sum())


@pytest.mark.parametrize(
    ("a", "d", "rho"), [(1, 2, 0), (1, 2, 1), (2, 2, 0), (2, 2, 1), (2, 2, 2), (3, 1, 0), (3, 1, 1), (2, 1, 0)]
)
def test_counting_points_agrees_with_dimension_and_number_of_components(a, d, rho):
    """By Lang and Weil a variety has about c p^n points, with n its dimension and c the number of components of that
    dimension.
    """
    described = Factorizations(a, d, rho)
    largest = [k for k in described.key_ranks if (k - rho) * (d - k) + a * k + d * (a - k) == described.dimension]
    p = 5 if a * d == 4 else 11
    A = np.zeros((d, d), dtype=int)
    A[range(rho), range(rho)] = 1
    assert count(a, d, A, p) == pytest.approx(len(largest) * p**described.dimension, rel=1.5 / p * a)


@pytest.mark.parametrize(
    ("a", "d", "components"), [(1, 1, 2), (1, 3, 2), (2, 2, 3), (2, 3, 3), (3, 2, 2), (4, 2, 1), (3, 1, 1)]
)
def test_components_of_the_product_zero(a, d, components):
    """K^T Q = 0: the maximal pairs of ranks with rk K + rk Q <= a, both at most d (De Concini and Strickland)."""
    pairs = [(k, q) for k in range(min(a, d) + 1) for q in range(min(a, d) + 1) if k + q <= a]
    maximal = [
        pair
        for pair in pairs
        if not any(other != pair and other[0] >= pair[0] and other[1] >= pair[1] for other in pairs)
    ]
    assert Factorizations(a, d, 0).components == len(maximal) == components


def test_over_the_reals():
    A = Elements.of(algatt.Reals(), np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 0.5]))
    for seed in range(5):
        Q, K = random_factorization(A, 2, seed, "test")
        assert np.allclose((K.T @ Q).raw, A.raw)
