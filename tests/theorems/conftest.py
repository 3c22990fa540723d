"""A second implementation, in numpy integers and FLINT, that shares no code with the package: networks, derivatives by
the product rule, ranks.
"""

import functools

import flint
import numpy as np
import pytest


class PlainIntegers:
    """Lightning networks modulo a prime so small that sums of products of residues fit into 64 bits."""

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

    def rank(self, matrix):
        rows, columns = matrix.shape
        return flint.nmod_mat(rows, columns, [int(x) for x in matrix.ravel()], self.p).rank() if matrix.size else 0

    def network(self, layers, X):
        """Compose the layers V X X^T A X with A = K^T Q (HMK Eq 2, 4)."""
        for Q, K, V in layers:
            X = self.times(V, X, np.swapaxes(X, -1, -2), K.T, Q, X)
        return X

    def derivative(self, layers, tangents, X):
        """Differentiate the network at the weights in the direction of the tangents, by the product rule."""
        dX = np.zeros_like(X)
        for (Q, K, V), (dQ, dK, dV) in zip(layers, tangents, strict=True):
            A, dA = self.times(K.T, Q), (dK.T @ Q + K.T @ dQ) % self.p
            XT, dXT = np.swapaxes(X, -1, -2), np.swapaxes(dX, -1, -2)
            factors, changes = [V, X, XT, A, X], [dV, dX, dXT, dA, dX]
            terms = [self.times(*factors[:k], changes[k], *factors[k + 1 :]) for k in range(5)]
            X, dX = self.times(*factors), sum(terms) % self.p
        return dX

    def directions(self, layers):
        """Iterate over the unit tangents: one for each entry of Q_1, K_1, V_1, Q_2, ..., row by row."""
        sizes = [array.size for layer in layers for array in layer]
        for position, size in enumerate(sizes):
            for entry in range(size):
                tangents = [np.zeros_like(array) for layer in layers for array in layer]
                tangents[position].flat[entry] = 1
                yield [tuple(tangents[i : i + 3]) for i in range(0, len(tangents), 3)]

    def jacobian(self, layers, X):
        """Return the Jacobian at a batch of inputs, a row for each entry of the values."""
        return np.stack([self.derivative(layers, tangents, X).ravel() for tangents in self.directions(layers)], axis=1)

    def dimension(self, dims, ranks, tokens, seed=0):
        """Return the rank of the Jacobian at random weights, with inputs added until a fresh one adds nothing."""
        layers = self.weights(dims, ranks, seed)
        rows = dims[-1] * tokens
        count = sum(array.size for layer in layers for array in layer) // rows + 2
        while True:
            jacobian = self.jacobian(layers, self.random((count, dims[0], tokens), seed + 1))
            rank = self.rank(jacobian)
            if rank == self.rank(jacobian[:-rows]):
                return rank
            count += 2

    def virtual_weights(self, layers):
        """Return M_1, ..., M_l and L with M_i = L_{i-1}^T K_i^T Q_i L_{i-1} (HMK Eq 8)."""
        L = np.eye(layers[0][0].shape[1], dtype=np.int64)
        M = []
        for Q, K, V in layers:
            M.append(self.times(L.T, K.T, Q, L))
            L = self.times(V, L)
        return M, L


@pytest.fixture(scope="session")
def plain():
    return PlainIntegers()
