"""Named instances on which every verb is run."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import entered_inputs, sample_inputs
from algatt.errors import DivisionByZero, NoValue
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.loading import load_methods
from algatt.parameters import Parameters, Weights
from algatt.testing.laws import examples, has_method

MOST_INPUTS = 1000
"""So many inputs are tried to find two at which no denominator vanishes."""


@dataclass(frozen=True)
class Instance:
    """An architecture with a point and inputs over one field: everything that a verb about networks asks for.

    Parameters
    ----------
    arch : Architecture
        The network.
    coordinates : type
        The coordinate system of the point.
    field : Field
        Where its entries lie.
    seed : int
        Names the point and the inputs.
    """

    arch: Architecture
    coordinates: type[Parameters]
    field: Field
    seed: int = 0

    @property
    def theta(self) -> Any:
        """The point."""
        return verbs.sample(self.arch, self.coordinates, field=self.field, seed=self.seed)

    @property
    def inputs(self) -> Any:
        """Two inputs at which the network is defined, as a public array of shape (2, d_0, t), or numbers of tokens of
        shape (2, t); of a network that reads pairs the matrices with both as blocks.
        """
        defined: list[np.ndarray] = []
        for number in range(MOST_INPUTS):
            one = sample_inputs(self.arch, field=self.field, seed=self.seed, start=number)
            if self.arch.source is not None:
                one = entered_inputs(self.arch, self.field, one).public()
            with contextlib.suppress(NoValue):
                verbs.evaluate(self.arch, self.theta, one)
                defined.append(one if self.arch.tokens_alone else Elements.of(self.field, one).raw)
            if len(defined) == 2:
                both = np.concatenate(defined)
                return both if self.arch.tokens_alone else Elements(self.field, both).public()
        raise DivisionByZero(f"a denominator vanishes at all but {len(defined)} of {MOST_INPUTS} inputs of {self}")

    def value(self, theta: Any = None) -> Any:
        """The network's values at the inputs, for the point or for other parameters."""
        return verbs.evaluate(self.arch, self.theta if theta is None else theta, self.inputs)

    def __str__(self) -> str:
        return f"{self.arch} in {self.coordinates.__name__} over {self.field}"


def coordinate_systems(arch: Architecture) -> list[type[Parameters]]:
    """Return the coordinate systems in which an architecture can be evaluated."""
    load_methods(("parameters",))  # and with them all coordinate systems
    systems = [cls for cls in Parameters.__subclasses__() if has_method(verbs.evaluate, type(arch), cls, Elements)]
    by_expression = verbs.evaluate.resolve((Architecture, Weights, Elements))
    if verbs.evaluate.resolve((type(arch), Weights, Elements)) is by_expression and not has_method(
        verbs.expression, type(arch)
    ):
        systems.remove(Weights)
    return systems


def market() -> dict[str, Instance]:
    """Return the named instances that every verb is run over.

    They are the examples of all architectures, in every coordinate system that each of them knows, over the reals and,
    if they are algebraic, over a small field, the default one, and one whose residues need Python integers; polynomials
    also over the smallest one.

    Returns
    -------
    dict
        From the instance's description to the `Instance`.
    """
    instances = (
        Instance(arch, coordinates, field)
        for arch in examples(Architecture)
        for coordinates in coordinate_systems(arch)
        for field in fields_of(arch)
    )
    return {str(instance): instance for instance in instances}


def fields_of(arch: Architecture) -> tuple[Field, ...]:
    """Return the fields over which an architecture is tried."""
    smallest = (PrimeField(2),) if arch.polynomial else ()
    exact = (*smallest, PrimeField(31), PrimeField(), PrimeField(2305843009213693951)) if arch.algebraic else ()
    return (*exact, Reals())
