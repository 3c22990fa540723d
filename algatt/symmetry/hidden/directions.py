r"""Directions of a tensor that no value depends on: behind a narrow result, and before what reads few of its forms.

A tensor T that the program sees through F T M alone, with F and M made of other weights, may be changed by every N with
F N M = 0 (derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Elements, Field, PrimeField
from algatt.fields.real import precision_of, tolerance_of
from algatt.linalg.kernel import kernel_of_rank
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.base import GroupElement
from algatt.symmetry.hidden.forms import Forms, SeenForms, sight_of, value_of_forms
from algatt.symmetry.quotients.folded import QuotientSymmetry

ROUNDING = 1e-15
"""A translation that is smaller than this beside the tensor does not change it."""


@dataclass(frozen=True, repr=False)
class UnseenDirections(QuotientSymmetry):
    r"""The vector group of the N with F N M = 0, added to a tensor T of which the value sees F T M alone (derived).

    Where all inputs reach only the image of M, or all that is read of T are the forms F, whatever the weights are, and
    M or F has fewer independent columns or rows than T, some N are not zero.

    Parameters
    ----------
    arch : Architecture
        The network.
    tensor : str
        The name of T.
    reads_some, reaches_some : bool
        Whether F, and whether M, is what the program says, and not the identity; both true unless given.
    """

    tensor: str
    reads_some: bool = True
    reaches_some: bool = True

    @property
    def name(self) -> str:
        return f"unseen directions of {self.tensor}"

    @property
    def program(self) -> Program:
        """The program of the network, as far as its value depends on tensors."""
        return sight_of(program(self.arch))[0]

    @property
    def seen(self) -> SeenForms:
        """The forms F, and those of M transposed: none if nothing is seen of T."""
        found = sight_of(program(self.arch))[1].get(self.tensor)
        return found or SeenForms(*(Forms(size, (), 0, frozenset(), 0) for size in self.shape))

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of T."""
        height, width = verbs.coordinates(self.arch)[self.tensor]
        return height, width

    @property
    def ranks(self) -> tuple[int, int]:
        """The generic ranks of F and M."""
        ranks = [
            forms.rank if some else size
            for forms, some, size in zip(self.seen, (self.reads_some, self.reaches_some), self.shape, strict=True)
        ]
        return ranks[0], ranks[1]

    @property
    def dimension(self) -> int:
        """The number of entries of T less rk F rk M."""
        (height, width), (read, reached) = self.shape, self.ranks
        return height * width - read * reached

    def forms(self, tensors: Mapping[str, Elements], field: Field) -> list[Elements | None]:
        """Return F and the transpose of M at weights, None for the identity."""
        results = Results(self.program, field, tensors)
        asked = zip(self.seen, (self.reads_some, self.reaches_some), strict=True)
        return [value_of_forms(one, results) if some and one.parts is not None else None for one, some in asked]

    def kernels(self, tensors: Mapping[str, Elements], field: Field) -> tuple[Elements, Elements]:
        """Return bases of the n with F n = 0, as columns, and of the m with m M = 0, as rows; none where the rank is
        below the generic one, or something is divided by zero.
        """
        none = [Elements.of(field, np.zeros((size, 0), dtype=np.int64)) for size in self.shape]
        try:
            asked = zip(self.forms(tensors, field), self.ranks, none, strict=True)
            read, reached = (zero if one is None else kernel_of_rank(one, rank) for one, rank, zero in asked)
        except DivisionByZero:
            if not field.exact:  # balls may be too wide
                raise
            read, reached = none
        return read, reached.T

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        read, reached = self.kernels(theta.tensors, theta.field)
        units = [Elements.of(theta.field, np.eye(size, dtype=np.int64)) for size in self.shape]
        blocks = [outer_products(read, units[1]), outer_products(units[0], reached)]
        return [{self.tensor: block} for block in blocks if block.shape[0]]

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Add a matrix to T, which acts on the points at which the function does not see what it adds."""
        T = tensors[self.tensor]
        if T.shape != self.shape:
            raise InvalidArgument("theta", f"with {self.tensor} of shape {T.shape}", f"with one of shape {self.shape}")
        N = Elements(vector.field, vector.raw.reshape(T.shape))
        F, M = self.forms(tensors, vector.field)
        if not is_unseen(F, N, None if M is None else M.T, T):
            raise InvalidArgument(
                "element",
                f"{self.element_of(N)!r}, which changes the function at this point",
                "a translation that the function does not see there",
            )
        return {self.tensor: T + N}

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        field, (height, width) = theta.field, self.shape
        read, reached = self.kernels(theta.tensors, field)
        first, second = (
            Elements(field, verbs.draw_array(field, shape=shape, seed=seed, label=f"{self.name}/{side}"))
            for side, shape in (("read", (read.shape[1], width)), ("reached", (height, reached.shape[0])))
        )
        return self.element_of(read @ first + second @ reached)

    @property
    def neutral(self) -> np.ndarray:
        return np.zeros(self.shape, dtype=np.int64)

    def element_of(self, vector: Elements) -> GroupElement:
        """Return the element that adds a matrix to T: row by row, as a column."""
        return super().element_of(Elements(vector.field, vector.raw.reshape(-1, 1)))


def is_unseen(F: Elements | None, N: Elements, M: Elements | None, T: Elements) -> bool:
    """Return whether F N M = 0, over the reals beside F T M, form by form; where this is zero within rounding, beside
    what is multiplied. None stands for the identity, of which all forms are one.
    """
    changed, seen = ((matrix if M is None else matrix @ M) for matrix in (N, T))
    changed, seen = ((matrix if F is None else F @ matrix) for matrix in (changed, seen))
    if N.field.exact:
        return not changed.raw.any()
    if np.linalg.norm(N.raw) <= ROUNDING * np.linalg.norm(T.raw):
        return True
    axis = None if F is None else 1
    changes, sizes = (np.linalg.norm(matrix.raw, axis=axis) for matrix in (changed, seen))
    factors = [1.0 if F is None else np.linalg.norm(F.raw, axis=1), 1.0 if M is None else np.linalg.norm(M.raw)]
    product = factors[0] * factors[1]
    rounded = sizes <= max(T.shape) * 2.0 ** -precision_of(N.field) * product * np.linalg.norm(T.raw)
    beside = sizes + rounded * product * np.linalg.norm(N.raw)
    return bool(np.all(changes <= tolerance_of(N.field) * beside))


def outer_products(columns: Elements, rows: Elements) -> Elements:
    """Return the products of every column of a matrix with every row of another one: shape (columns * rows, height,
    width).
    """
    left = Elements(rows.field, columns.raw.T[:, None, :, None])
    products = left @ Elements(rows.field, rows.raw[None, :, None, :])
    return Elements(rows.field, products.raw.reshape(-1, columns.shape[0], rows.shape[1]))


@dataclass(frozen=True)
class DrawnTensors(Mapping[str, Elements]):
    """Random tensors over a prime field, each drawn when it is asked for: of a large network few are.

    Parameters
    ----------
    shapes : mapping of str to tuple of int
        Their shapes.
    drawn : dict of str to Elements
        Those that were asked for.
    """

    shapes: Mapping[str, tuple[int, ...]]
    drawn: dict[str, Elements] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Elements:
        if name not in self.drawn:
            prime = PrimeField()
            raw = verbs.draw_array(prime, shape=self.shapes[name], seed=0, label=f"quotients/{name}")
            self.drawn[name] = Elements(prime, raw)
        return self.drawn[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.shapes)

    def __len__(self) -> int:
        return len(self.shapes)


@functools.lru_cache(maxsize=64)
def directions_of(arch: Architecture) -> tuple[UnseenDirections, ...]:
    """Return the families of a network, also those that others span: of the tensors whose forms have at random weights
    the ranks that they have at most by the sizes of the matrices, which are then the generic ones.
    """
    shapes, (left, seen_of) = verbs.coordinates(arch), sight_of(program(arch))
    results = Results(left, PrimeField(), DrawnTensors(shapes))
    found = []
    for tensor in (name for name, shape in shapes.items() if name in seen_of and len(shape) == 2):
        read, reached = (forms.is_narrow(tensor) and has_rank(forms, results) for forms in seen_of[tensor])
        if read or reached:
            found.append(UnseenDirections(arch, tensor, read, reached))
    return tuple(found)


def has_rank(forms: Forms, results: Results) -> bool:
    """Return whether forms have the rank that they have at most."""
    try:
        return kernel_of_rank(value_of_forms(forms, results), forms.rank).shape[1] > 0
    except DivisionByZero:
        return False
