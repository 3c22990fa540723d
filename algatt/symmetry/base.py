"""What a symmetry family is, and how its infinitesimal action becomes a matrix."""

from __future__ import annotations

import functools
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import isabstract
from typing import Any, ClassVar

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits
from algatt.display import Rows, Summary, list_names
from algatt.errors import InvalidArgument, SingularMatrix, in_words
from algatt.fields import Elements, Field, PrimeField
from algatt.linalg.matrix import elements_of_matrix
from algatt.parameters import Parameters, Weights
from algatt.symmetry.groups import MatrixGroup
from algatt.symmetry.legend import explain
from algatt.symmetry.table import Symmetries
from algatt.verbs.views import Summarized, Tabled

FAMILIES = (
    "named.families",
    "quotients.gains",
    "quotients.norms",
    "quotients.mixtures",
    "quotients.shifts",
    "quotients.stretches",
    "quotients.unseen",
    "spaces",
    "hidden.quadratic",
    "hidden.directions",
    "hidden.composites",
)
"""The modules of the families, in the order in which a network is asked for them: it decides which of them removes
what several do.
"""

FREQUENT = ("named.families", "quotients.gains", "spaces")
"""The modules of the families that nearly all networks have."""


class GroupElement(Tabled, ABC):
    """An element of a symmetry group: `algatt.act` applies it to parameters.

    `algatt.symmetry.compose` and `algatt.linalg.inverse` compute with it.
    """

    @property
    @abstractmethod
    def field(self) -> Field | None:
        """The field of its entries, or None for a product of nothing."""


class MovingElement(GroupElement):
    """An element that acts on tensors by name, and so also on those of weights in which gains are folded."""

    @abstractmethod
    def move(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return tensors by name after the element acted on them."""

    def change(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return those of them that are not as they were."""
        return {name: one for name, one in self.move(tensors).items() if one is not tensors[name]}


class InvertibleElement(MovingElement):
    """An element that knows its inverse."""

    @abstractmethod
    def inverted(self) -> InvertibleElement:
        """Return the inverse."""


@verbs.inverse.method
def inverse_of_invertible(matrix: InvertibleElement) -> InvertibleElement:
    return matrix.inverted()


def listed_matrices(argument: str, matrices: Any) -> list[Any]:
    """Return matrices that are in a list, or stacked, or raise `InvalidArgument`."""
    if not isinstance(matrices, Iterable) or isinstance(matrices, str | bytes):
        raise InvalidArgument(argument, in_words(matrices), "a list of matrices")
    return list(matrices)


def entered_matrices(argument: str, matrices: Any) -> tuple[Elements, ...]:
    """Return matrices, given as public arrays or as `Elements`, over one field, or raise `InvalidArgument`."""
    listed = listed_matrices(argument, matrices)
    entered = tuple(matrix if isinstance(matrix, Elements) else elements_of_matrix(matrix) for matrix in listed)
    if len({matrix.field for matrix in entered}) > 1:
        raise InvalidArgument(argument, "over several fields", "over one field")
    return entered


@dataclass(frozen=True, eq=False)
class SparseTangents:
    """Tangents of a tensor, of which entries that may be other than zero are kept; those at one place are added up.

    Parameters
    ----------
    count : int
        The number of tangents.
    rows, columns : array
        For each entry the number of its tangent, and its place in a tensor.
    values : array
        The entries.
    """

    count: int
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    @classmethod
    def joined(cls, count: int, parts: Sequence[tuple[np.ndarray, ...]]) -> SparseTangents:
        """Return tangents whose rows, columns and values are given in parts."""
        if not parts:
            return cls(count, *(np.zeros(0, dtype=np.int64) for _ in range(3)))
        return cls(count, *(np.concatenate(some) for some in zip(*parts, strict=True)))

    def matrix(self, field: PrimeField, places: range) -> Any:
        """Return some entries of theirs as the rows of a sparse matrix."""
        from scipy.sparse import csr_matrix

        kept = (self.columns < places.stop) & (self.columns % places.step == 0)
        rows, columns, values = (array[kept] for array in (self.rows, self.columns, self.values))
        where = rows, columns // places.step
        matrix = csr_matrix((values.astype(np.int64), where), shape=(self.count, len(places)))
        matrix.sum_duplicates()
        matrix.data %= field.p
        return matrix


@dataclass(frozen=True, eq=False)
class FamilyTangents:
    """The tangents of a family at a point.

    Parameters
    ----------
    count : int
        How many there are.
    tensors : tuple of str
        The tensors that move.
    on : callable
        What returns their entries on a tensor of a name.
    """

    count: int
    tensors: tuple[str, ...]
    on: Callable[[str], SparseTangents]

    @classmethod
    def of_parts(cls, parts: Sequence[Mapping[str, Elements]]) -> FamilyTangents:
        """Return tangents that are given by blocks."""
        found: dict[str, list[tuple[np.ndarray, ...]]] = {}
        count = 0
        for part in parts:
            height = 0
            for name, tangents in part.items():
                height = tangents.raw.shape[0]
                flat = tangents.raw.reshape(height, -1)
                rows, places = flat.nonzero()
                found.setdefault(name, []).append((count + rows, places, flat[rows, places]))
            count += height
        return cls(count, tuple(found), lambda name: SparseTangents.joined(count, found[name]))


Sides = tuple[tuple[str, str], ...]
"""Names of tensors, each with ``rows`` or ``columns``."""

Way = tuple[str, Any]
"""What is added to a tensor: ``rows``, that are all equal, or ``columns``, multiples of what adds up to ones, or to a
letter of a word.
"""


@dataclass(frozen=True, repr=False)
class Symmetry(Summarized, ABC):
    """A family of transformations of the weights that leave the function of a network unchanged, identically in the
    weights.

    Parameters
    ----------
    arch : Architecture
        The network.
    """

    rests_on: ClassVar[str] = "declared"
    """What `basis` is, unless it depends on the network."""

    arch: Any

    @property
    def basis(self) -> str:
        """On what it rests that the function stays the same: ``declared`` by a theorem, unless a family says that it is
        found in another way.
        """
        return self.rests_on

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the family."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name}{'' if self.group is None else f': {self.group}'})"

    @property
    def group(self) -> MatrixGroup | None:
        """The group that acts, or None if the family does not say."""
        return None

    @property
    def sides(self) -> Sides:
        """The tensors that move, each with the side on which the group acts, ``rows`` or ``columns``; empty if the
        family does not say.
        """
        return ()

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that move, in the order of the network."""
        theta = random_weights(self.arch, 0)
        return moved(self.tangents_on(theta), theta)

    @property
    def added(self) -> Mapping[str, frozenset[Way]]:
        """The tensors to which the family only adds multiples of rows, or equal rows, each with what it adds."""
        return {}

    def beside(self, tensor: str, ways: frozenset[Way]) -> Symmetry | None:
        """Return a part of the family that has all of its tangents which, at almost all weights, move a tensor only in
        ways in which others do; None if that is the zero alone, and the tangents are as many as the dimension.
        """
        return self

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Dimension of the orbit of generic weights under this family alone."""

    @abstractmethod
    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return a random group element over the field of `theta`, drawn from the stream of the seed."""

    @abstractmethod
    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """Return the infinitesimal action as blocks: each maps names of tensors to their tangents, of shape (k, rows,
        columns).
        """

    def parts_in_turn(self, theta: Weights, rows: int) -> tuple[int, Iterator[dict[str, Elements]]]:
        """Return the number of tangents, and an iterator over blocks of at most so many, in the same order."""
        parts = self.tangent_parts(theta)
        return count_tangents(parts), parts_of_parts(parts, rows)

    def combine_parts(self, theta: Weights, factors: Elements) -> dict[str, Elements] | None:
        """Return the combination of all tangents with these factors, of shape (1, k), as a block of one, without those
        tangents; or None if the family knows no shorter way than through them.
        """
        return None

    def tangent_elements(self, theta: Weights) -> Elements:
        """Return `tangents` as `Elements`, for computing."""
        if not isinstance(theta, Weights):
            raise InvalidArgument("theta", f"{theta!r}", "of type Weights")
        check_fits(self.arch, theta)
        return stack_tangents(theta, self.tangent_parts(theta))

    def tangents_on(self, theta: Weights) -> FamilyTangents:
        """Return the entries of the infinitesimal action on each tensor that are not zero; ordered as `tangents`."""
        return FamilyTangents.of_parts(self.tangent_parts(theta))

    def tangents(self, theta: Weights) -> Any:
        """Return the infinitesimal action at `theta`: one row for each basis element of the Lie algebra, columns as in
        `algatt.flatten`.
        """
        return self.tangent_elements(theta).public()


def same_arrays(left: tuple[Elements, ...], right: tuple[Elements, ...]) -> bool:
    """Return whether two tuples of arrays are equal, entry by entry."""
    if len(left) != len(right) or any(one.field != two.field for one, two in zip(left, right, strict=True)):
        return False
    return all(np.array_equal(one.raw, two.raw) for one, two in zip(left, right, strict=True))


def unit_matrices(field: Field, size: int, some: slice = slice(None)) -> Elements:
    """Return the matrix units E_11, E_12, ..., row by row, or some of them: shape (size^2, size, size)."""
    places = np.arange(size * size)[some]
    units = np.zeros((len(places), size * size), dtype=np.int64)
    units[np.arange(len(places)), places] = 1
    return Elements.of(field, units.reshape(-1, size, size))


def columns_of_tensors(theta: Parameters) -> dict[str, slice]:
    """Return the columns of each tensor among all parameters."""
    ends = np.cumsum([element.raw.size for element in theta.elements])
    return {
        name: slice(end - one.raw.size, end) for name, end, one in zip(theta.names(), ends, theta.elements, strict=True)
    }


def moved(tangents: FamilyTangents, theta: Weights) -> tuple[str, ...]:
    """Return the names of the tensors that tangents move, in the order of the network."""
    return tuple(name for name in theta.names() if name in tangents.tensors and tangents.on(name).values.any())


def count_tangents(parts: list[dict[str, Elements]]) -> int:
    """Return how many tangents there are in blocks."""
    return sum(next(iter(part.values())).shape[0] for part in parts)


def parts_of_parts(parts: list[dict[str, Elements]], rows: int) -> Iterator[dict[str, Elements]]:
    """Iterate over blocks of tangents that are cut into blocks of at most so many."""
    for part in parts:
        for start in range(0, count_tangents([part]), rows):
            yield {name: Elements(tangent.field, tangent.raw[start : start + rows]) for name, tangent in part.items()}


def tangents_in_turn(family: Symmetry, theta: Weights, rows: int) -> tuple[int, Iterator[np.ndarray]]:
    """Return the number of tangents of a family, and an iterator over at most so many at a time, as rows over all
    parameters: most of the matrix of `stack_tangents` is zero.
    """
    count, parts = family.parts_in_turn(theta, rows)
    return count, (stack_tangents(theta, [part]).raw for part in parts)


def combine_tangents(family: Symmetry, theta: Weights, seed: int, rows: int) -> Elements:
    """Return a random combination of the tangents of a family, as a column."""
    field = theta.field
    count, blocks = tangents_in_turn(family, theta, rows)
    factors = verbs.draw_array(field, shape=(1, count), seed=seed, label=f"direction/{family.name}")
    combined = family.combine_parts(theta, Elements(field, factors))
    if combined is not None:
        return stack_tangents(theta, [combined]).T
    total = Elements.of(field, np.zeros((1, sum(one.raw.size for one in theta.elements)), dtype=np.int64))
    start = 0
    for block in blocks:
        stop = start + len(block)
        total = total + Elements(field, factors[:, start:stop]) @ Elements(field, block)
        start = stop
    return total.T


def stack_tangents(theta: Parameters, parts: list[dict[str, Elements]]) -> Elements:
    """Write blocks of tangents, by the names of tensors, into one matrix over all parameters in some coordinates; what
    a block does not name is zero.
    """
    columns = columns_of_tensors(theta)
    width = sum(one.raw.size for one in theta.elements)
    matrix = np.zeros((count_tangents(parts), width), dtype=theta.elements[0].raw.dtype)
    top = 0
    for part in parts:
        height = next(iter(part.values())).shape[0]
        for name, tangent in part.items():
            matrix[top : top + height, columns[name]] = tangent.raw.reshape(height, -1)
        top += height
    return Elements(theta.field, matrix)


def rank_of_tangents(family: Symmetry) -> int:
    """Return the rank of the tangents of a family at random weights modulo a large prime."""
    from algatt.symmetry.relations import ranks_of

    theta = random_weights(family.arch, 0)
    return ranks_of(PrimeField(), [family.tangents_on(theta)], entries_of(theta)).together


def entries_of(theta: Weights) -> dict[str, range]:
    """Return the entries of the tensors, the largest tensors first."""
    sizes = {name: one.raw.size for name, one in theta.tensors.items()}
    return {name: range(size) for name, size in sorted(sizes.items(), key=lambda pair: -pair[1])}


@functools.lru_cache(maxsize=4)
def random_weights(arch: Architecture, seed: int) -> Weights:
    """Return the weights of a seed modulo a large prime."""
    return verbs.sample(arch, Weights, field=PrimeField(), seed=seed)


def random_invertible(field: Field, size: int, seed: int, label: str) -> tuple[Elements, Elements]:
    """Return a random invertible matrix and its inverse; singular draws are drawn again."""
    attempt = 0
    while True:
        matrix = Elements(field, verbs.draw_array(field, shape=(size, size), seed=seed, label=f"{label}/{attempt}"))
        try:
            return matrix, verbs.inverse(matrix)
        except SingularMatrix:
            attempt += 1


@verbs.members.method
def no_members(family: type[Symmetry], arch: Architecture) -> tuple[Symmetry, ...]:
    """An architecture has a family only if a method says so."""
    return ()


@verbs.symmetries.method
def symmetries_of_architecture(arch: Architecture) -> Symmetries:
    return Symmetries(member for family in families_below(Symmetry) for member in verbs.members(family, arch))


def frequent_symmetries(arch: Architecture) -> tuple[Symmetry, ...]:
    """Return the symmetries of the families that nearly all networks have, and of those from outside."""
    return tuple(member for family in families_below(Symmetry, FREQUENT) for member in verbs.members(family, arch))


def families_below(kind: Any, modules: Sequence[str] = FAMILIES) -> list[Any]:
    """Return the families in their order, those from outside at the end: the classes below one that are not abstract,
    but not those below these; of our own those of some modules.
    """
    for name in modules:
        importlib.import_module(f"algatt.symmetry.{name}")
    others = {f"algatt.symmetry.{name}" for name in FAMILIES if name not in modules}
    found = (one for one in final_below(kind) if one.__module__ not in others)
    return sorted(found, key=lambda one: (place_of(one.__module__), one.__module__, one.__qualname__))


def final_below(kind: Any) -> Iterator[Any]:
    """Iterate over those of these classes that are imported."""
    for one in kind.__subclasses__():
        if isabstract(one):
            yield from final_below(one)
        else:
            yield one


def place_of(module: str) -> int:
    """Return where the families of a module stand among all."""
    name = module.removeprefix("algatt.symmetry.")
    return FAMILIES.index(name) if name in FAMILIES else len(FAMILIES)


@verbs.summarize.method
def summary_of_symmetry(family: Symmetry) -> Summary:
    group = "" if family.group is None else str(family.group)
    rows: Rows = [("group", group)] if group else []
    rows.append(("dimension", str(family.dimension)))
    rows += [("tensors", list_names(family.tensors)), ("basis", family.basis)]
    return Summary(family.name, [*rows, *explain([group], [family.basis])])
