"""A second implementation of the flow that shares no code with the package: sums written out over all pairs, in Python
floats.
"""

import math

import numpy as np
import pytest

import algatt


class PlainFlow:
    """Heads as pairs of matrices (M, V), with the formulas of the theory page entry by entry."""

    def __init__(self, flow, dimension):
        self.normalised = not isinstance(flow.weights, algatt.layers.Unnormalized)
        score = flow.weights if self.normalised else flow.weights.score
        self.rectified = isinstance(score, algatt.layers.ReLU)
        self.temperature = 1.0 if self.rectified else float(score.temperature)
        self.sphere = type(flow).__name__ == "SphereFlow"
        self.before = type(flow).__name__ == "PreNormFlow"
        assert flow.mask in (None, algatt.layers.Causal(), algatt.layers.Window(2))
        self.back = {"None": None, "Causal()": 10**6, "Window(2)": 2}[repr(flow.mask)]
        self.beta = flow.beta
        self.heads = [head.matrices(dimension) for head in flow.heads]

    def sees(self, i, j):
        """Whether token i looks at token j: itself and those before it, as far back as there are."""
        return self.back is None or 0 <= i - j < self.back

    def directions(self, X):
        return X / np.sqrt((X * X).sum(axis=0)) if self.before else X

    def weight(self, u):
        return max(u, 0.0) if self.rectified else math.exp(u / self.temperature)

    def potential(self, u):
        """The integral of the weight from 0, or from minus infinity."""
        return max(u, 0.0) ** 2 / 2 if self.rectified else self.temperature * math.exp(u / self.temperature)

    def score(self, M, X, i, j):
        return float(X[:, i] @ M @ X[:, j])

    def outputs(self, X):
        n, X = X.shape[1], self.directions(X)
        result = np.zeros((len(self.heads), *X.shape))
        for h, (M, V) in enumerate(self.heads):
            for i in range(n):
                row = [self.sees(i, j) * self.weight(self.beta * self.score(M, X, i, j)) for j in range(n)]
                total = math.fsum(row) if self.normalised else 1.0
                result[h, :, i] = sum(row[j] / total * (V @ X[:, j]) for j in range(n))
        return result

    def velocity(self, X):
        n = X.shape[1]
        v = self.outputs(X).sum(axis=0) / (1 if self.normalised else n)
        if not self.sphere:
            return v
        return np.stack([(np.eye(len(X)) - np.outer(x, x)) @ y for x, y in zip(X.T, v.T, strict=True)], axis=1)

    def energies(self, X):
        n, X = X.shape[1], self.directions(X)
        pairs = [(i, j) for i in range(n) for j in range(n) if self.sees(i, j)]
        sums = [math.fsum(self.potential(self.beta * self.score(M, X, i, j)) for i, j in pairs) for M, _ in self.heads]
        return np.array(sums) / (2 * self.beta * n**2)

    def entropies(self, X):
        n, X = X.shape[1], self.directions(X)
        result = np.zeros((len(self.heads), n))
        for h, (M, _) in enumerate(self.heads):
            for i in range(n):
                seen = [j for j in range(n) if self.sees(i, j)]
                row = [math.exp(self.beta / self.temperature * self.score(M, X, i, j)) for j in seen]
                result[h, i] = -math.fsum(p / math.fsum(row) * math.log(p / math.fsum(row)) for p in row)
        return result

    def moved(self, X, change):
        Y = X + change
        return Y / np.linalg.norm(Y, axis=0) if self.sphere else Y


@pytest.fixture(scope="session")
def plain():
    return PlainFlow
