"""Networks that have hidden symmetries, a second implementation of their functions in Python integers, and whether
values stay.
"""

from collections.abc import Callable

import flint
import numpy as np
import pytest

from algatt import Lightning, Network, PrimeField, Reals, Weights, verbs
from algatt.fields import Elements
from algatt.symmetry import Symmetry

PRIMES = (2, 3, 31, 8388593, 2147483647)

NETWORKS = {
    "behind": [
        Lightning((2, 4, 3), (2, 2), 3),
        Lightning((1, 3, 4, 2), (2, 3, 1), 2),
        Lightning((3, 2, 4, 2), (2, 1, 2), 2),
    ],
    "before": [Lightning((6, 4, 1), (2, 1), 3), Lightning((4, 4, 1), (1, 1), 2), Lightning((5, 6, 4, 1), (1, 1, 1), 2)],
    "parallel": [
        Lightning((3, 3, 3), (1, 3), 2),
        Lightning((3, 3), (3,), 1),
        Lightning((2, 2, 2), (1, 4), 2),
        Lightning((3, 1, 3, 2), (2, 1, 2), 2),
    ],
}
"""Networks that are wider behind a narrow layer, that read few forms of a wide one, and with tokens that are multiples
of one vector.
"""


class Plain:
    """Residues as Python integers, floats as they are: nothing here is code of the package."""

    primes = PRIMES
    fields = tuple(PrimeField(p) for p in PRIMES)
    every_field = (*fields, Reals())
    networks = NETWORKS
    all_networks = tuple(arch for archs in NETWORKS.values() for arch in archs)

    @staticmethod
    def array(public):
        """Return a public array with Python integers, or the floats."""
        values = np.array(public.tolist())
        return values if values.dtype.kind == "f" else np.array(public.tolist(), dtype=object)

    def value(self, theta, X):
        """Return V X X^T K^T Q X, layer after layer."""
        X = self.array(X)
        for layer in theta.layers:
            Q, K, V = (self.array(matrix) for matrix in (layer.Q, layer.K, layer.V))
            X = V @ X @ X.T @ K.T @ Q @ X
            if isinstance(theta.field, PrimeField):
                X = X % theta.field.p
        return X

    def same_function(self, one, two, inputs):
        """Return whether two points have the same values, over the reals up to rounding."""
        for X in inputs:
            a, b = self.value(one, X), self.value(two, X)
            if not (
                np.allclose(a, b, rtol=1e-7, atol=1e-7 * np.abs(a).max())
                if a.dtype.kind == "f"
                else np.array_equal(a, b)
            ):
                return False
        return True

    @staticmethod
    def rank(matrix, p):
        """Return the rank modulo p, by FLINT."""
        rows, columns = matrix.shape
        return flint.nmod_mat(rows, columns, [int(x) for x in matrix.ravel()], p).rank() if matrix.size else 0


@pytest.fixture(scope="session")
def plain():
    return Plain()


def values_stay(net: Network, family: Symmetry, seed: int = 1) -> bool:
    """Return whether a random element of a family leaves the values at random inputs: exactly over GF(p) if there are
    values, else up to rounding.
    """
    field = PrimeField() if net.algebraic else Reals()
    theta = verbs.sample(net, Weights, field=field, seed=seed)
    X = Elements(field, verbs.draw_array(field, shape=(4, *net.input_shape), seed=seed, label="inputs"))
    if net.vocabulary is not None:
        X = Elements.of(field, np.eye(net.vocabulary, dtype=np.int64)[:, [[0, 1, 2][: net.tokens]] * 2].swapaxes(0, 1))
    before = verbs.evaluate(net, theta, X).raw
    after = verbs.evaluate(net, verbs.act(family.element(theta, seed), theta), X).raw
    if net.algebraic:
        return np.array_equal(before, after)
    return np.allclose(before, after, rtol=1e-8, atol=1e-8 * np.abs(before).max())


@pytest.fixture(name="values_stay")
def values_stay_fixture() -> Callable[..., bool]:
    return values_stay
