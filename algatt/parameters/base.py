"""What all coordinate systems have in common: a tuple of arrays over one field."""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.fields.prime import galois_characteristic
from algatt.files import read_arrays, write_atomically
from algatt.parameters.display import html_table

__all__ = ["Parameters", "enter_arrays", "load"]


@dataclass(frozen=True, eq=False, repr=False)
class Parameters(ABC):
    """A point in one of the coordinate systems of an attention network.

    Parameters
    ----------
    elements : tuple of Elements
        The arrays in the order of `flatten`, all over one field.
    """

    elements: tuple[Elements, ...]

    def __post_init__(self) -> None:
        fields = {element.field for element in self.elements}
        if len(fields) != 1:
            raise InvalidArgument("elements", f"over {len(fields)} fields", "over one field")
        self.check_shapes()
        object.__setattr__(self, "elements", tuple(map(frozen, self.elements)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy through the constructor, which freezes the arrays."""
        return type(self), (self.elements,)

    @property
    def field(self) -> Field:
        """The field of all entries."""
        return self.elements[0].field

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
        """Write the arrays and their field to an .npz file, which `algatt.load` reads.

        Raises
        ------
        OutputError
            If the path cannot be written; nothing is half-written.
        """
        if not isinstance(self.field, PrimeField | Reals):
            raise InvalidArgument("parameters", f"over {self.field}", "over a PrimeField or Reals to be saved")
        prime = self.field.p if isinstance(self.field, PrimeField) else 0
        named = zip(self.names(), self.elements, strict=True)
        arrays = {name: element.raw.astype(np.int64) if prime else element.raw for name, element in named}
        buffer = io.BytesIO()
        np.savez(buffer, kind=np.array(type(self).__name__), prime=np.int64(prime), count=np.int64(len(arrays)), **arrays)
        write_atomically(path, buffer.getvalue())

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Parameters):
            return NotImplemented
        if self.field != other.field or self.names() != other.names():
            return False
        return all(np.array_equal(one.raw, two.raw) for one, two in zip(self.elements, other.elements, strict=True))

    def __hash__(self) -> int:
        return hash((type(self), self.field, tuple((one.shape, tuple(one.raw.ravel().tolist())) for one in self.elements)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.summary()}, field={self.field})"

    def _repr_html_(self) -> str:
        return html_table(repr(self), {name: element.public() for name, element in zip(self.names(), self.elements, strict=True)})

    def replaced(self, elements: Sequence[Elements]) -> Self:
        """Return parameters of the same kind with other arrays."""
        return type(self)(tuple(elements))


def frozen(element: Elements) -> Elements:
    """Return elements whose raw array cannot be written to: the public array of a field may be the raw one."""
    if not isinstance(element.raw, np.ndarray) or not element.raw.flags.writeable:
        return element
    raw = element.raw.copy()
    raw.setflags(write=False)
    return Elements(element.field, raw)


def enter_arrays(arrays: dict[str, Any], field: Field | None, *, matrices: bool = True) -> tuple[Elements, ...]:
    """Take public arrays into a field, which is read off the first of them unless given; the originals are copied."""
    if field is None:
        order = galois_characteristic(next(iter(arrays.values())))
        field = Reals() if order is None else PrimeField(order)
    elements = []
    for name, array in arrays.items():
        try:
            shape = np.shape(array)
        except ValueError as error:
            raise InvalidArgument(name, "rows of different lengths", "a matrix") from error
        if matrices and len(shape) != 2:
            raise InvalidArgument(name, f"of shape {shape}", "a matrix")
        if 0 in shape:
            raise InvalidArgument(name, f"of shape {shape}", "a matrix with rows and columns" if matrices else "an array with entries")
        elements.append(Elements(field, np.array(verbs.encode(field, array, argument=name))))
    return tuple(elements)


def load(path: str | os.PathLike[str]) -> Parameters:
    """Read parameters that `Parameters.save` wrote.

    Parameters
    ----------
    path : path
        An .npz file.

    Raises
    ------
    InvalidArgument
        If the file cannot be read or does not hold parameters.
    """
    kinds = {kind.__name__: kind for kind in Parameters.__subclasses__()}
    name = repr(os.fspath(path))
    should = f"an .npz file with {', '.join(sorted(kinds))}, as algatt.Weights.of([(Q_1, K_1, V_1), ...]).save(path) writes it"
    arrays = read_arrays(path, should)
    kind = kinds.get(str(arrays.pop("kind", "")))
    prime, count = (whole_number(arrays.pop(key, None)) for key in ("prime", "count"))
    if kind is None or prime is None or count != len(arrays):
        raise InvalidArgument("path", f"{name}, which holds no parameters", should)
    theta = kind.of_arrays(arrays, PrimeField(prime) if prime else Reals())
    if theta.names() != tuple(arrays):
        raise InvalidArgument("path", f"{name}, whose arrays are {', '.join(arrays)}", f"with the arrays {', '.join(theta.names())}")
    return theta


def whole_number(array: np.ndarray | None) -> int | None:
    """Return the integer that an array without axes holds, or None if it is something else."""
    return int(array) if array is not None and array.shape == () and array.dtype.kind == "i" else None


@verbs.flatten.method
def flatten_parameters(theta: Parameters) -> Any:
    return verbs.decode(theta.field, np.concatenate([element.raw.ravel() for element in theta.elements]))
