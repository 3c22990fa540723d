"""Gauss-Newton steps in all unknowns of an orbit together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from algatt.errors import DivisionByZero
from algatt.fields import Elements, Reals
from algatt.geometry.alignment.problem import Frame, OrbitPoint
from algatt.geometry.alignment.unknowns import (
    EntryBlock,
    NumberBlock,
    ScalingBlock,
    SpaceBlock,
    UnknownBlock,
    VectorBlock,
    blocks_of,
)
from algatt.geometry.equality.large.balanced_form import matrices_of
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.symmetry import GroupElement
from algatt.symmetry.quotients.folded import through

STEPS = 60
"""Maximum number of steps."""

HALVINGS = 12
"""Maximum number of times that damping is raised before a step is given up."""

CONVERGED = 1e-10
"""Relative fall of the distance from which on a step is the last."""

DENSE = 2**22
"""Maximum number of entries of a matrix of tangents that is made; larger ones are applied block by block."""

NEGLIGIBLE = 1e-13
"""Eigenvalues of squared tangents below this share of the largest are taken for rounding."""

PRODUCTS = 400
"""Maximum number of products with the tangents in a step."""

LONGEST = 1.5
"""Largest entry of a step in logarithms of numbers and angles."""


@dataclass(eq=False)
class OrbitTangents:
    """The tangents of an orbit at a point, as a linear map.

    Parameters
    ----------
    blocks : sequence of Block
        The unknowns.
    tensors : dict of str to ndarray
        The tensors, for their shapes.
    """

    blocks: Sequence[UnknownBlock]
    tensors: dict[str, np.ndarray]

    def __post_init__(self) -> None:
        self.ends = np.cumsum([0, *(block.size for block in self.blocks)])
        self.scales = np.ones(len(self.blocks))
        draw = np.random.default_rng(0)
        for number, block in enumerate(self.blocks):  # what the unknowns of a block move, in the mean
            p = draw.choice([-1.0, 1.0], block.size)
            changes = self.none()
            block.add(p, changes)
            norm = np.sqrt(sum(np.vdot(one, one) for one in changes.values()) / block.size)
            self.scales[number] = 1 / norm if norm else 1.0

    def none(self) -> dict[str, np.ndarray]:
        """Return changes that are zero."""
        return {name: np.zeros_like(W) for name, W in self.tensors.items()}

    def parts(self, p: np.ndarray) -> list[np.ndarray]:
        """Return the unknowns block by block."""
        return [
            p[start:stop] * scale for start, stop, scale in zip(self.ends, self.ends[1:], self.scales, strict=False)
        ]

    def forward(self, p: np.ndarray) -> np.ndarray:
        """Return the changes of all tensors, one after the other."""
        changes = self.none()
        for block, part in zip(self.blocks, self.parts(p), strict=True):
            block.add(part, changes)
        return np.concatenate([one.ravel() for one in changes.values()])

    def adjoint(self, vector: np.ndarray) -> np.ndarray:
        """Return the products of changes with the tangents."""
        changes, start = {}, 0
        for name, W in self.tensors.items():
            changes[name] = vector[start : start + W.size].reshape(W.shape)
            start += W.size
        return np.concatenate(
            [block.adjoint(changes) * scale for block, scale in zip(self.blocks, self.scales, strict=True)]
        )

    def solver(self, residual: np.ndarray) -> Callable[[float], np.ndarray]:
        """Return what solves for the unknowns that change tensors by a residual, by least squares, for a damping."""
        from scipy.sparse.linalg import LinearOperator, lsmr

        shape = len(residual), int(self.ends[-1])
        if shape[0] * shape[1] > DENSE:
            maps = LinearOperator(shape, matvec=self.forward, rmatvec=self.adjoint, dtype=float)
            most = min(PRODUCTS, 4 * shape[1])
            return lambda damping: lsmr(maps, residual, damp=damping, atol=1e-10, btol=1e-10, maxiter=most)[0]
        matrix = self.dense()
        values, vectors = np.linalg.eigh(matrix @ matrix.T)
        along = vectors.T @ (matrix @ residual)
        seen = values > NEGLIGIBLE * values[-1]
        return lambda damping: vectors[:, seen] @ (along[seen] / (values[seen] + damping**2))

    def dense(self) -> np.ndarray:
        """Return the tangents as rows of a matrix."""
        rows = []
        for block, scale in zip(self.blocks, self.scales, strict=True):
            for unit in np.eye(block.size):
                changes = self.none()
                block.add(unit * scale, changes)
                rows.append(np.concatenate([one.ravel() for one in changes.values()]))
        return np.array(rows)


def refine(position: OrbitPoint, share: float = CONVERGED) -> OrbitPoint:
    """Return a point nearer to the target, if there is one near, by steps that each lead nearer; the last is the first
    that does so by less than a share of the distance.
    """
    damping = 0.0
    for _ in range(STEPS):
        try:
            frame = position.problem.frame(position.theta)
        except DivisionByZero:
            return position
        found, damping = step(position, frame, damping)
        if found is None:
            return position
        fall = position.distance - found.distance
        position = found
        if fall <= share * position.distance:
            return position
    return position


def step(position: OrbitPoint, frame: Frame, damping: float) -> tuple[OrbitPoint | None, float]:
    """Return the point after a step, None if none leads nearer, and the damping for the next one."""
    tensors = matrices_of(position.theta)
    blocks = [block for block in blocks_of(position, frame) if block.size]
    if not blocks:
        return None, damping
    tangents = OrbitTangents(blocks, tensors)
    residual = np.concatenate([(position.problem.goal[name] - W).ravel() for name, W in tensors.items()])
    solve = tangents.solver(residual)
    for _ in range(HALVINGS):
        with contextlib.suppress(DivisionByZero, FloatingPointError, np.linalg.LinAlgError):
            found = position.moved(elements_of(position, blocks, tangents.parts(solve(damping))))
            if found.distance < position.distance:
                return found, damping / 8 if damping > 1e-6 else 0.0
        damping = max(1e-3, 4 * damping)
    return None, damping


def elements_of(
    position: OrbitPoint, blocks: Sequence[UnknownBlock], parts: Sequence[np.ndarray]
) -> list[GroupElement]:
    """Return the elements of unknowns, the first of which acts first."""
    problem = position.problem
    matrices, numbers = {}, {}
    others: list[GroupElement] = []
    for block, p in zip(blocks, parts, strict=True):
        if isinstance(block, SpaceBlock):
            matrices[block.space] = block.pair(p * min(1.0, LONGEST / max(np.abs(p).max(), LONGEST)))
        elif isinstance(block, NumberBlock):
            its = block.numbers(np.clip(p, -LONGEST, LONGEST))
            if block.gain is None:
                numbers[block.factors] = its
            else:
                others.append(block.gain.element_of(Elements(Reals(), its[:, None])))
        elif isinstance(block, ScalingBlock):
            number = float(np.exp(np.clip(p[0], -LONGEST, LONGEST)))
            others.append(block.scaling.element(position.theta.tensors, number))
        elif isinstance(block, VectorBlock | EntryBlock):
            others.append(block.element(p))
    if matrices or numbers:
        return [through(problem.fold, CoordinateChange(problem.motions, {}, matrices, {}, numbers)), *others]
    return others
