"""Gradients of values of a network as vector fields on its weights, with their derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.fields import Elements, Field, FirstOrder, PrimeField
from algatt.fields.first_order import join, split
from algatt.fields.functions import ELEMENTARY_PRIME
from algatt.geometry.dimensions.elementary.dimension import conditions_of, places_of
from algatt.geometry.dimensions.question import Options, Question
from algatt.linalg import RowSpace
from algatt.maps.gradient import pull_back, pull_back_at_places
from algatt.parameters import Weights


class GradientFields(ABC):
    r"""The vector fields :math:`\nabla_\theta \langle C_k, f(\theta; x_k) \rangle`, for random inputs and coefficients.

    Parameters
    ----------
    arch : Architecture
        The network.
    field : Field
        The field of the weights.
    seed : int
        Names the weights, the inputs and the coefficients.
    theta : Weights
        The weights.
    """

    def __init__(self, arch: Architecture, field: Field, seed: int, theta: Weights) -> None:
        self.arch, self.field, self.seed, self.theta = arch, field, seed, theta

    @property
    def point(self) -> np.ndarray:
        """The weights, as one row: the coefficients of a jet in no variables."""
        return np.concatenate([one.raw.ravel() for one in self.theta.elements])[None]

    def blocks(self, coefficients: np.ndarray) -> Iterator[np.ndarray]:
        """Iterate over the tensors of weights with derivatives: their coefficients, of shape (2^m, rows, columns)."""
        start = 0
        for one in self.theta.elements:
            yield coefficients[:, start : start + one.raw.size].reshape(-1, *one.shape)
            start += one.raw.size

    def cotangents(self, numbers: np.ndarray) -> np.ndarray:
        """Return the coefficients C_k of some of the fields, raw."""
        shape, seed = self.arch.output_shape, self.seed
        labels = [f"coefficients/{number}" for number in numbers.tolist()]
        return np.stack([verbs.draw_array(self.field, shape=shape, seed=seed, label=label) for label in labels])

    def at(self, numbers: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        """Return some of the fields at weights with derivatives.

        Parameters
        ----------
        numbers : ndarray of int
            Shape (k,): the numbers of the fields.
        coefficients : ndarray
            Shape (2^m, parameters): the coefficients of weights that depend on m variables.

        Returns
        -------
        ndarray
            Shape (2^m, k, parameters).
        """
        field = self.field
        for _ in range((len(coefficients) - 1).bit_length()):
            field = FirstOrder(field)
        theta = self.theta.replace([Elements(field, join(block)) for block in self.blocks(coefficients)])
        return split(self.rows(theta, numbers, field.lift(self.cotangents(numbers))).raw)

    @abstractmethod
    def rows(self, theta: Weights, numbers: np.ndarray, cotangents: np.ndarray) -> Elements:
        """Return the gradients of some linear forms of values as rows, over the field of weights with derivatives."""

    @abstractmethod
    def space(self, columns: int, target: int) -> Any:
        """Return a space of rows, which has a rank and takes rows into account."""


class PrimeFields(GradientFields):
    """Those at weights modulo a prime, of networks with values in every field.

    Parameters
    ----------
    arch : Architecture
        The network.
    prime : PrimeField
        The field of the weights.
    seed : int
        Names the weights, the inputs and the coefficients.
    """

    def __init__(self, arch: Architecture, prime: PrimeField, seed: int) -> None:
        super().__init__(arch, prime, seed, verbs.sample(arch, Weights, field=prime, seed=seed))
        self.prime = prime

    def rows(self, theta: Weights, numbers: np.ndarray, cotangents: np.ndarray) -> Elements:
        drawn = [draw_inputs(self.arch, self.prime, self.seed, number, 1) for number in numbers.tolist()]
        inputs = Elements(theta.field, theta.field.lift(np.concatenate(drawn)))
        return pull_back(self.arch, theta, inputs, Elements(theta.field, cotangents))

    def space(self, columns: int, target: int) -> RowSpace:
        return RowSpace(self.prime, columns, target)


class ElementaryFields(PrimeFields):
    """Those of networks with exponentials, roots or gates: residues stand for these, under conditions that are checked
    first.
    """

    def __init__(self, arch: Architecture, prime: PrimeField, seed: int) -> None:
        super().__init__(arch, prime, seed)
        conditions_of(Question(arch, Options(seed=seed)), prime, self.theta, seed)

    def rows(self, theta: Weights, numbers: np.ndarray, cotangents: np.ndarray) -> Elements:
        place = places_of(self.arch, self.theta, self.seed, numbers)
        rows = pull_back_at_places(theta, place, np.arange(len(numbers)), lambda block: cotangents[block])
        rows.raw[~place.alive] = np.zeros((), dtype=rows.raw.dtype)
        return rows


def fields_of(arch: Architecture, seed: int) -> PrimeFields:
    """Return the gradient fields of a network at the weights of a seed, modulo a prime.

    Raises
    ------
    ConditionFailed
        If nothing is known modulo a prime, as of exponentials of tokens.
    """
    if arch.algebraic:
        return PrimeFields(arch, PrimeField(), seed)
    return ElementaryFields(arch, PrimeField(ELEMENTARY_PRIME), seed)
