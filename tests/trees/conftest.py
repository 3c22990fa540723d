"""A second implementation in plain integers modulo a prime: networks, virtual weights, and monomials as they are
written.
"""

import functools

import numpy as np
import pytest


class Plain:
    """Nothing here is code of the package; the prime is so small that sums of products of residues fit into 64 bits."""

    p = 1048583

    def random(self, shape, seed):
        return np.random.default_rng(seed).integers(0, self.p, shape)

    def weights(self, dims, ranks, seed):
        """Return random triples (Q, K, V)."""
        rng = np.random.default_rng(seed)
        sizes = zip(dims, dims[1:], ranks, strict=False)
        return [tuple(rng.integers(0, self.p, shape) for shape in ((a, d), (a, d), (e, d))) for d, e, a in sizes]

    def times(self, *matrices):
        return functools.reduce(lambda left, right: left @ right % self.p, matrices)

    def network(self, layers, X):
        """Compose the layers V X X^T K^T Q X."""
        for Q, K, V in layers:
            X = self.times(V, X, X.T, K.T, Q, X)
        return X

    def virtual_weights(self, layers):
        """Return M_1, ..., M_l and L."""
        L = np.eye(layers[0][0].shape[1], dtype=np.int64)
        M = []
        for Q, K, V in layers:
            M.append(self.times(L.T, K.T, Q, L))
            L = self.times(V, L)
        return M, L

    def function(self, M, L, X):
        """Run the recursion of HMK Lemma 3.6."""
        P, value = X @ X.T % self.p, X
        for matrix in M:
            value = self.times(P, matrix, value)
            P = self.times(P, matrix, P, matrix.T, P)
        return self.times(L, value)

    def monomial(self, matrices, L, X, indices):
        """Return L x_{j_1} prod x_{j_m}^T F_m x_{j_{m+1}} for the matrices F_1, ..., F_N."""
        value = L @ X[:, indices[0]] % self.p
        for matrix, left, right in zip(matrices, indices, indices[1:], strict=False):
            value = value * int(X[:, left] @ (matrix @ X[:, right] % self.p) % self.p) % self.p
        return value


@pytest.fixture(scope="session")
def plain():
    return Plain()
