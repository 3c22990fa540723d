"""The coordinates that are trained: tensors by name, as query, key and value matrices."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, Reals
from algatt.files import shorten
from algatt.parameters.base import Parameters, enter_arrays, frozen, listed

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
            raise InvalidArgument(
                "theta", repr(self), "weights Q_1, K_1, V_1, ... of attention layers; theta[name] is a tensor of others"
            )
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

    @property
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
