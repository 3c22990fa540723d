"""A point: a tuple of arrays over one field, in any coordinates; and its tensors by name, which are trained."""

from __future__ import annotations

import difflib
import functools
import io
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, TypeVar

import numpy as np

from algatt import verbs
from algatt.arguments import check_over, instance
from algatt.errors import InvalidArgument, in_words
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.fields.arrays import DOUBLE
from algatt.fields.base import Delayed
from algatt.fields.real import field_of, precision_of
from algatt.files import read_arrays, shorten, write_atomically
from algatt.loading import load_methods
from algatt.parameters.display import html_table


@dataclass(frozen=True, eq=False, repr=False)
class Parameters(ABC):
    """A point in one of the coordinate systems of an attention network.

    Parameters
    ----------
    elements : tuple of Elements
        The arrays in the order of `flatten`, all over one field.
    """

    # Without this, numpy would ask for an array when it compares one with a point.
    __array_ufunc__: ClassVar[None] = None

    elements: tuple[Elements, ...]

    def __post_init__(self) -> None:
        fields = {*self.different_fields()}
        if len(fields) != 1:
            raise InvalidArgument("elements", f"over {len(fields)} fields", "over one field")
        self.check_shapes()
        object.__setattr__(self, "elements", tuple(map(frozen, self.elements)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy through the constructor, which freezes the arrays."""
        return type(self), (self.elements,)

    @functools.cached_property
    def field(self) -> Field:
        """The field of all entries; over the reals with the precision of the least precise ones."""
        return functools.reduce(lambda one, two: one.meet(two), self.different_fields())

    def different_fields(self) -> Iterable[Field]:
        """Return the fields of the arrays, each object once: a point may have many arrays, and is made often."""
        fields = [element.field for element in self.elements]
        return dict(zip(map(id, fields), fields, strict=True)).values()

    def __array__(self, *_: object, **__: object) -> NoReturn:
        """Refuse to be a numpy array, which several matrices are not."""
        should = "algatt.flatten(theta), one vector of all parameters, or theta.layers"
        raise InvalidArgument("array", f"{self!r}, which is several matrices", should)

    @abstractmethod
    def check_shapes(self) -> None:
        """Raise `InvalidArgument` unless the arrays fit together."""

    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Return the names of the arrays, as ``Q_1``."""

    @abstractmethod
    def summary(self) -> str:
        """Return the sizes in the words of the constructor of an architecture."""

    @classmethod
    def of_arrays(cls, arrays: dict[str, Any], field: Field | None) -> Self:
        """Build parameters from public arrays by name, in order."""
        return cls(enter_arrays(arrays, field))

    @classmethod
    def examples(cls) -> Iterable[Parameters]:
        """Return instances on which the conformance tests run."""
        return ()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the arrays and their field to an .npz file, which `algatt.load` and `algatt.parameters.load` read.

        Raises
        ------
        OutputError
            If the path cannot be written; nothing is half-written.
        """
        write_atomically(path, self.to_bytes())

    @property
    def widths(self) -> tuple[int, ...] | None:
        """The widths d_0, ..., d_l between layers of attention, or None if these coordinates do not tell them."""
        return None

    @property
    def ranks(self) -> tuple[int, ...] | None:
        """The numbers a_1, ..., a_l of rows of queries, or None if these coordinates do not tell them."""
        return None

    def to_bytes(self) -> bytes:
        """Return the content of the file that `save` writes."""
        check_over("parameters", self.field, PrimeField | Reals, "over a PrimeField or Reals to be saved")
        prime = self.field.characteristic
        named = zip(self.names(), self.elements, strict=True)
        arrays = {name: element.raw.astype(np.int64) if prime else element.raw for name, element in named}
        buffer = io.BytesIO()
        kind = np.array(type(self).__name__)
        head: dict[str, Any] = {"kind": kind, "prime": np.int64(prime), "count": np.int64(len(arrays))}
        if precision_of(self.field) < DOUBLE:
            head["precision"] = np.int64(precision_of(self.field))
        np.savez(buffer, **(head | arrays))
        return buffer.getvalue()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Parameters):
            return NotImplemented
        if self.field != other.field or self.names() != other.names():
            return False
        return all(np.array_equal(one.raw, two.raw) for one, two in zip(self.elements, other.elements, strict=True))

    def __hash__(self) -> int:
        return hash(
            (type(self), self.field, tuple((one.shape, tuple(one.raw.ravel().tolist())) for one in self.elements))
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.summary()}, field={self.field})"

    def _repr_html_(self) -> str:
        return html_table(
            repr(self), {name: element.public() for name, element in zip(self.names(), self.elements, strict=True)}
        )

    def replace(self, elements: Sequence[Elements]) -> Self:
        """Return parameters of the same kind with other arrays."""
        return type(self)(tuple(elements))


Coordinates = TypeVar("Coordinates", bound=Parameters)
"""One kind of parameters: what is asked for in some coordinates is returned in these."""


def frozen(element: Elements) -> Elements:
    """Return elements whose raw array cannot be written to: the public array of a field may be the raw one."""
    if isinstance(element, Delayed) or not isinstance(element.raw, np.ndarray) or not element.raw.flags.writeable:
        return element
    raw = element.raw.copy()
    raw.setflags(write=False)
    return Elements(element.field, raw)


def fresh(element: Elements) -> Elements:
    """Return elements that were just computed, which nothing writes to from now on: parameters make no copy of them."""
    if isinstance(element.raw, np.ndarray):
        element.raw.setflags(write=False)
    return element


def enter_arrays(arrays: dict[str, Any], field: Field | None, *, matrices: bool = True) -> tuple[Elements, ...]:
    """Take public arrays into a field, which is read off the first of them unless given; the originals are copied."""
    field = field_of(next(iter(arrays.values()))) if field is None else field
    raws = []
    for name, array in arrays.items():
        raw = np.array(verbs.encode(field, array, argument=name))
        if matrices and raw.ndim != 2:
            raise InvalidArgument(name, f"of shape {raw.shape}", "a matrix")
        if not raw.size:
            should = "a matrix with rows and columns" if matrices else "an array with entries"
            raise InvalidArgument(name, f"of shape {raw.shape}", should)
        raw.setflags(write=False)  # no one else has it, so that it is not copied again
        raws.append(raw)
        field = field.of_source(array)
    return tuple(Elements(field, raw) for raw in raws)


def listed(argument: str, value: Any, should: str, length: int | None = None) -> list[Any]:
    """Return the entries of a list, or of arrays that are stacked.

    Raises
    ------
    InvalidArgument
        If there are none, or not as many as `length` says.
    """
    is_stack = hasattr(value, "__array__") and np.ndim(value) > 0
    if isinstance(value, str | bytes) or not (isinstance(value, Sequence) or is_stack):
        raise InvalidArgument(argument, in_words(value), should)
    if len(value) != (length or max(len(value), 1)):
        raise InvalidArgument(argument, f"{len(value)} arrays" if len(value) else "empty", should)
    return list(value)


def load(path: str | os.PathLike[str]) -> Parameters:
    """Read parameters that `Parameters.save` wrote.

    Parameters
    ----------
    path : path
        An .npz file, or a link to one. Its arrays take at most 16 GiB, and packed ones at most a hundred times the
        bytes of the file, or 64 MiB.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, would take more than that, or does not hold parameters. No pickled object is loaded.
    """
    load_methods(("parameters",))  # and with them all coordinate systems
    kinds = {kind.__name__: kind for kind in Parameters.__subclasses__()}
    name = repr(os.fspath(path))
    should = (
        f"an .npz file with {', '.join(sorted(kinds))}, as algatt.Weights.of([(Q_1, K_1, V_1), ...]).save(path) "
        f"writes it"
    )
    arrays = read_arrays(path, should)
    kind = kinds.get(str(arrays.pop("kind", "")))
    prime, count = (whole_number(arrays.pop(key, None)) for key in ("prime", "count"))
    precision = whole_number(arrays.pop("precision", np.array(DOUBLE)))  # is left out where it is that of float64
    if kind is None or prime is None or precision is None or count != len(arrays):
        raise InvalidArgument("path", f"{name}, which holds no parameters", should)
    theta = kind.of_arrays(arrays, PrimeField(prime) if prime else Reals(precision))
    if theta.names() != tuple(arrays):
        raise InvalidArgument(
            "path",
            f"{name}, whose arrays are {shorten(', '.join(arrays), 200)}",
            f"with the arrays {', '.join(theta.names())}",
        )
    return theta


def whole_number(array: np.ndarray | None) -> int | None:
    """Return the integer that an array without axes holds, or None if it is something else."""
    return int(array) if array is not None and array.shape == () and array.dtype.kind == "i" else None


def flatten(theta: Parameters) -> Any:
    """Return all parameters as one public vector: the arrays in the order of the layers, each row by row."""
    instance("theta", theta, Parameters, "parameters, such as Weights")
    return verbs.decode(theta.field, np.concatenate([element.raw.ravel() for element in theta.elements]))


NAME = r"[\w.]{1,200}"
"""The names of tensors, which files, tables and messages hold."""


class WeightsLayer(NamedTuple):
    """The matrices of one layer: Q and K of shape (a_i, d_{i-1}), V of shape (d_i, d_{i-1})."""

    Q: Any
    K: Any
    V: Any


@dataclass(frozen=True, eq=False, repr=False)
class Weights(Parameters):
    """The tensors of a network by name; of the networks of HMK (Section 2) the query, key and value matrices of every
    layer.

    Build them with `Weights.of` from arrays, or with `algatt.sample`.

    Parameters
    ----------
    elements : tuple of Elements
        The tensors, in the order that the architecture states.
    labels : tuple of str, optional
        Their names. Without names they are Q_1, K_1, V_1, Q_2, ...; Q_i and K_i of shape (a_i, d_{i-1}), V_i of shape
        (d_i, d_{i-1}).

    Raises
    ------
    InvalidArgument
        If shapes, names or fields do not fit together.

    Examples
    --------
    >>> import algatt
    >>> theta = algatt.Weights.of({"1.linear.W": [[1.0, 2.0]], "2.linear.W": [[3.0]]})
    >>> theta["1.linear.W"].tolist(), theta["2"].names()
    ([[1.0, 2.0]], ('linear.W',))
    """

    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.labels == triple_names(len(self.elements)):
            object.__setattr__(self, "labels", ())
        super().__post_init__()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.elements, self.labels)

    @classmethod
    def of(cls, layers: Sequence[tuple[Any, Any, Any]] | Mapping[str, Any], *, field: Field | None = None) -> Weights:
        """Build weights from arrays.

        Parameters
        ----------
        layers : sequence of (Q, K, V), or mapping of str to array
            One triple of matrices for each layer; or the tensors of any network by name, in its order: galois or numpy
            arrays, lists, or whatever numpy reads, as tensors of torch.
        field : Field, optional
            Read off the arrays unless given: GF(p) for galois arrays, the reals for others, with the `precision` of
            the least precise one.

        Raises
        ------
        InvalidArgument
            If an array is of no shape that is allowed, has entries outside the field or NaN or infinity, or if the
            shapes do not fit together.
        """
        if isinstance(layers, Mapping):
            if not layers:
                raise InvalidArgument("layers", "empty", "at least one tensor")
            return cls.of_arrays(dict(layers), field)
        arrays: dict[str, Any] = {}
        for i, layer in enumerate(listed("layers", layers, "at least one triple (Q, K, V)"), start=1):
            matrices = listed(f"layer {i}", layer, "a triple (Q, K, V)", 3)
            arrays.update(zip((f"Q_{i}", f"K_{i}", f"V_{i}"), matrices, strict=True))
        return cls(enter_arrays(arrays, field))

    @classmethod
    def of_arrays(cls, arrays: dict[str, Any], field: Field | None) -> Self:
        names = tuple(arrays)
        if names == triple_names(len(names)):
            return cls(enter_arrays(arrays, field))
        return cls(enter_arrays(arrays, field, matrices=False), names)

    @property
    def layer_elements(self) -> tuple[WeightsLayer, ...]:
        """The layers as `Elements`, for computing."""
        if self.labels:
            should = (
                "weights Q_1, K_1, V_1, ... of attention layers: Weights.of([(Q, K, V)]), with Q = theta['heads.Q_1']"
            )
            raise InvalidArgument("theta", repr(self), should)
        return tuple(WeightsLayer(*self.elements[i : i + 3]) for i in range(0, len(self.elements), 3))

    @property
    def layers(self) -> tuple[WeightsLayer, ...]:
        """The layers as public arrays: ``theta.layers[0].Q``."""
        return tuple(WeightsLayer(*(element.public() for element in layer)) for layer in self.layer_elements)

    @property
    def widths(self) -> tuple[int, ...]:
        layers = self.layer_elements
        return layers[0].V.shape[1], *(layer.V.shape[0] for layer in layers)

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple(layer.Q.shape[0] for layer in self.layer_elements)

    @functools.cached_property
    def tensors(self) -> dict[str, Elements]:
        """The tensors by name as `Elements`, for computing."""
        return dict(zip(self.names(), self.elements, strict=True))

    def __getitem__(self, path: str) -> Any:
        """Return a tensor by its name, as a public array, or what is below a part of a path, as weights.

        Raises
        ------
        InvalidArgument
            If nothing has this name.
        """
        tensors = self.tensors
        if path in tensors:
            return tensors[path].public()
        below = {
            name.removeprefix(f"{path}."): tensor for name, tensor in tensors.items() if name.startswith(f"{path}.")
        }
        if not below:
            near = difflib.get_close_matches(str(path), tensors, n=3) or list(tensors)[:3]
            raise InvalidArgument("name", repr(path), f"the name of a tensor or of a part, as {', '.join(near)}")
        return Weights(tuple(below.values()), tuple(below))

    def check_shapes(self) -> None:
        if self.labels:
            check_labels(tuple(self.labels), len(self.elements))
            return
        if len(self.elements) % 3:
            raise InvalidArgument("elements", f"{len(self.elements)} arrays", "Q, K and V for every layer")
        width = self.elements[0].shape[1]
        for i, (Q, K, V) in enumerate(self.layer_elements, start=1):
            if Q.shape[1] != width:
                raise InvalidArgument(f"Q_{i}", f"of shape {Q.shape}", f"of shape (a_{i}, {width})")
            if K.shape != Q.shape:
                raise InvalidArgument(f"K_{i}", f"of shape {K.shape}", f"of the shape {Q.shape} of Q_{i}")
            if V.shape[1] != width:
                raise InvalidArgument(f"V_{i}", f"of shape {V.shape}", f"of shape (d_{i}, {width})")
            width = V.shape[0]

    def names(self) -> tuple[str, ...]:
        return self.labels or triple_names(len(self.elements))

    def summary(self) -> str:
        if self.labels:
            return f"tensors={len(self.elements)}, parameters={sum(element.raw.size for element in self.elements)}"
        return f"dims={self.widths}, ranks={self.ranks}"

    def replace(self, elements: Sequence[Elements]) -> Self:
        """Return weights with other tensors by the same names. Those that stay are not looked at again: a group element
        moves few of many.
        """
        changed = list(elements)
        others = [k for k, (one, before) in enumerate(zip(changed, self.elements, strict=False)) if one is not before]
        field = self.elements[0].field
        if not self.labels or len(changed) != len(self.elements) or any(changed[k].field != field for k in others):
            return type(self)(tuple(changed), self.labels)
        for k in others:
            changed[k] = frozen(changed[k])
        found = object.__new__(type(self))
        object.__setattr__(found, "elements", tuple(changed))
        object.__setattr__(found, "labels", self.labels)
        return found

    @classmethod
    def examples(cls) -> Iterable[Weights]:
        first = ([[1.0, 2.0, 0.5]], [[0.0, 1.0, 3.0]], [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
        second = ([[2.0, 1.0]], [[1.0, 1.0]], [[1.0, 4.0]])
        tensors = {"1.linear.W": [[1.0, 2.0]], "norm.g": [3.0], "scale": 2.0, "kernel": [[[1.0], [2.0]]]}
        return (cls.of([first, second], field=Reals()), cls.of(tensors, field=Reals()))


@functools.lru_cache(maxsize=64)
def check_labels(labels: tuple[str, ...], count: int) -> None:
    """Raise `InvalidArgument` unless names are those of so many arrays; those of a network are looked at once."""
    if len(labels) != count or len(set(labels)) < len(labels):
        was = f"{len(set(labels))} different names for {count} arrays"
        raise InvalidArgument("labels", was, "a name for each array")
    for label in labels:
        if not re.fullmatch(NAME, label):
            should = "with names of letters, digits, _ and dots"
            raise InvalidArgument("labels", f"with the name {shorten(repr(label))}", should)
    reserved = sorted({"kind", "prime", "count", "precision"} & set(labels))
    if reserved:
        raise InvalidArgument("labels", f"with the name {reserved[0]}", "other names: files use it for themselves")


@functools.lru_cache(maxsize=64)
def triple_names(count: int) -> tuple[str, ...]:
    """Return the names Q_1, K_1, V_1, Q_2, ... of so many arrays."""
    return tuple(f"{letter}_{i + 1}" for i in range(count // 3) for letter in "QKV")
