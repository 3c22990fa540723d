"""Gradients as vector fields near a real point, enclosed by balls: for networks without ranks modulo a prime."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import ConditionFailed, NoValue
from algatt.fields import Elements, FloatBalls
from algatt.geometry.dimensions.question import Options, Question
from algatt.geometry.dimensions.real_point import RealBalls, ball_weights, numbered_inputs, widened
from algatt.geometry.training.brackets.gradient_fields import GradientFields
from algatt.maps.gradient import pull_back
from algatt.parameters import Weights

LEVELS = (1e-10, 1e-8, 1e-6, 1e-4)
"""Pivots below these parts of the largest are taken for zero, the first level first, until a minor is regular."""


class RealFields(GradientFields):
    r"""The vector fields :math:`\nabla_\theta \langle C_k, f(\theta; x_k) \rangle` at real weights and inputs.

    A rank of them and of their brackets that is proven at one real point is a lower bound of that at almost all weights
    for which the network is the same analytic function: with gates, those near the point.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int
        Names the weights, the inputs and the coefficients.
    balls : FloatBalls or Balls
        The field of the weights.
    """

    def __init__(self, arch: Architecture, seed: int, balls: RealBalls) -> None:
        super().__init__(arch, balls, seed, ball_weights(arch, balls, seed))
        self.balls = balls
        self.gated = Question(arch, Options(seed=seed)).has_gates
        self.found = BallSpace(0)

    def rows(self, theta: Weights, numbers: np.ndarray, cotangents: np.ndarray) -> Elements:
        inputs = numbered_inputs(self.arch, self.balls, self.seed, numbers)
        try:
            if self.gated:
                self.check_gates(inputs)
            lifted = Elements(theta.field, theta.field.lift(inputs.raw))
            return pull_back(self.arch, theta, lifted, Elements(theta.field, cotangents))
        except NoValue as error:
            raise ConditionFailed(f"there is no value at the real point: {error}") from error

    def check_gates(self, inputs: Elements) -> None:
        """Raise `NoValue` where a gate changes around the point; one that is zero all around may be."""
        base = self.balls
        around = self.theta.replace([widened(base, element) for element in self.theta.elements])
        fixed = self.arch.vocabulary is not None
        verbs.evaluate(self.arch, around, inputs if fixed else widened(base, inputs))

    def space(self, columns: int, target: int) -> BallSpace:
        self.found = BallSpace(target)
        return self.found


class BallSpace:
    """Rows of balls with a rank that is proven by a regular minor.

    Attributes
    ----------
    rank : int
        The proven rank.
    seen : int
        The rank of the midpoints, which floats see and nothing proves.

    Parameters
    ----------
    target : int
        The rank that is looked for.
    """

    def __init__(self, target: int) -> None:
        self.target, self.rank, self.seen = target, 0, 0
        self.rows: np.ndarray | None = None

    def add(self, rows: Elements) -> int:
        """Take rows into account and return by how much the proven rank grew."""
        import scipy.linalg

        before, new = self.rank, verbs.encode(FloatBalls(), rows.raw)
        raw = new if self.rows is None else np.concatenate([self.rows, new])
        raw = raw[np.isfinite(raw["mid"]).all(axis=1) & np.isfinite(raw["rad"]).all(axis=1)]
        lengths = np.linalg.norm(raw["mid"], axis=1, keepdims=True)
        raw = raw[lengths[:, 0] > 0]
        mid = raw["mid"] / lengths[lengths[:, 0] > 0]
        if not len(mid):
            return 0
        triangle, order = scipy.linalg.qr(mid.T, mode="r", pivoting=True, check_finite=False)
        pivots = np.abs(np.diagonal(triangle))
        self.seen = min(int((pivots > LEVELS[0] * pivots[0]).sum()), self.target)
        self.rows = raw[order[: self.seen]]
        for level in LEVELS:
            count = min(int((pivots > level * pivots[0]).sum()), self.target)
            if count <= self.rank:
                break
            chosen = order[:count]
            _, columns = scipy.linalg.qr(mid[chosen], mode="r", pivoting=True, check_finite=False)
            if verbs.is_regular(FloatBalls(), raw[chosen][:, columns[:count]]):
                self.rank = count
        return self.rank - before
