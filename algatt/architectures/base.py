"""What all architectures have in common: names and shapes of their tensors, shapes of inputs and values, and their
function.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from algatt import verbs
from algatt.architectures.pairs import blocks_of_pair, draw_pair, entered_matrix, entered_pair, matrices_of_pairs
from algatt.arguments import instance, whole
from algatt.dispatch import noun_in
from algatt.errors import NETWORK, DivisionByZero, InvalidArgument, in_words
from algatt.fields import Balls, Elements, Field, FloatBalls, PrimeField, PublicArray, Rationals, Reals
from algatt.fields.real import field_of
from algatt.files import shorten
from algatt.parameters import Parameters, Weights
from algatt.parameters.base import Coordinates
from algatt.plain import description_of
from algatt.randomness import random_words

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Architecture(ABC):
    """A network without its weights.

    Most are made of layers: see `Network`. A concrete architecture is a frozen dataclass with methods of
    `algatt.coordinates`, which names its tensors, and of `algatt.evaluate` for `Weights`, written in ring operations;
    or with one of `algatt.expression`, which says what `Network` it is.
    """

    @property
    @abstractmethod
    def input_shape(self) -> tuple[int, int]:
        """Width and number of tokens of an input."""

    @property
    @abstractmethod
    def output_shape(self) -> tuple[int, int]:
        """Width and number of tokens of the value."""

    @property
    def vocabulary(self) -> int | None:
        """The number of tokens that the network reads, an input being given by their numbers; None if it
        reads vectors.
        """
        return None

    @property
    def source(self) -> tuple[int, int] | None:
        """How many rows and columns of numbers the network reads before its tokens, an input being the pair of both;
        None if it reads tokens alone, or vectors.
        """
        return None

    @property
    def tokens_alone(self) -> bool:
        """Whether an input is given by the numbers of tokens, and nothing else."""
        return self.vocabulary is not None and self.source is None

    @property
    def units(self) -> tuple[int, int] | None:
        """From which row and which column on the columns of inputs are unit vectors; None if it reads no tokens."""
        return None if self.vocabulary is None else self.source or (0, 0)

    @property
    def sequences(self) -> int | None:
        """How many different inputs there are; None if these are infinitely many."""
        return int((self.vocabulary or 0) ** self.input_shape[1]) if self.tokens_alone else None

    @property
    def outputs(self) -> int:
        """The number of entries of the value."""
        return math.prod(self.output_shape)

    @property
    def parameters(self) -> int:
        """The number of entries of all tensors."""
        return sum(math.prod(shape) for shape in verbs.shapes(self, Weights))

    @property
    def algebraic(self) -> bool:
        """Whether the values are quotients of polynomials with rational coefficients, in weights and inputs, and so
        exist over GF(p).
        """
        return True

    @property
    def polynomial(self) -> bool:
        """Whether the values are polynomials in weights and inputs."""
        return True

    @property
    def divides(self) -> bool:
        """Whether some points may have no function, since a denominator vanishes at every input.

        Then this is asked before anything is evaluated in floats, which may hide it.
        """
        return False

    @property
    def exponents(self) -> dict[str, int]:
        """For tensors whose entries should be about 2^h at a random real point, and not as large as keeps tokens of
        their size: their names, with h.
        """
        return {}

    @property
    def scores(self) -> int:
        """At least so many normalised scores between tokens are held together for one input."""
        return 0

    def description(self) -> dict[str, Any]:
        """Return the architecture as plain values for JSON: its name and all its fields."""
        return description_of(self)

    @classmethod
    def examples(cls) -> Iterable[Architecture]:
        """Return instances on which the conformance tests run."""
        return ()


class HoldsNoun(ABC):
    """A value that stands for a network, a certificate or weights, as what `algatt.load` returns."""

    @abstractmethod
    def __noun__(self) -> Any:
        """Return the noun."""


NetworkLike: TypeAlias = Architecture | HoldsNoun
"""What functions take for a network: one, or what `algatt.load` returns."""


def as_architecture(given: NetworkLike, name: str = "arch") -> Architecture:
    """Return a network, or the one that a value stands for.

    Raises
    ------
    InvalidArgument
        If it is neither.
    """
    found = noun_in(given)
    if not isinstance(found, Architecture):
        raise InvalidArgument(name, in_words(found), NETWORK)
    return found


def check_fits(arch: Architecture, theta: Parameters) -> None:
    """Raise `InvalidArgument` unless `theta` has the tensors of the architecture, in its order, as `algatt.flatten` and
    derivatives have them.
    """
    as_architecture(arch)
    instance("theta", theta, Parameters, "parameters, such as Weights")
    given = dict(zip(theta.names(), (element.shape for element in theta.elements), strict=True))
    if isinstance(theta, Weights):
        asked = verbs.coordinates(arch)
        for name, shape in asked.items():
            if name not in given:
                raise InvalidArgument("theta", f"{theta!r}, without {name}", f"parameters of {arch}")
            if given[name] != shape:
                raise InvalidArgument(
                    "theta",
                    f"{theta!r}, with {name} of shape {given[name]}",
                    f"parameters of {arch}, with {name} of shape {shape}",
                )
        for name in given:
            if name not in asked:
                raise InvalidArgument("theta", f"{theta!r}, with {name}", f"parameters of {arch}, which has no {name}")
        if tuple(given) != tuple(asked):
            raise InvalidArgument(
                "theta",
                f"{theta!r}, with the tensors {shorten(', '.join(given), 200)}",
                f"with them in the order {shorten(', '.join(asked), 200)}",
            )
    elif tuple(given.values()) != verbs.shapes(arch, type(theta)):
        raise InvalidArgument("theta", f"{theta!r}", f"parameters of {arch}")


def check_inputs(arch: Architecture, shape: tuple[int, ...]) -> None:
    """Raise `InvalidArgument` unless `shape` is that of one input or of a batch of them."""
    one = arch.input_shape
    if len(shape) not in (2, 3) or shape[-2:] != one:
        raise InvalidArgument("inputs", f"of shape {shape}", f"of shape {one} or (batch, {one[0]}, {one[1]})")


@verbs.shapes.method
def shapes_of_weights(arch: Architecture, coordinates: type[Weights]) -> tuple[Shape, ...]:
    return tuple(verbs.coordinates(arch).values())


def checked_field(field: Field | None) -> Field:
    """Return a field to draw from, the default prime field unless given."""
    if field is None:
        return PrimeField()
    return instance(
        "field",
        field,
        PrimeField | Rationals | Reals | Balls | FloatBalls,
        "a PrimeField, Rationals(), Reals() or Balls()",
    )


@verbs.sample.method
def sample_weights(
    arch: Architecture, coordinates: type[Weights], *, field: Field | None = None, seed: int = 0
) -> Weights:
    field = checked_field(field)
    vector = verbs.draw_array(field, shape=(arch.parameters,), seed=seed, label="weights")
    return Weights(split(field, vector, verbs.shapes(arch, Weights)), tuple(verbs.coordinates(arch)))


@verbs.sample.method
def sample_quotient(
    arch: Architecture,
    coordinates: type[Coordinates],
    *,
    field: Field | None = None,
    seed: int = 0,
) -> Coordinates:
    return verbs.convert(verbs.sample(arch, Weights, field=field, seed=seed), coordinates)


def sample_inputs(
    arch: NetworkLike, *, field: Field | None = None, seed: int = 0, count: int = 1, start: int = 0
) -> Any:
    """Draw the random inputs number `start` to `start + count - 1` of a seed, as a public array of shape (count, d_0,
    t).
    """
    arch = as_architecture(arch)
    field = checked_field(field)
    first, count = whole("start", start, 0), whole("count", count, 0)
    if arch.source is not None:
        numbers, tokens = blocks_of_pair(arch.source, constant_inputs(arch, draw_tokens(arch, seed, first, count)))
        return verbs.decode(field, encoded_integers(field, numbers)), tokens
    if arch.vocabulary is not None:
        return draw_tokens(arch, seed, first, count)
    return verbs.decode(field, draw_inputs(arch, field, seed, first, count))


def draw_inputs(arch: Architecture, field: Field, seed: int, start: int, count: int) -> Any:
    """Return `count` raw inputs, number k being drawn from the stream ``input/k`` of the seed."""
    shape = arch.input_shape
    if arch.vocabulary is not None:
        return encoded_integers(field, constant_inputs(arch, draw_tokens(arch, seed, start, count)))
    drawn = [verbs.draw_array(field, shape=shape, seed=seed, label=f"input/{k}") for k in range(start, start + count)]
    return np.stack(drawn) if drawn else np.empty((0, *shape))


def draw_tokens(arch: Architecture, seed: int, start: int, count: int) -> np.ndarray:
    """Return `count` sequences of token numbers, one from each stream: words modulo the vocabulary, which is uniform
    for all purposes. Small integers come before them where the network reads numbers, too.
    """
    if arch.source is not None:
        (height, width), target = arch.source, arch.input_shape[1] - arch.source[1]
        pairs = [
            draw_pair(seed, f"input/{k}", height * width, target, arch.vocabulary or 1)
            for k in range(start, start + count)
        ]
        return np.stack(pairs) if pairs else np.empty((0, height * width + target), dtype=np.int64)
    rows = [random_words(seed, f"input/{k}", arch.input_shape[1]) for k in range(start, start + count)]
    words = np.stack(rows) if rows else np.empty((0, arch.input_shape[1]), dtype=np.uint64)
    return (words % np.uint64(arch.vocabulary or 1)).astype(np.int64)


def encoded_integers(field: Field, array: np.ndarray) -> Any:
    """Return small integers >= 0 as raw elements of a field."""
    return verbs.encode(field, array % field.p if isinstance(field, PrimeField) else array)


def constant_inputs(arch: Architecture, drawn: np.ndarray) -> np.ndarray:
    """Return the inputs, as matrices of integers, that what `draw_tokens` returns stands for."""
    if arch.source is not None:
        return matrices_of_pairs(arch.source, arch.vocabulary or 1, drawn)
    return unit_vectors(arch.vocabulary or 1, drawn)


def unit_vectors(vocabulary: int, tokens: np.ndarray) -> np.ndarray:
    """Return for sequences of token numbers the matrices whose columns are their unit vectors."""
    return np.array(np.arange(vocabulary)[:, None] == tokens[..., None, :], dtype=np.int64)


def entered_inputs(arch: Architecture, field: Field, inputs: Any) -> Elements:
    """Take public inputs into a field: matrices of tokens, or for a network that reads tokens their numbers; for one
    that reads numbers beside tokens the pair of both, or the matrix that has them as blocks.

    Raises
    ------
    InvalidArgument
        If they are not of the right shape, or no numbers of tokens.
    """
    if arch.source is not None and isinstance(inputs, tuple):
        if len(inputs) != 2:
            raise InvalidArgument("inputs", f"{len(inputs)} of them", "a pair of numbers and of numbers of tokens")
        units = entered_tokens(arch, inputs[1], arch.input_shape[1] - arch.source[1], "inputs[1]")
        return entered_pair(field, arch.source, units, inputs[0])
    if not arch.tokens_alone:
        elements = Elements.of(field, inputs, "inputs")
        check_inputs(arch, elements.shape)
        return elements if arch.source is None else entered_matrix(arch.source, elements)
    return Elements.of(field, entered_tokens(arch, inputs, arch.input_shape[1], "inputs"))


def entered_tokens(arch: Architecture, inputs: Any, tokens: int, argument: str) -> np.ndarray:
    """Return the unit vectors of so many tokens, of their numbers."""
    numbers, vocabulary = np.array(inputs), arch.vocabulary or 1
    if numbers.dtype.kind not in "iu" or numbers.ndim not in (1, 2) or numbers.shape[-1] != tokens:
        was = f"an array of {numbers.dtype} of shape {numbers.shape}"
        raise InvalidArgument(argument, was, f"numbers of tokens, of shape ({tokens},) or (batch, {tokens})")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < vocabulary):
        raise InvalidArgument(
            argument, f"with numbers from {numbers.min()} to {numbers.max()}", f"numbers of tokens 0..{vocabulary - 1}"
        )
    return unit_vectors(vocabulary, numbers)


def split(field: Field, vector: np.ndarray, shapes: tuple[Shape, ...]) -> tuple[Elements, ...]:
    """Cut a raw vector into arrays."""
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    vector.setflags(write=False)
    pieces = np.split(vector, ends[:-1])
    return tuple(Elements(field, piece.reshape(shape)) for piece, shape in zip(pieces, shapes, strict=True))


def unflatten(
    arch: NetworkLike,
    coordinates: type[Coordinates],
    vector: PublicArray,
    *,
    field: Field | None = None,
) -> Coordinates:
    """Return the parameters that `flatten` to `vector`.

    Raises
    ------
    InvalidArgument
        If the vector does not have the number of parameters of the architecture, or its entries are not in the field.
    """
    arch = as_architecture(arch)
    shapes = verbs.shapes(arch, coordinates)
    count = sum(math.prod(shape) for shape in shapes)
    elements = Elements.of(field_of(vector) if field is None else field, vector, "vector")
    if elements.shape != (count,):
        raise InvalidArgument("vector", f"of shape {elements.shape}", f"of shape ({count},), the parameters of {arch}")
    parts = split(elements.field, np.array(elements.raw), shapes)
    theta = Weights(parts, tuple(verbs.coordinates(arch))) if coordinates is Weights else coordinates(parts)
    return cast("Coordinates", theta)


@verbs.evaluate.method
def evaluate_public(arch: Architecture, theta: Parameters, inputs: PublicArray) -> Any:
    check_fits(arch, theta)
    elements = entered_inputs(arch, theta.field, inputs)
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


@verbs.evaluate.method
def evaluate_by_expression(arch: Architecture, theta: Weights, inputs: Elements) -> Elements:
    """Most architectures are a `Network`, with other names for its tensors."""
    network = verbs.expression(arch)
    return verbs.evaluate(network, Weights(theta.elements, tuple(verbs.coordinates(network))), inputs)


@verbs.formulas.method
def no_formulas(arch: Architecture) -> tuple[Any, ...]:
    """An architecture has formulas only if a method says so."""
    return ()
