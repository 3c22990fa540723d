"""The Lie algebras that constraints on whole spaces cut out, by rules in place of their entries."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from algatt.fields.types import (
    Action,
    Centring,
    Constraint,
    Diagonal,
    Intertwining,
    Ones,
    Selection,
    Space,
    Turns,
    Vanishing,
)
from algatt.symmetry.groups import GeneralLinear, LinearGroup, MatrixGroup, Orthogonal, Torus, Trivial

__all__ = ["Structure", "structure_of"]


@dataclass(frozen=True)
class Freedom:
    """On which generic matrices W the elements L of a Lie algebra with L W = c W, c a number, are multiples of one.

    Parameters
    ----------
    single : int
        It is so on one matrix of at least so many columns.
    stacked : int
        It is so on several, with numbers c of their own, of at least so many columns together.
    skew : bool
        Whether the Lie algebra is one of skew matrices, so that what it is transposed on counts too.
    all : bool
        Whether it is that of all matrices.
    """

    single: int
    stacked: int
    skew: bool = False
    all: bool = False

    def __call__(self, straight: Sequence[int], transposed: Sequence[int]) -> bool:
        """Return whether it is so on matrices of these numbers of columns, and with L^T on these."""
        if self.skew:
            return sum(straight) + sum(transposed) >= self.stacked
        parts = [widths for widths in (straight, transposed) if widths]
        return any(max(widths) >= self.single or sum(widths) >= self.stacked for widths in parts)

    def unseen(self, straight: Sequence[int], transposed: Sequence[int]) -> int | None:
        """Return the dimension of the L with L W = c W, on generic matrices of these numbers of columns, and with L^T
        on these, modulo the multiples of one; None where it is not known.

        Of all n x n matrices: if there are W and V with L W = c W and L^T V = d V, all c and d are equal, as V^T W is
        not zero; and L - c maps what is left of n beside all W to what is left beside all V.
        """
        if self(straight, transposed):
            return 0
        if not self.all or min(len(straight), len(transposed)) == 0 < max(len(straight), len(transposed)) - 1:
            return None
        return (self.single - sum(straight)) * (self.single - sum(transposed))


@dataclass(frozen=True)
class Structure:
    """What a component of the constraints leaves of its spaces.

    Parameters
    ----------
    groups : dict of Space to MatrixGroup
        The group in which each space moves, taken alone.
    freedom : dict of Space to Freedom
        What it takes that a space does not move unseen.
    dimension : int
        The dimension of the solutions, as far as they move visible spaces.
    """

    groups: Mapping[Space, MatrixGroup]
    freedom: Mapping[Space, Freedom]
    dimension: int


Kind = tuple[str, tuple[int, ...]]
"""A condition on one space S of size n, and its numbers."""

DIAGONAL: Kind = ("S is diagonal", ())
SKEW: Kind = ("S + S^T = 0", ())
INTO_ONES: Kind = ("C S = 0", ())
OUT_OF_SUMS: Kind = ("S C = 0", ())
CENTRED: Kind = ("C S = S C", ())
TWISTED: Kind = ("C S = -S^T C", ())
KILLS_ONES: Kind = ("S 1 = 0", ())
NO_SUMS: Kind = ("1^T S = 0", ())
TURNS = "S commutes with turns"


def structure_of(
    spaces: Sequence[Space], constraints: Sequence[tuple[Constraint, tuple[Action, ...]]], visible: Collection[Space]
) -> Structure | None:
    """Return what constraints leave of spaces, by rules; None where there is no rule.

    Parameters
    ----------
    spaces : sequence of Space
        The spaces that the constraints are about.
    constraints : sequence of (Constraint, tuple of Action)
        Each with its actions, resolved, in which diagonal spaces are not transposed.
    visible : collection of Space
        The spaces that act on tensors.
    """
    if any(action.scalars or len(action.terms) > 2 for _, actions in constraints for action in actions):
        return None
    about: dict[Space, set[Kind]] = {space: set() for space in spaces}
    joined: list[tuple[Space, tuple[Space, bool]]] = []
    placed: dict[Space, dict[Selection, Space]] = {}
    for constraint, actions in constraints:
        if isinstance(constraint, Intertwining) and isinstance(constraint.constant, Selection):
            direct = part_of(constraint.constant, actions)
            if direct is None or placed.setdefault(direct[0], {}).setdefault(direct[1], direct[2]) is not direct[2]:
                return None
            continue
        touched = {space for action in actions for space, _ in action.terms}
        if len(touched) == 1:
            (space,) = touched
            kind = kind_of(constraint, actions)
            if kind is None:
                return None
            about[space].add(kind)
        elif isinstance(constraint, Intertwining) and isinstance(constraint.constant, Centring):
            pair = centred_pair(actions)
            if pair is None:
                return None
            joined.append(pair)
        else:
            return None
    if joined or placed:
        return None if joined and placed else sums(about, placed, visible) if placed else star(about, joined, visible)
    groups = {space: group_of_kinds(space.size, kinds) for space, kinds in about.items()}
    found = {space: group for space, group in groups.items() if group is not None}
    if len(found) < len(groups) or len(found) > 1:
        return None
    freedom = {space: freedom_of(space.size, kinds) for space, kinds in about.items()}
    return Structure(found, freedom, sum(group.dimension for group in found.values()))


def kind_of(constraint: Constraint, actions: tuple[Action, ...]) -> Kind | None:
    """Return the condition that a constraint is on the one space in it."""
    if isinstance(constraint, Diagonal):
        return DIAGONAL if len(actions[0].terms) == 1 else None
    if isinstance(constraint, Vanishing):
        factors = tuple(actions[0].terms.values())
        return SKEW if len(factors) == 2 and factors[0] == factors[1] else None
    if not isinstance(constraint, Intertwining) or any(len(action.terms) > 1 for action in actions):
        return None
    left, right = actions
    both = not left.zero and not right.zero
    if isinstance(constraint.constant, Turns):
        return (TURNS, constraint.constant.speeds) if left.terms == right.terms else None
    if both:
        if not isinstance(constraint.constant, Centring):
            return None
        twisted = left.T.terms == right.times(-1).terms  # of a tied matrix
        return CENTRED if left.terms == right.terms else TWISTED if twisted else None
    ((_, flipped), *_) = (left if right.zero else right).terms
    acts_left = right.zero != flipped
    if isinstance(constraint.constant, Centring):
        return OUT_OF_SUMS if acts_left else INTO_ONES
    if isinstance(constraint.constant, Ones):
        return KILLS_ONES if acts_left else NO_SUMS
    return None


def group_of_kinds(n: int, kinds: set[Kind]) -> MatrixGroup | None:
    """Return the group of n x n matrices that conditions cut out; None where there is no rule."""
    speeds = {numbers for name, numbers in kinds if name == TURNS}
    plain = frozenset(kind for kind in kinds if kind[0] != TURNS)
    if DIAGONAL in plain and SKEW in plain:
        return Trivial(n)
    if speeds:
        return commutant(n, speeds, plain)
    rules: dict[frozenset[Kind], MatrixGroup] = {
        frozenset(): GeneralLinear(n),
        frozenset({DIAGONAL}): Torus(n),
        frozenset({SKEW}): Orthogonal(n),
        frozenset({INTO_ONES}): LinearGroup(n, n),  # 1 v^T
        frozenset({OUT_OF_SUMS}): LinearGroup(n, n),  # v 1^T
        frozenset({INTO_ONES, OUT_OF_SUMS}): LinearGroup(n, 1),
        frozenset({CENTRED}): LinearGroup(n, (n - 1) ** 2 + 1),
        frozenset({KILLS_ONES}): LinearGroup(n, n * (n - 1)),
        frozenset({NO_SUMS}): LinearGroup(n, n * (n - 1)),
        frozenset({KILLS_ONES, NO_SUMS}): LinearGroup(n, (n - 1) ** 2),
    }
    if SKEW in plain and len(plain) > 1:
        if plain & {INTO_ONES, OUT_OF_SUMS}:
            return Trivial(n)
        return LinearGroup(n, (n - 1) * (n - 2) // 2)  # the skew matrices of the sum-zero space
    return rules.get(plain)


def commutant(n: int, speeds: set[tuple[int, ...]], plain: frozenset[Kind]) -> MatrixGroup | None:
    """Return the group of what commutes with turns: GL(f), f the number of rows that stay, and a complex GL(m) for
    every speed of m pairs.
    """
    if len(speeds) > 1:
        return None
    (turned,) = speeds
    pairs = Counter(abs(speed) for speed in turned if speed)
    fixed = n - 2 * sum(pairs.values())
    dimensions = {
        frozenset[Kind](): fixed**2 + 2 * sum(m**2 for m in pairs.values()),
        frozenset({DIAGONAL}): fixed + sum(pairs.values()),
        frozenset({SKEW}): fixed * (fixed - 1) // 2 + sum(m**2 for m in pairs.values()),
    }
    dimension = dimensions.get(plain)
    return None if dimension is None else LinearGroup(n, dimension)


def freedom_of(n: int, kinds: Collection[Kind]) -> Freedom:
    """Return what it takes that the matrices that conditions cut out do not move unseen."""
    if SKEW in kinds:  # c = 0, as W^T L W is skew; and a skew matrix has even rank
        return Freedom(n - 1, n - 1, skew=True)
    if DIAGONAL in kinds:
        return Freedom(1, 1)
    for name, speeds in kinds:
        if name == TURNS:  # complex m x m matrices on m x w ones, for each speed
            pairs = Counter(abs(speed) for speed in speeds if speed)
            return Freedom(max(1, n - 2 * sum(pairs.values()), *pairs.values()), n + 1)
    return Freedom(n, n + 1, all=not kinds)


def star(
    about: Mapping[Space, set[Kind]], joined: Sequence[tuple[Space, tuple[Space, bool]]], visible: Collection[Space]
) -> Structure | None:
    """Return what the equations A C = C S leave, for one space S, or its transpose, and several A, up to factors.

    S maps ones to a multiple of ones. It and all A are one matrix T on the sum-zero space, whose rest is free: a row of
    multiples of ones in S, and A 1. A skew A kills ones, and T is skew; so it is for S.
    """
    ((S, _), *others), images = {one for _, one in joined}, {one for one, _ in joined}
    implied = {SKEW, CENTRED, TWISTED} if SKEW in about[S] else set()  # a skew S kills ones, too
    if others or S in images or about[S] - implied or any(about[A] - {SKEW} for A in images):
        return None
    n = S.size
    T = (n - 1) * (n - 2) // 2 if any(SKEW in kinds for kinds in about.values()) else (n - 1) ** 2
    dimension = T
    groups: dict[Space, MatrixGroup] = {}
    for space in (S, *images):
        rest = 0 if SKEW in about[space] else n
        dimension += rest if space in visible else 0
        groups[space] = LinearGroup(n, T + rest)
    freedom = {space: dataclasses.replace(freedom_of(n, kinds), all=False) for space, kinds in about.items()}
    return Structure(groups, freedom, dimension)


def part_of(selection: Selection, actions: tuple[Action, ...]) -> tuple[Space, Selection, Space] | None:
    """Return the space of which a constraint takes a part, or into which it puts one, how it does, and the part; None
    if these are no spaces.
    """
    left, right = actions
    whole, part = (left, right) if selection.transposed else (right, left)
    if len(whole.terms) != 1 or len(part.terms) != 1:
        return None
    ((S, flipped),), ((P, _),) = whole.terms, part.terms
    return S, dataclasses.replace(selection, transposed=selection.transposed != flipped), P


def sums(
    about: Mapping[Space, set[Kind]], placed: Mapping[Space, Mapping[Selection, Space]], visible: Collection[Space]
) -> Structure | None:
    """Return what is left of spaces that are direct sums of others, up to factors and transposes.

    A E = E S for the matrix E that takes some rows says that S has zeros beside A in these rows; S E^T = E^T A that it
    has them in these columns. For all parts of a partition, S is the direct sum of them.
    """
    parts = {part for found in placed.values() for part in found.values()}
    if parts & placed.keys() or set(about) != parts | placed.keys():
        return None
    kinds = {part: set(about[part]) for part in parts}
    for S, found in placed.items():
        if about[S] - {SKEW, DIAGONAL} or not splits(S.size, found):
            return None
        for part in found.values():
            kinds[part] |= about[S]
    groups: dict[Space, MatrixGroup] = {}
    for part in parts:
        group = group_of_kinds(part.size, kinds[part])
        seen = part in visible or any(S in visible for S, found in placed.items() if part in found.values())
        if group is None or not seen:
            return None
        groups[part] = group
    freedom = {part: freedom_of(part.size, kinds[part]) for part in parts}
    dimension = sum(group.dimension for group in groups.values())
    for S, found in placed.items():
        inside = set(found.values())
        groups[S] = LinearGroup(S.size, sum(groups[part].dimension for part in inside))
        freedom[S] = Freedom(max(freedom[part].single for part in inside), S.size + 1)
    return Structure(groups, {space: dataclasses.replace(one, all=False) for space, one in freedom.items()}, dimension)


def splits(size: int, found: Mapping[Selection, Space]) -> bool:
    """Return whether selections take, or put back, all parts of one partition of so many rows, and no others."""
    if len({one.chosen for one in found}) < len({(one.chosen, part) for one, part in found.items()}):
        return False
    families = [{one.chosen for one in found if one.transposed == way} for way in (False, True)]
    whole = max(families, key=lambda one: sum(map(len, one)))
    return sorted(row for chosen in whole for row in chosen) == list(range(size)) and all(
        family <= whole for family in families
    )


def centred_pair(actions: tuple[Action, ...]) -> tuple[Space, tuple[Space, bool]] | None:
    """Return A, and S with whether it is transposed, of an equation A C = C S; None for others."""
    left, right = actions
    if len(left.terms) != 1 or len(right.terms) != 1:
        return None
    ((A, _),), (S,) = left.terms, right.terms
    return A, S
