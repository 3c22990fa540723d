"""What all attention architectures have in common: widths, ranks, a number of tokens, and three coordinate systems."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures.description import description_of
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Balls, Elements, Field, PrimeField, PublicArray, Reals
from algatt.fields.real import field_of
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.parameters.base import Coordinates

__all__ = ["Architecture", "check_fits", "check_inputs", "functions_only", "whole"]

Shape = tuple[int, int]


def whole(argument: str, value: Any, least: int = 1) -> int:
    """Return `value` as an int, or raise `InvalidArgument` unless it is an integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidArgument(argument, repr(value), f"an integer >= {least}")
    return int(value)


@dataclass(frozen=True)
class Architecture(ABC):
    """An attention network without its weights.

    A concrete architecture is a frozen dataclass with a method of `algatt.evaluate` for `Weights`, written in ring operations.

    Parameters
    ----------
    dims : sequence of int
        The widths d_0, ..., d_l, at least two.
    ranks : sequence of int
        The ranks a_1, ..., a_l of the attention matrices.
    tokens : int
        The number t of tokens.

    Raises
    ------
    InvalidArgument
        If a number is not an integer >= 1, or the lengths do not match.
    """

    dims: tuple[int, ...]
    ranks: tuple[int, ...]
    tokens: int

    def __post_init__(self) -> None:
        for name in ("dims", "ranks"):
            value = getattr(self, name)
            if isinstance(value, str | bytes) or not isinstance(value, Iterable):
                raise InvalidArgument(name, repr(value), "a sequence of integers")
            object.__setattr__(self, name, tuple(whole(f"{name}[{i}]", entry) for i, entry in enumerate(value)))
        if len(self.dims) < 2:
            raise InvalidArgument("dims", f"of length {len(self.dims)}", "of length at least 2: d_0, ..., d_l")
        if len(self.ranks) != self.layers:
            raise InvalidArgument("ranks", f"of length {len(self.ranks)}", f"of length {self.layers}, one less than dims")
        object.__setattr__(self, "tokens", whole("tokens", self.tokens))

    @property
    def layers(self) -> int:
        """The number l of layers."""
        return len(self.dims) - 1

    @property
    def parameters(self) -> int:
        """The number of entries of all query, key and value matrices."""
        return sum(rows * columns for rows, columns in verbs.shapes(self, Weights))

    @property
    def algebraic(self) -> bool:
        """Whether the values are quotients of polynomials with integer coefficients, in weights and inputs, and so exist over GF(p)."""
        return True

    @property
    def polynomial(self) -> bool:
        """Whether the values are polynomials in weights and inputs, whose degrees can be read off the code."""
        return True

    @property
    def divides(self) -> bool:
        """Whether some points may have no function, since a denominator vanishes at every input.

        Then this is asked before anything is evaluated in floats, which may hide it.
        """
        return False

    def description(self) -> dict[str, Any]:
        """Return the architecture as plain values for JSON: its name and all its fields."""
        return description_of(self)

    @classmethod
    def examples(cls) -> Iterable[Architecture]:
        """Return instances on which the conformance tests run."""
        return ()


def check_fits(arch: Architecture, theta: Parameters) -> None:
    """Raise `InvalidArgument` unless `theta` has the shapes of the architecture."""
    expected = verbs.shapes(arch, type(theta))
    if tuple(element.shape for element in theta.elements) != expected:
        raise InvalidArgument("theta", f"{theta!r}", f"parameters of {arch}")


def check_inputs(arch: Architecture, shape: tuple[int, ...]) -> None:
    """Raise `InvalidArgument` unless `shape` is that of one input or of a batch of them."""
    one = (arch.dims[0], arch.tokens)
    if len(shape) not in (2, 3) or shape[-2:] != one:
        raise InvalidArgument("inputs", f"of shape {shape}", f"of shape {one} or (batch, {one[0]}, {one[1]})")


@verbs.shapes.method
def shapes_of_weights(arch: Architecture, coordinates: type[Weights]) -> tuple[Shape, ...]:
    sizes = zip(arch.dims, arch.dims[1:], arch.ranks, strict=False)
    return tuple(shape for d, e, a in sizes for shape in ((a, d), (a, d), (e, d)))


@verbs.shapes.method
def shapes_of_attention_matrix(arch: Architecture, coordinates: type[AttentionMatrix]) -> tuple[Shape, ...]:
    sizes = zip(arch.dims, arch.dims[1:], strict=False)
    return tuple(shape for d, e in sizes for shape in ((d, d), (e, d)))


@verbs.shapes.method
def shapes_of_virtual_weights(arch: Architecture, coordinates: type[VirtualWeights]) -> tuple[Shape, ...]:
    width = arch.dims[0]
    return (*((width, width),) * arch.layers, (arch.dims[-1], width))


def checked_field(field: Field | None) -> Field:
    """Return a field to draw from, the default prime field unless given."""
    if field is None:
        return PrimeField()
    if not isinstance(field, PrimeField | Reals | Balls):
        raise InvalidArgument("field", repr(field), "a PrimeField, Reals() or Balls()")
    return field


@verbs.sample.method
def sample_weights(arch: Architecture, coordinates: type[Weights], *, field: Field | None = None, seed: int = 0) -> Weights:
    field = checked_field(field)
    vector = verbs.draw_array(field, shape=(arch.parameters,), seed=seed, label="weights")
    return Weights(split(field, vector, verbs.shapes(arch, Weights)))


@verbs.sample.method
def sample_quotient(
    arch: Architecture,
    coordinates: type[Coordinates],
    *,
    field: Field | None = None,
    seed: int = 0,
) -> Coordinates:
    return verbs.convert(verbs.sample(arch, Weights, field=field, seed=seed), coordinates)


@verbs.sample_inputs.method
def sample_inputs(arch: Architecture, *, field: Field | None = None, seed: int = 0, count: int = 1, start: int = 0) -> Any:
    field = checked_field(field)
    return verbs.decode(field, draw_inputs(arch, field, seed, whole("start", start, 0), whole("count", count, 0)))


def draw_inputs(arch: Architecture, field: Field, seed: int, start: int, count: int) -> Any:
    """Return `count` raw inputs, number k being drawn from the stream ``input/k`` of the seed."""
    shape = (arch.dims[0], arch.tokens)
    drawn = [verbs.draw_array(field, shape=shape, seed=seed, label=f"input/{k}") for k in range(start, start + count)]
    return np.stack(drawn) if drawn else np.empty((0, *shape))


def split(field: Field, vector: np.ndarray, shapes: tuple[Shape, ...]) -> tuple[Elements, ...]:
    """Cut a raw vector into matrices."""
    ends = np.cumsum([rows * columns for rows, columns in shapes])
    vector.setflags(write=False)
    pieces = np.split(vector, ends[:-1])
    return tuple(Elements(field, piece.reshape(shape)) for piece, shape in zip(pieces, shapes, strict=True))


@verbs.unflatten.method
def unflatten_vector(
    arch: Architecture,
    coordinates: type[Coordinates],
    vector: PublicArray,
    *,
    field: Field | None = None,
) -> Coordinates:
    shapes = verbs.shapes(arch, coordinates)
    count = sum(rows * columns for rows, columns in shapes)
    elements = Elements.of(field_of(vector) if field is None else field, vector, "vector")
    if elements.shape != (count,):
        raise InvalidArgument("vector", f"of shape {elements.shape}", f"of shape ({count},), the parameters of {arch}")
    return coordinates(split(elements.field, np.array(elements.raw), shapes))


@verbs.evaluate.method
def evaluate_public(arch: Architecture, theta: Parameters, inputs: PublicArray) -> Any:
    check_fits(arch, theta)
    elements = Elements.of(theta.field, inputs, "inputs")
    check_inputs(arch, elements.shape)
    with functions_only(arch, theta):
        return verbs.evaluate(arch, theta, elements).public()


@contextmanager
def functions_only(arch: Architecture, theta: Parameters) -> Iterator[None]:
    """Raise `UndefinedFunction` for a point that has no function, instead of `DivisionByZero` or of rounded zeros."""
    if isinstance(theta.field, Reals) and arch.divides:
        verbs.has_function(arch, theta).check("theta")
    try:
        yield
    except DivisionByZero:
        verbs.has_function(arch, theta).check("theta")
        raise
