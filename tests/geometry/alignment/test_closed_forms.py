"""Closed forms against searches that share no code with them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from algatt.geometry.alignment.closed_forms import assign, nearest_numbers, nearest_turns, polar, sign_of_sums


def drawn(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed + 20, *shape]).normal(size=shape)


def test_the_polar_factor_is_the_nearest_orthogonal_matrix() -> None:
    X, T = drawn(3, 7), drawn(3, 7, seed=1)
    Q = polar(T @ X.T)
    np.testing.assert_allclose(Q @ Q.T, np.eye(3), atol=1e-12)
    found = np.sum((T - Q @ X) ** 2)
    for seed in range(200):
        other, _ = np.linalg.qr(drawn(3, 3, seed=seed))
        assert found <= np.sum((T - other @ X) ** 2) + 1e-12


@pytest.mark.parametrize("powers", [(1,), (-1,), (1, -1), (2, -1), (1, -2), (3, 1, -1)])
def test_numbers_are_those_of_a_search(powers: tuple[int, ...]) -> None:
    rows = {k: (drawn(4, 5, seed=k), drawn(4, 5, seed=10 + k)) for k in powers}
    squares = {k: (np.sum(b**2, axis=1), np.sum(a * b, axis=1)) for k, (a, b) in rows.items()}
    t = nearest_numbers(squares)
    for place in range(4):

        def distance(number: float, place: int = place) -> float:
            return float(sum(np.sum((a[place] - number**k * b[place]) ** 2) for k, (a, b) in rows.items()))

        grid = [sign * 10**e for sign in (-1, 1) for e in np.linspace(-2, 2, 401)]
        least = min(grid, key=distance)
        best = minimize_scalar(distance, bounds=sorted((0.95 * least, 1.05 * least)), method="bounded").fun
        assert distance(t[place]) <= best + 1e-9
    assert np.all(nearest_numbers(squares, positive=True) > 0)


def test_nothing_is_multiplied_where_nothing_depends_on_it() -> None:
    zero = np.zeros(2)
    np.testing.assert_array_equal(nearest_numbers({1: (zero, zero), -1: (zero, zero)}), [1, 1])


def test_signs_are_those_of_the_products() -> None:
    np.testing.assert_array_equal(sign_of_sums({1: (np.ones(2), np.array([-2.0, 3.0]))}), [-1, 1])
    np.testing.assert_array_equal(sign_of_sums({1: (np.ones(1), np.ones(1)), -1: (np.ones(1), -2 * np.ones(1))}), [-1])


@pytest.mark.parametrize("seed", range(3))
def test_turns_are_those_of_a_search(seed: int) -> None:
    x, t, y, s = (drawn(1, 3, seed=k + seed) + 1j * drawn(1, 3, seed=10 + k + seed) for k in range(4))
    x, y = x / 3, y / 2
    z = nearest_turns(
        np.sum(np.abs(x) ** 2, axis=1), np.sum(t * x.conj(), axis=1),
        np.sum(np.abs(y) ** 2, axis=1), np.sum(s * y.conj(), axis=1),
    )  # fmt: skip

    def distance(number: complex) -> float:
        return float(np.sum(np.abs(t - number * x) ** 2) + np.sum(np.abs(s - y / np.conj(number)) ** 2))

    angles, sizes = np.linspace(0, 2 * np.pi, 181), np.exp(np.linspace(-2, 3, 101))
    best = min(distance(r * np.exp(1j * u)) for r, u in itertools.product(sizes, angles))
    assert distance(z[0]) <= best + 1e-6


def test_turns_of_exact_copies() -> None:
    x, y, number = drawn(2, 3) + 1j * drawn(2, 3, seed=1), drawn(2, 4) + 1j * drawn(2, 4, seed=1), np.array([2j, -0.3])
    t, s = number[:, None] * x, y / number.conj()[:, None]
    z = nearest_turns(
        np.sum(np.abs(x) ** 2, axis=1), np.sum(t * x.conj(), axis=1),
        np.sum(np.abs(y) ** 2, axis=1), np.sum(s * y.conj(), axis=1),
    )  # fmt: skip
    np.testing.assert_allclose(z, number)


def test_an_assignment_is_the_best_order() -> None:
    costs = -10.0 * np.eye(5)[[1, 2, 3, 4, 0]] + drawn(5, 5)
    order = assign(costs)
    best = min(itertools.permutations(range(5)), key=lambda one: sum(costs[i, j] for i, j in enumerate(one)))
    np.testing.assert_array_equal(order, best)
