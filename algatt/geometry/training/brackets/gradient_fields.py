"""Gradients of values of a network as vector fields on its weights, with their derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.fields import Adjoint, AdjointArray, Elements, Field, Jets, PrimeField
from algatt.fields.elementary import ELEMENTARY_PRIME, Given
from algatt.fields.jets import derivatives, jets
from algatt.geometry.dimensions.elementary.dimension import conditions_of, places_of
from algatt.geometry.dimensions.question import Options, Question
from algatt.geometry.training.brackets.known_functions import KnownFunction
from algatt.linalg import RowSpace
from algatt.maps.gradient import Leaves, pull_back, rows_by_adjoints
from algatt.parameters import Weights
from algatt.programs.interpret import Results


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

    @abstractmethod
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

    @abstractmethod
    def space(self, columns: int, target: int) -> Any:
        """Return a space of rows, which has a rank and takes rows into account."""


class PrimeFields(GradientFields):
    """Those at weights modulo a prime.

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

    def at(self, numbers: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        field = Jets(self.prime, (len(coefficients) - 1).bit_length())
        theta = self.theta.replace([Elements(field, jets(field, block)) for block in self.blocks(coefficients)])
        weights = jets(field, self.cotangents(numbers)[None])
        return derivatives(self.rows(field, theta, numbers, weights).raw)

    def space(self, columns: int, target: int) -> RowSpace:
        return RowSpace(self.prime, columns, target)

    @abstractmethod
    def rows(self, field: Jets, theta: Weights, numbers: np.ndarray, weights: np.ndarray) -> Elements:
        """Return the gradients of some linear forms of values as rows."""


class AlgebraicFields(PrimeFields):
    """Those of networks with values in every field."""

    def rows(self, field: Jets, theta: Weights, numbers: np.ndarray, weights: np.ndarray) -> Elements:
        drawn = [draw_inputs(self.arch, self.prime, self.seed, number, 1) for number in numbers.tolist()]
        inputs = Elements(field, jets(field, np.concatenate(drawn)[None]))
        return pull_back(self.arch, theta, inputs, Elements(field, weights))


class ElementaryFields(PrimeFields):
    """Those of networks with exponentials, roots or gates: residues stand for these, under conditions that are checked
    first.
    """

    def __init__(self, arch: Architecture, prime: PrimeField, seed: int) -> None:
        super().__init__(arch, prime, seed)
        conditions_of(Question(arch, Options(seed=seed)), prime, self.theta, seed)

    def rows(self, field: Jets, theta: Weights, numbers: np.ndarray, weights: np.ndarray) -> Elements:
        place = places_of(self.arch, self.theta, self.seed, numbers)
        reading, given = place.reading, place.functions()
        adjoint = Adjoint(field)

        def value_at(leaves: Leaves, block: slice) -> AdjointArray:
            tensors = {name: Elements(adjoint, leaf) for name, leaf in zip(theta.names(), leaves, strict=True)}
            functions = {number: known(reading.functions, number, one, block) for number, one in given.items()}
            X = None
            if reading.input is not None:
                inputs = jets(field, place.results[reading.input][block][None])
                X = Elements(adjoint, AdjointArray(inputs))
            results = Results(reading.program, adjoint, tensors, X, functions)
            value: AdjointArray = results[len(reading.program) - 1].raw
            return value

        rows = rows_by_adjoints(theta, len(numbers), value_at, lambda block: weights[block], field.dtype)
        rows.raw[~place.alive] = np.zeros((), dtype=field.dtype)
        return rows


def known(functions: Any, number: int, given: Given, block: slice) -> KnownFunction:
    """Return a function with its known values at some inputs."""
    return KnownFunction(functions.get(number), given.part(block))


def fields_of(arch: Architecture, seed: int) -> PrimeFields:
    """Return the gradient fields of a network at the weights of a seed, modulo a prime.

    Raises
    ------
    ConditionFailed
        If nothing is known modulo a prime, as of exponentials of tokens.
    """
    if arch.algebraic:
        return AlgebraicFields(arch, PrimeField(), seed)
    return ElementaryFields(arch, PrimeField(ELEMENTARY_PRIME), seed)
