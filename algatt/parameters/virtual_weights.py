"""The coordinates after the second quotient: the matrices that the function of a deep network sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, Reals
from algatt.parameters.base import Parameters, enter_arrays, listed


@dataclass(frozen=True, eq=False, repr=False)
class VirtualWeights(Parameters):
    r"""Virtual weights :math:`M_i = L_{i-1}^T A_i L_{i-1}` and :math:`L = V_l \cdots V_1` (HMK Eq 8).

    Parameters
    ----------
    elements : tuple of Elements
        M_1, ..., M_l of shape (d_0, d_0), then L of shape (d_l, d_0).

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit together.
    """

    @classmethod
    def of(cls, M: Sequence[Any], L: Any, *, field: Field | None = None) -> VirtualWeights:
        """Build the coordinates from the matrices M_1, ..., M_l and L; arguments and errors as in `Weights.of`."""
        arrays = {f"M_{i}": matrix for i, matrix in enumerate(listed("M", M, "at least one matrix"), start=1)}
        return cls(enter_arrays({**arrays, "L": L}, field))

    @property
    def M_elements(self) -> tuple[Elements, ...]:
        """The matrices M_1, ..., M_l as `Elements`, for computing."""
        return self.elements[:-1]

    @property
    def L_elements(self) -> Elements:
        """The matrix L as `Elements`, for computing."""
        return self.elements[-1]

    @property
    def M(self) -> tuple[Any, ...]:
        """The matrices M_1, ..., M_l as public arrays."""
        return tuple(element.public() for element in self.M_elements)

    @property
    def L(self) -> Any:
        """The matrix L as a public array."""
        return self.L_elements.public()

    @property
    def widths(self) -> tuple[int, ...] | None:
        return (self.L_elements.shape[1], self.L_elements.shape[0]) if len(self.M_elements) == 1 else None

    def check_shapes(self) -> None:
        if len(self.elements) < 2:
            raise InvalidArgument("elements", f"{len(self.elements)} arrays", "M_1, ..., M_l and L")
        width = self.L_elements.shape[1]
        for i, matrix in enumerate(self.M_elements, start=1):
            if matrix.shape != (width, width):
                raise InvalidArgument(
                    f"M_{i}", f"of shape {matrix.shape}", f"of shape {(width, width)}, as L has {width} columns"
                )

    def names(self) -> tuple[str, ...]:
        return (*(f"M_{i + 1}" for i in range(len(self.elements) - 1)), "L")

    def summary(self) -> str:
        rows, columns = self.L_elements.shape
        return f"d_0={columns}, d_l={rows}, layers={len(self.M_elements)}"

    @classmethod
    def examples(cls) -> Iterable[VirtualWeights]:
        return (cls.of([[[1.0, 2.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 5.0]]], [[1.0, 0.0]], field=Reals()),)
