"""What a layer is, how its tensors are named, how it is run; and layers after each other, or beside a skip connection.

A layer is a frozen dataclass with two methods: `tensors` names its tensors for an input of a given shape, and `apply`
computes its value in ring operations. Layers that are made of others hold them in `parts`. A tensor of a network is
named by its path: the names of the parts in which it lies, and its own.
"""

from __future__ import annotations

import dataclasses
import functools
from abc import ABC
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar, cast

from algatt import verbs
from algatt.arguments import instance, is_integer, whole
from algatt.errors import InvalidArgument, WidthError, in_words
from algatt.fields import Elements, Shape, Shapes

TensorShape = tuple[int, ...]


class Noun:
    """A frozen dataclass that prints as it is written: what is as by default is left out."""

    def __repr__(self) -> str:
        shown = []
        required = True
        for field in dataclasses.fields(cast(Any, self)):
            value = getattr(self, field.name)
            default = field.default_factory() if callable(field.default_factory) else field.default
            required = required and default is dataclasses.MISSING
            if required:
                shown.append(repr(value))
            elif value != default or type(value) is not type(default):
                shown.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def of_fields(cls, values: dict[str, Any]) -> Any:
        """Build the noun of its fields by name."""
        return cls(**values)


MOST_LAYERS = 20_000
"""Maximum number of layers of a network, those that are made of layers and their parts."""

DEEPEST = 64
"""Maximum number of layers within each other."""


@dataclass(frozen=True, repr=False)
class Layer(Noun, ABC):
    """A map from matrices of tokens to matrices of tokens, with named tensors.

    A concrete layer is a frozen dataclass with methods of `algatt.layers.tensors` and `algatt.layers.apply`; nothing
    else is needed.

    Attributes
    ----------
    hoisted : bool
        Whether the parts are named as if they stood in place of the layer; true for chains and other combinators.
    scoped : bool
        Whether the names of the parts come after their keys in the paths of tensors, as in ``1.heads.Q_1``, or are
        replaced by them.
    """

    hoisted: ClassVar[bool] = False
    scoped: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """How the layer is called in the paths of its tensors."""
        return type(self).__name__.lower()

    @property
    def parts(self) -> dict[str, Layer]:
        """The layers that this one is made of, by name."""
        return {}

    __array_ufunc__ = None
    """Numbers and arrays of numpy leave ``*`` and ``>>`` to the layer."""

    def __rshift__(self, other: object) -> Any:
        """Compose: ``f >> g`` is first f, then g."""
        return Chain.of(self, checked_operand("the right operand of >>", other))

    def __rrshift__(self, other: object) -> Any:
        """Refuse what is no layer; the ``>>`` of a layer is its own."""
        return checked_operand("the left operand of >>", other) >> self

    def __rmul__(self, count: object) -> Any:
        """Repeat: ``n * f`` is a stack of n blocks f, each with its own tensors."""
        return Stack.of_copies(count, self)

    def __mul__(self, other: object) -> Any:
        """Refuse ``f * n`` and ``f * g``: the number of blocks comes first."""
        raise InvalidArgument("the left operand of *", repr(self), "the number of blocks, as in 2 * f")

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        """Return instances on which the conformance tests run, each with the shape of an input."""
        return ()


def check_size(layer: Layer) -> None:
    """Raise `InvalidArgument` if a layer is made of more layers than `MOST_LAYERS`, or deeper than `DEEPEST`; equal
    blocks that are one object are looked at once.
    """
    parts: dict[int, tuple[Layer, list[Layer]]] = {}
    sizes: dict[int, tuple[int, int]] = {}
    waiting = [layer]
    while waiting:
        one = waiting[-1]
        if id(one) not in parts:
            parts[id(one)] = (one, [*one.parts.values()])  # which keeps them, and so their ids
        within = parts[id(one)][1]
        missing = {id(part): part for part in within if id(part) not in sizes}
        if missing and len(within) <= MOST_LAYERS:
            waiting += missing.values()
            continue
        inner = [sizes.get(id(part), (1, 1)) for part in within]
        count, depth = 1 + sum(size for size, _ in inner), 1 + max((deep for _, deep in inner), default=0)
        if count > MOST_LAYERS:
            raise InvalidArgument("layers", f"a network of at least {count:,} layers", f"at most {MOST_LAYERS:,}")
        if depth > DEEPEST:
            raise InvalidArgument("layers", f"nested at least {depth} deep", f"nested at most {DEEPEST} deep")
        sizes[id(one)] = (count, depth)
        waiting.pop()


def checked_operand(argument: str, value: object) -> Layer:
    """Return a layer, or raise `InvalidArgument` for anything else."""
    if isinstance(value, Layer):
        return value
    brackets = f", such as {value.__name__}(...)" if isinstance(value, type) and issubclass(value, Layer) else ""
    raise InvalidArgument(argument, in_words(value), f"a layer{brackets}")


@dataclass(frozen=True)
class Node:
    """A layer in its place in a network.

    Parameters
    ----------
    layer : Layer
        The layer.
    path : str
        What comes before the names of its own tensors; empty or with a dot at the end.
    parts : dict of str to Node
        Its parts in their places.
    """

    layer: Layer
    path: str
    parts: dict[str, Node]

    def walk(self) -> Iterator[Node]:
        """Iterate over this node and all that are below it, in the order of the network."""
        yield self
        for part in self.parts.values():
            yield from part.walk()


@functools.lru_cache(maxsize=256)
def layout(layer: Layer) -> Node:
    """Return a network with the paths of its layers.

    Of parts that stand beside each other, those of the same name are numbered: ``norm_1``, ``norm_2``. The parts of a
    hoisted layer count as parts of what it stands in.
    """
    return lay_out(layer, "", iter(labels(layer)))


def labels(layer: Layer) -> list[str]:
    """Return the different names of the parts of a hoisted layer, or the name of another."""
    beside = list(standing(layer))
    names = [one.name or name_by_kind(one) if len(beside) > 1 else one.name for one in beside]
    count, seen = Counter(names), Counter[str]()
    result = []
    for name in names:
        seen[name] += 1
        result.append(f"{name or 'blocks'}_{seen[name]}" if count[name] > 1 else name)
    for name, number in Counter(result).items():
        if number > 1:
            raise InvalidArgument("label", repr(name), "another one: the number of a part makes this its name")
    return result


def standing(layer: Layer) -> Iterator[Layer]:
    """Iterate over the layers by which a layer is there in what it stands in: itself, or its parts if it is hoisted."""
    if layer.hoisted:
        for part in layer.parts.values():
            yield from standing(part)
    else:
        yield layer


def name_by_kind(layer: Layer) -> str:
    """Return what a layer without a name is called beside others: its kind, unless its parts are numbered."""
    return type(layer).__name__.lower() if "" in layer.parts else ""


def lay_out(layer: Layer, path: str, names: Iterator[str]) -> Node:
    """Return a layer in its place in what has the given path; it takes its names from an iterator."""
    if layer.hoisted:
        return Node(layer, path, {key: lay_out(part, path, names) for key, part in layer.parts.items()})
    name = next(names)
    return place(layer, f"{path}{name}." if name else path)


def place(layer: Layer, path: str) -> Node:
    """Return a layer in a place whose path is known."""
    if layer.hoisted:
        return lay_out(layer, path, iter(labels(layer)))
    parts = {}
    for key, part in layer.parts.items():
        below = f"{path}{key}." if key else path
        parts[key] = lay_out(part, below, iter(labels(part))) if layer.scoped else place(part, below)
    return Node(layer, path, parts)


@dataclass(frozen=True)
class Tensors:
    """The tensors and the parts of a layer, as `apply` gets them: ``w.W`` is a tensor, ``w.norm(X)`` the value of a
    part.

    Parameters
    ----------
    node : Node
        The layer in its place.
    source : Arrays or Recorder
        Where the tensors of its parts come from.
    own : mapping of str to Elements
        Its own tensors.
    memory : Elements, optional
        In the decoder of an `EncoderDecoder` the value of the encoder.
    """

    node: Node
    source: Any
    own: Mapping[str, Elements]
    memory: Elements | None = None

    def __getitem__(self, name: str) -> Elements:
        """Return a tensor by name."""
        return self.own[name]

    def __contains__(self, name: object) -> bool:
        return name in self.own

    def __getattr__(self, name: str) -> Any:
        """Return a tensor, or a part as a function of its input."""
        if name in self.own:
            return self.own[name]
        if name in self.node.parts:
            return self.part(name)
        present = ", ".join((*self.own, *self.node.parts)) or "none"
        raise AttributeError(f"{self.node.layer!r} has no tensor and no part {name}; it has {present}")

    def part(self, name: str) -> Callable[[Elements], Elements]:
        """Return a part as a function of its input."""
        runner = run if self.node.layer.hoisted else run_alone
        return functools.partial(runner, self.node.parts[name], self.source, memory=self.memory)

    @property
    def parts(self) -> list[Callable[[Elements], Elements]]:
        """All parts, in order, as functions of their inputs."""
        return [self.part(name) for name in self.node.parts]


def run(node: Node, source: Any, X: Elements, *, memory: Elements | None = None) -> Elements:
    """Return the value of a layer in its place at an input, its tensors coming from a source; in a decoder with the
    value of the encoder, which all that is in it sees.
    """
    rows, columns = X.shape[-2:]
    shapes = verbs.tensors(node.layer, (rows, columns))
    tensor = source.tensor if source.memo is None else functools.partial(source.memo.tensor, source)
    own = {name: tensor(f"{node.path}{name}", shape) for name, shape in shapes.items()}
    value: Elements = verbs.apply(node.layer, Tensors(node, source, own, memory), X)
    return value


@dataclass(frozen=True)
class Memo:
    """What was asked for while a network was run over shapes, so that of equal parts one is run.

    Parameters
    ----------
    asked : list of (str, tuple of int) or None
        The names of tensors and their shapes, in order; None for a part whose tensors may be tied to each other.
    known : dict
        For layers and shapes of inputs and of memories what was asked for, by names without their paths, and the shape
        of the value.
    """

    asked: list[tuple[str, TensorShape] | None] = dataclasses.field(default_factory=list)
    known: dict[tuple[Layer, TensorShape, TensorShape | None], tuple[list[tuple[str, TensorShape]], TensorShape]] = (
        dataclasses.field(default_factory=dict)
    )

    def tensor(self, source: Any, name: str, shape: TensorShape) -> Elements:
        """Ask a source for a tensor."""
        self.asked.append((name, shape))
        found: Elements = source.tensor(name, shape)
        return found


def run_alone(node: Node, source: Any, X: Elements, *, memory: Elements | None = None) -> Elements:
    """Return the value of a part whose tensors are named independently of what stands beside it."""
    memo: Memo | None = source.memo
    if memo is None:
        return run(node, source, X, memory=memory)
    key = node.layer, X.shape, None if memory is None else memory.shape
    if key not in memo.known:
        start = len(memo.asked)
        value = run(node, source, X, memory=memory)
        asked = [one for one in memo.asked[start:] if one is not None]
        if len(asked) == len(memo.asked) - start:
            memo.known[key] = [(name[len(node.path) :], shape) for name, shape in asked], value.shape
        return value
    asked, shape = memo.known[key]
    for name, size in asked:
        memo.tensor(source, f"{node.path}{name}", size)
    return Elements(Shapes(), Shape(shape))


@dataclass(frozen=True)
class Arrays:
    """Tensors by their full names.

    Parameters
    ----------
    arrays : mapping of str to Elements
        The tensors.
    """

    arrays: Mapping[str, Elements]

    memo: ClassVar[None] = None

    def tensor(self, name: str, shape: TensorShape, *, alias: str | None = None) -> Elements:
        """Return a tensor."""
        return self.arrays[name]


@dataclass(frozen=True)
class Recorder:
    """A source that notes which tensors a network asks for, and gives their shapes.

    Parameters
    ----------
    shapes : dict of str to tuple of int
        What was asked for, in order.
    tied : dict of str to str
        For names that were asked for through a tie, the name that is tied to them.
    direct : set of str
        Names that were asked for without a tie.
    memo : Memo
        What was asked for by parts.
    """

    shapes: dict[str, TensorShape] = dataclasses.field(default_factory=dict)
    tied: dict[str, str] = dataclasses.field(default_factory=dict)
    direct: set[str] = dataclasses.field(default_factory=set)
    memo: Memo = dataclasses.field(default_factory=Memo)

    def tensor(self, name: str, shape: TensorShape, *, alias: str | None = None) -> Elements:
        """Note a tensor and return it without entries."""
        if not is_matrix_shape(shape):
            raise InvalidArgument(name, f"of shape {shape!r}", "of a shape (rows, columns); a vector has one column")
        known = self.shapes.setdefault(name, shape)
        if known != shape:
            other = name if alias else self.tied.get(name, name)
            raise InvalidArgument(
                alias or name, f"of shape {shape}", f"of shape {known}, as {other} is, which is tied to it"
            )
        if alias is None:
            self.direct.add(name)
        else:
            self.tied[name] = alias
        return Elements(Shapes(), Shape(shape))


def is_matrix_shape(shape: object) -> bool:
    """Return whether a shape is that of a matrix with entries."""
    if type(shape) is tuple and list(map(type, shape)) == [int, int]:  # as nearly all of a large network are
        return min(shape) >= 1
    return isinstance(shape, tuple) and len(shape) == 2 and all(is_integer(size) and size >= 1 for size in shape)


def tensor_shapes(layer: Layer, shape: tuple[int, int]) -> tuple[dict[str, TensorShape], tuple[int, int]]:
    """Return the names and shapes of all tensors of a network, in order, for an input of a shape, and the shape of its
    value.

    Raises
    ------
    InvalidArgument
        If layers do not fit together, or a tensor is no matrix.
    """
    recorder = Recorder()
    value = run(layout(layer), recorder, Elements(Shapes(), Shape(shape)))
    for name, alias in recorder.tied.items():
        if name not in recorder.direct:
            raise InvalidArgument(
                "ties",
                f"{alias} = {name}",
                f"with one of the tensors {', '.join(sorted(recorder.direct))} on the right",
            )
    rows, columns = value.shape[-2:]
    return recorder.shapes, (rows, columns)


@dataclass(frozen=True, repr=False)
class Combinator(Layer, ABC):
    """A layer without tensors of its own, which is made of others."""


@verbs.tensors.method
def no_tensors(layer: Layer, shape: tuple) -> dict[str, TensorShape]:
    return {}


def checked_layers(argument: str, layers: Any, least: int = 1) -> tuple[Layer, ...]:
    """Return layers as a tuple, or raise `InvalidArgument`."""
    should = f"a sequence of at least {least} layer{'s' if least > 1 else ''}"
    if isinstance(layers, Layer) or not isinstance(layers, Iterable):
        raise InvalidArgument(argument, repr(layers), should)
    layers = tuple(layers)
    for number, layer in enumerate(layers):
        instance(f"{argument}[{number}]", layer, Layer, "a layer")
    if len(layers) < least:
        raise InvalidArgument(argument, f"{len(layers)} layers", should)
    return layers


def factor(layer: Layer) -> str:
    """Return a layer as it is written as a factor: chains and stacks in brackets."""
    text = repr(layer)
    return text if text.startswith(type(layer).__name__) else f"({text})"


@verbs.vocabulary.method
def no_vocabulary(layer: Layer) -> int | None:
    """A layer reads vectors unless a method says otherwise."""
    return None


@verbs.vocabulary.method
def vocabulary_of_first_part(layer: Combinator) -> int | None:
    """A network reads what its first part reads."""
    read: int | None = verbs.vocabulary(next(iter(layer.parts.values())))
    return read


@verbs.source.method
def no_source(layer: Layer, tokens: int) -> tuple[int, int] | None:
    """A layer reads no numbers beside tokens unless a method says otherwise."""
    return None


@verbs.source.method
def source_of_first_part(layer: Combinator, tokens: int) -> tuple[int, int] | None:
    """A network reads what its first part reads."""
    read: tuple[int, int] | None = verbs.source(next(iter(layer.parts.values())), tokens)
    return read


@dataclass(frozen=True, repr=False)
class Chain(Combinator):
    r"""The composition :math:`X \mapsto h(g(f(X)))` of layers, the first of them first; ``f >> g >> h`` makes it.

    Parameters
    ----------
    layers : sequence of Layer
        At least two.

    Raises
    ------
    InvalidArgument
        If they are not layers; and, when a network is built, if a layer does not take what the one before it returns.
    """

    hoisted: ClassVar[bool] = True

    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", checked_layers("layers", self.layers, 2))

    @classmethod
    def of(cls, first: Layer, second: Layer) -> Chain:
        """Compose two layers; chains in chains are flattened, since composition is associative."""
        return cls(tuple(part for one in (first, second) for part in (one.layers if isinstance(one, cls) else (one,))))

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): layer for number, layer in enumerate(self.layers, start=1)}

    def __repr__(self) -> str:
        return " >> ".join(map(repr, self.layers))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        from algatt.layers.linear import Linear

        return ((cls((Linear(3), Linear(2))), (4, 2)),)


@dataclass(frozen=True, repr=False)
class Stack(Combinator):
    """The composition of blocks, the first of them first; ``n * block`` makes one of n equal blocks.

    Each block has tensors of its own, also where blocks are equal. Their names begin with the numbers of the blocks, as
    ``2.heads.Q_1``; in a chain of several stacks, with ``blocks_1.2``.

    Parameters
    ----------
    blocks : sequence of Layer
        At least one.

    Raises
    ------
    InvalidArgument
        If they are not layers.
    """

    scoped: ClassVar[bool] = True

    blocks: tuple[Layer, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", checked_layers("blocks", self.blocks))

    @classmethod
    def of_copies(cls, count: object, block: Layer) -> Stack:
        """Repeat a block."""
        count = whole("the number of blocks", count)
        if count > MOST_LAYERS:
            raise InvalidArgument("the number of blocks", str(count), f"at most {MOST_LAYERS}")
        return cls((block,) * count)

    @property
    def name(self) -> str:
        return ""

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): block for number, block in enumerate(self.blocks, start=1)}

    def __repr__(self) -> str:
        runs = [(block, len(list(run))) for block, run in groupby(self.blocks)]
        if len(runs) == 1:
            return f"{runs[0][1]} * {factor(runs[0][0])}"
        return f"Stack(({', '.join(map(repr, self.blocks))}))"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        from algatt.layers.linear import Linear

        return ((2 * Linear(3), (3, 2)), (cls((Linear(2), Linear(4))), (3, 2)))


@verbs.apply.method
def apply_in_turn(layer: Chain | Stack, w: Tensors, X: Elements) -> Elements:
    before = None
    for part, function in zip(layer.parts.values(), w.parts, strict=True):
        try:
            X = function(X)
        except WidthError as error:
            raise error.after(before) from None
        before = part
    return X


@dataclass(frozen=True, repr=False)
class Residual(Combinator):
    r"""The layer :math:`X \mapsto X + f(X)` (He et al., arXiv 1512.03385).

    Parameters
    ----------
    layer : Layer
        The layer f, whose value is as wide as its input.

    Raises
    ------
    InvalidArgument
        If it is not a layer; and, when a network is built, if its value has another shape than its input.
    """

    hoisted: ClassVar[bool] = True

    layer: Layer

    def __post_init__(self) -> None:
        instance("layer", self.layer, Layer, "a layer")

    @property
    def parts(self) -> dict[str, Layer]:
        return {"layer": self.layer}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        from algatt.layers.linear import Linear

        return ((cls(Linear(3)), (3, 2)),)


@verbs.apply.method
def apply_residual(layer: Residual, w: Tensors, X: Elements) -> Elements:
    value = w.layer(X)
    if value.shape[-2:] != X.shape[-2:]:
        given, asked = value.shape[-2:], X.shape[-2:]
        raise WidthError(
            layer.layer, f"a value of shape {given}", f"of shape {asked}, the shape of what it is added to"
        )
    return X + value
