"""Networks that are made of layers; and what is read off any network by evaluating it over another field: its program,
the network in normal form, with a tensor for each part of one that is read in parts, and the degrees of its values.
"""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from algatt import verbs
from algatt.architectures.base import Architecture, NetworkLike, Shape, as_architecture
from algatt.arguments import instance, whole
from algatt.display import html_of_rows
from algatt.errors import InvalidArgument, MethodError, WidthError
from algatt.fields import Degree, Degrees, Elements
from algatt.layers.base import Arrays, Layer, Noun, Tensors, TensorShape, check_size, layout, run, tensor_shapes
from algatt.parameters import Parameters, Weights
from algatt.programs import Program, Trace
from algatt.programs.interpret import function_of, interpret
from algatt.programs.rewriting import rewritten

if TYPE_CHECKING:
    from algatt.programs.normal_form import TensorPart


@dataclass(frozen=True, repr=False)
class Network(Noun, Architecture):
    """A network of layers for a number of tokens.

    Parameters
    ----------
    layers : Layer
        The layers, composed: ``Residual(Heads(2)) >> Residual(Feedforward(16))``.
    tokens : int
        The number t of tokens, the columns of an input.
    width : int, optional
        The width of an input; not given for networks that begin with an `Embedding` and read tokens, or with an
        `EncoderDecoder` that reads numbers and tokens.

    Raises
    ------
    InvalidArgument
        If a number is not an integer >= 1, or the layers do not fit together.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Causal, Feedforward, Heads, Power, Residual
    >>> block = Residual(Heads(2, mask=Causal())) >> Residual(Feedforward(6, Power(2)))
    >>> net = algatt.Network(block, tokens=3, width=4)
    >>> net.parameters, list(algatt.coordinates(net))[:3]
    (112, ['heads.Q_1', 'heads.Q_2', 'heads.K_1'])
    """

    layers: Layer
    tokens: int
    width: int | None = None

    def __post_init__(self) -> None:
        check_size(instance("layers", self.layers, Layer, "a layer, or layers composed as f >> g"))
        object.__setattr__(self, "tokens", whole("tokens", self.tokens))
        read, source = self.vocabulary, self.source
        if read is not None and source is not None:
            read += source[0]
        if read is not None and self.width not in (None, read):
            what = "the number of tokens that the network reads" if source is None else "of the numbers and the tokens"
            raise InvalidArgument("width", repr(self.width), f"{read}, {what}, or not given")
        if read is None and self.width is None:
            raise InvalidArgument(
                "width", "not given", "the width of an input, as the network does not begin with an Embedding"
            )
        object.__setattr__(self, "width", whole("width", read if self.width is None else self.width))
        if not self.built[0]:
            raise InvalidArgument("layers", f"{self.layers!r}, which has no tensors", "layers with tensors")

    @property
    def built(self) -> tuple[dict[str, Shape], tuple[int, int]]:
        """Names and shapes of the tensors, and the shape of the value."""
        return built(self.layers, self.input_shape)

    @property
    def input_shape(self) -> tuple[int, int]:
        return int(self.width or 0), self.tokens

    @property
    def output_shape(self) -> tuple[int, int]:
        return self.built[1]

    @property
    def vocabulary(self) -> int | None:
        read: int | None = verbs.vocabulary(self.layers)
        return read

    @property
    def source(self) -> tuple[int, int] | None:
        read: tuple[int, int] | None = verbs.source(self.layers, self.tokens)
        return read

    @property
    def algebraic(self) -> bool:
        return degrees_of_values(self) is not None

    @property
    def polynomial(self) -> bool:
        found = degrees_of_values(self)
        return found is not None and found[0].polynomial and not found[1].denominators

    def __repr__(self) -> str:
        width = f", width={self.width}" if self.vocabulary is None else ""
        return f"Network({self.layers!r}, tokens={self.tokens}{width})"

    @property
    def divides(self) -> bool:
        """Whether the network is a quotient of polynomials that are not constant; of other networks, as those of
        softmax, it is not known.
        """
        found = degrees_of_values(self)
        return found is not None and bool(found[1].denominators)

    def _repr_html_(self) -> str:
        from algatt.architectures.text import outline

        return html_of_rows("Network", [("", f"<pre>{html.escape(outline(self))}</pre>")])

    def description(self) -> dict[str, Any]:
        """Return the network as plain values for JSON, of which `algatt.layers.noun_of` makes it again."""
        from algatt.layers.description import describe

        return {"name": "Network", "layers": describe(self.layers), "tokens": self.tokens, "width": self.width}

    @classmethod
    def examples(cls) -> Iterable[Network]:
        from algatt import layers

        linear = layers.Unnormalized()
        perceptron = layers.Linear(3, bias=True) >> layers.Feedforward(4, layers.Power(2), width=2)
        return (
            cls(perceptron, tokens=1, width=2),
            cls(2 * layers.Residual(layers.Heads(2, score=linear)), tokens=2, width=4),
            cls(
                layers.Residual(
                    layers.Heads(2, key_heads=1, mask=layers.Causal(), score=layers.Affine(1, 1), biases="QKVO")
                ),
                tokens=2,
                width=2,
            ),
            cls(
                layers.Residual(layers.RMSNorm(0) >> layers.Feedforward(3, layers.SiLU(), gated=True)),
                tokens=2,
                width=2,
            ),
            cls(layers.Residual(layers.Heads(1, width=4, position=layers.Rotary())), tokens=3, width=3),
            cls(
                layers.Tie(
                    layers.Embedding(5, 3) >> layers.Residual(layers.Heads(1, score=linear)) >> layers.Unembedding(5),
                    {"unembedding.U": "embedding.E"},
                ),
                tokens=2,
            ),
        )


@functools.lru_cache(maxsize=256)
def built(layers: Layer, shape: tuple[int, int]) -> tuple[dict[str, Shape], tuple[int, int]]:
    """Return names and shapes of the tensors of layers for an input of a shape, and the shape of the value."""
    return tensor_shapes(layers, shape)


@verbs.expression.method
def expression_of_network(arch: Network) -> Network:
    return arch


@verbs.coordinates.method
def coordinates_of_network(arch: Network) -> dict[str, Any]:
    return dict(arch.built[0])


@verbs.evaluate.method
def evaluate_network(arch: Network, theta: Weights, inputs: Elements) -> Elements:
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused when it is normalised
        value = run(layout(arch.layers), Arrays(theta.tensors), inputs)
        if len(value.shape) < len(inputs.shape):  # it ignores the input, and is the same for all of a batch
            value = value + np.zeros((*inputs.shape[:-2], 1, 1), dtype=np.int64)
        return value


@functools.lru_cache(maxsize=64)
def program(arch: Architecture) -> Program:
    """Return the straight-line `Program` of a network, recorded by evaluating it, in normal form: rewritten by the
    identities of docs/theory/normal_form.md.

    Common subexpressions are in it once, and nothing that the value does not need. Printed, it has a line for each
    instruction, with the shape of its result. Cost: one evaluation without numbers, the first time; who asks again gets
    the same program, with its table of uses.

    Parameters
    ----------
    arch : Architecture
        The network.
    """
    return rewritten(recorded(arch))


@functools.lru_cache(maxsize=64)
def recorded(arch: Architecture) -> Program:
    """Return the program as it is recorded."""
    trace = Trace()
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    return trace.program(value.raw)


@functools.lru_cache(maxsize=256)
def degrees_of_values(arch: Architecture) -> tuple[Degree, Degrees] | None:
    """Return the degrees of the values, and the field, which has collected those of all that is divided by; None if the
    values are no quotients of polynomials.
    """
    with suppress(MethodError):  # without a program there may be degrees
        if any(function_of(one) is not None for one in recorded(arch).instructions):
            return None
    degrees, shapes = Degrees(), verbs.coordinates(arch)
    theta = Weights(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in shapes.values()), tuple(shapes))
    try:
        value: Degree = verbs.evaluate(arch, theta, Elements(degrees, Degree(0, 1, arch.input_shape))).raw
    except MethodError:
        return None
    return value, degrees


def turns_by_circles(arch: Architecture) -> bool:
    """Return whether a network rotates by points of a circle: over GF(p) these are random, and no degree bounds what
    they may hide.
    """
    found = degrees_of_values(arch)
    return found is not None and bool(found[1].circles)


def degree(arch: NetworkLike) -> Degree:
    """Return bounds `Degree` of the degrees of the network's values in the weights and in the inputs, read off the
    architecture itself: those of N and D, the entries of the value being N / D with all factors multiplied out.

    A derivative times D^2 is a polynomial of degree at most deg N + deg D.

    Points at which a divisor vanishes are drawn again. This conditions the probability of a zero, which adds at most
    the degrees of all divisors.
    """
    arch = as_architecture(arch)
    found = degrees_of_values(arch)
    if found is None:
        raise InvalidArgument("arch", f"{arch}, whose values are no quotients of polynomials", "a network with degrees")
    value, degrees = found[0].cleared, found[1]
    weights, inputs = (sum(getattr(one, name) for one in degrees.denominators) for name in ("weights", "inputs"))
    return Degree(value.weights + weights, value.inputs + inputs, value.shape)


@dataclass(frozen=True, repr=False)
class Computed(Layer):
    """The layer that computes what a program says.

    Parameters
    ----------
    program : Program
        The program; it reads one input.
    shape : tuple of int
        The shape of the input.
    shapes : tuple of (str, tuple of int)
        The tensors in order, with those that the program does not read.
    text : str
        How the layers are written whose program it is.
    tokens : int or None
        The size of the vocabulary, if the columns of the input are the unit vectors of tokens.
    numbers : (int, int) or None
        The rows and columns of numbers that are read before the tokens.
    """

    hoisted: ClassVar[bool] = True

    program: Program = field(repr=False)
    shape: tuple[int, int] = field(repr=False)
    shapes: tuple[tuple[str, TensorShape], ...] = field(repr=False)
    text: str
    tokens: int | None = field(default=None, repr=False)
    numbers: tuple[int, int] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return self.text


@verbs.vocabulary.method
def vocabulary_of_program(layer: Computed) -> int | None:
    return layer.tokens


@verbs.source.method
def source_of_program(layer: Computed, tokens: int) -> tuple[int, int] | None:
    return layer.numbers


@verbs.tensors.method
def tensors_of_program(layer: Computed, shape: tuple) -> dict[str, TensorShape]:
    if tuple(shape) != layer.shape:
        raise WidthError(layer, f"given an input of shape {tuple(shape)}", f"given one of shape {layer.shape}")
    return dict(layer.shapes)


@verbs.apply.method
def apply_program(layer: Computed, w: Tensors, X: Elements) -> Elements:
    return interpret(layer.program, X.field, dict(w.own), X)


@dataclass(frozen=True)
class Arrangement:
    """A network, the same in normal form, and how the tensors of one are made of those of the other.

    Parameters
    ----------
    arch : Network
        The network.
    network : Architecture
        The network in normal form.
    parts : tuple of Part
        Its tensors that are parts of tensors of the other.
    """

    arch: Network
    network: Architecture
    parts: tuple[TensorPart, ...]

    @property
    def cut(self) -> dict[str, list[TensorPart]]:
        """The tensors that are cut, with their parts."""
        found: dict[str, list[TensorPart]] = {}
        for part in self.parts:
            found.setdefault(part.tensor, []).append(part)
        return found

    def apart(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return the tensors of the normal form."""
        found = {part.name: part.of(tensors[part.tensor]) for part in self.parts}
        return found | {name: one for name, one in tensors.items() if name not in self.cut}

    def together(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return the tensors of the network, of some or all of those of the normal form; parts that are not there are
        zero, and what was added stays. There may be axes before those of the matrices.
        """
        cut, shapes = self.cut, verbs.coordinates(self.arch)
        names = {part.name for part in self.parts}
        found = {name: one for name, one in tensors.items() if name not in names}
        for name, parts in cut.items():
            given = [part for part in parts if part.name in tensors]
            if given:
                first = tensors[given[0].name]
                raw = np.zeros((*first.shape[:-2], *shapes[name]), dtype=first.raw.dtype)
                raw = raw if raw.dtype != object else raw + (first.raw * 0).flat[0]
                for part in given:
                    one = tensors[part.name].T if part.turned else tensors[part.name]
                    raw[..., np.array(part.rows)[:, None], np.array(part.columns)] = one.raw
                found[name] = Elements(first.field, raw)
        return found

    def forth(self, theta: Weights) -> Weights:
        """Return a point of the normal form."""
        apart = self.apart(dict(zip(verbs.coordinates(self.arch), theta.elements, strict=True)))
        names = tuple(verbs.coordinates(self.network))
        return Weights(tuple(apart[name] for name in names), names)

    def back(self, theta: Weights) -> Weights:
        """Return the point of the network."""
        given = dict(zip(verbs.coordinates(self.network), theta.elements, strict=True))
        given |= {part.name: given[part.name] - part.constant for part in self.parts if part.added}
        together = self.together(given)
        names = tuple(verbs.coordinates(self.arch))
        return Weights(tuple(together[name] for name in names), names)


@functools.lru_cache(maxsize=64)
def arrangement_of(arch: Network) -> Arrangement | None:
    """Return a network in which parts of tensors, or their transposes, are tensors; None if its normal form is that
    of its own tensors.
    """
    try:
        found = program(arch)
    except MethodError:
        return None
    tensors = [number for number, one in enumerate(found.instructions) if one.operation == "tensor"]
    readers = {found.instructions[user].operation for number in tensors for user in found.uses.users[number]}
    if readers.isdisjoint({"take", "transpose", "add"}):
        return None
    from algatt.programs.normal_form import is_cut, turned_tensors, without_constants

    changed = is_cut(found) or turned_tensors(found.uses) or without_constants(found)[1]
    return arrange(arch) if changed else None


def arrange(arch: Network) -> Arrangement:
    """Return a network and its normal form."""
    from algatt.programs.normal_form import normal_form

    form = normal_form(program(arch))
    cut: dict[str, list[TensorPart]] = {}
    for part in form.parts:
        cut.setdefault(part.tensor, []).append(part)
    shapes: list[tuple[str, TensorShape]] = []
    for name, shape in verbs.coordinates(arch).items():
        parts = sorted(cut.get(name, ()), key=lambda part: (part.rows, part.columns))
        shapes += [(part.name, part.shape) for part in parts] if parts else [(name, tuple(shape))]
    layer = Computed(form.program, arch.input_shape, tuple(shapes), repr(arch.layers), arch.vocabulary, arch.source)
    return Arrangement(arch, Network(layer, arch.tokens, arch.width), form.parts)


def own_network(arch: Architecture, theta: Parameters) -> tuple[Architecture, Weights]:
    """Return a point in other coordinates as weights of the network whose tensors are its arrays."""
    if isinstance(theta, Weights):
        return arch, theta
    return network_in(arch, type(theta), theta.names()), Weights(theta.elements, theta.names())


@functools.lru_cache(maxsize=64)
def network_in(arch: Architecture, coordinates: type[Parameters], names: tuple[str, ...]) -> Network:
    """Return the network whose tensors are the arrays of other coordinates, with their names."""
    trace = Trace()
    shapes = tuple(zip(names, verbs.shapes(arch, coordinates), strict=True))
    theta = coordinates(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    layer = Computed(trace.program(value.raw), arch.input_shape, shapes, f"{arch} in {coordinates.__name__}")
    return Network(layer, *reversed(arch.input_shape))
