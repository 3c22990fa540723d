"""The Lie algebras that constraints on whole spaces cut out, by rules in place of their entries."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from algatt.fields.motions import (
    Action,
    Centring,
    Constant,
    Constraint,
    Diagonal,
    Entries,
    Intertwining,
    Ones,
    Selection,
    Space,
    Turns,
    Vanishing,
)
from algatt.symmetry.groups import GeneralLinear, LinearGroup, MatrixGroup, Orthogonal, Torus, Trivial


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
    image : int or None
        If it is that of all matrices which map into one subspace, the dimension of that.
    blurred : int or None
        On one matrix of at least so many columns, if a row is added to all rows of it unseen, they are multiples of one
        and multiples 1 v^T of ones that the Lie algebra has; None where this is not known.
    ones, sums : int
        The dimension of its matrices 1 v^T, and v 1^T.
    line : bool or None
        If it is that of all 1 v^T, True, and of all v 1^T, False: whether the transposed ones map to multiples of v.
    """

    single: int
    stacked: int
    skew: bool = False
    image: int | None = None
    blurred: int | None = None
    ones: int = 0
    sums: int = 0
    line: bool | None = None

    def __call__(self, straight: Sequence[int], transposed: Sequence[int]) -> bool:
        """Return whether it is so on matrices of these numbers of columns, and with L^T on these."""
        if self.skew:
            return sum(straight) + sum(transposed) >= self.stacked
        parts = [widths for widths in (straight, transposed) if widths]
        return any(max(widths) >= self.single or sum(widths) >= self.stacked for widths in parts)

    def leaves_images(self, straight: Sequence[int], transposed: Sequence[int]) -> bool:
        """Return whether the images of generic matrices of these numbers of columns, and of those on which L^T acts,
        have nothing in common, where only what is in all of them moves unseen, whatever else moves.

        If L = v 1^T and L W + W B = c W for any matrix B, v is in the image of W, as 1^T W is not zero. Generic
        subspaces of n dimensions have nothing in common if what is missing to n adds up to n.
        """
        if self.line is None:
            return False
        widths, n = transposed if self.line else straight, self.single
        return sum(n - min(width, n) for width in widths) >= n

    def unseen(self, straight: Sequence[int], transposed: Sequence[int]) -> int | None:
        """Return the dimension of the L with L W = c W, on generic matrices of these numbers of columns, and with L^T
        on these, modulo the multiples of one; None where it is not known.

        Of all n x n matrices: if there are W and V with L W = c W and L^T V = d V, all c and d are equal, as V^T W is
        not zero; and L - c maps what is left of n beside all W to what is left beside all V. Of those that map into a
        subspace: c = 0, as W has columns outside, so L kills all W.
        """
        if self(straight, transposed):
            return 0
        if self.image is not None and self.image < self.single:
            return None if transposed else (self.single - sum(straight)) * self.image
        if self.image is None or min(len(straight), len(transposed)) == 0 < max(len(straight), len(transposed)) - 1:
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
    leaders : dict of Space to tuple of Space
        Where one of these is a multiple of one, so is the space, but for its multiples of ones.
    """

    groups: Mapping[Space, MatrixGroup]
    freedom: Mapping[Space, Freedom]
    dimension: int
    leaders: Mapping[Space, tuple[Space, ...]] = dataclasses.field(default_factory=dict)


Term = tuple[Space, bool]
"""A space, and whether it is transposed."""

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
ROWS = "rows of S vanish"
COLUMNS = "columns of S vanish"


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
    joined: list[tuple[Term, Term]] = []
    placed: dict[Space, dict[Selection, Space]] = {}
    for constraint, actions in constraints:
        whole = isinstance(constraint, Intertwining) and all(action.terms for action in actions)
        if whole and isinstance(constraint, Intertwining) and isinstance(constraint.constant, Selection):
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
    rows = rows_taken(constraint.constant) if left.zero else None
    return None if rows is None else (COLUMNS if flipped else ROWS, rows)


def rows_taken(constant: Constant) -> tuple[int, ...] | None:
    """Return the rows that a constant matrix takes, if it does nothing else."""
    if isinstance(constant, Selection):
        return None if constant.transposed else constant.chosen
    if isinstance(constant, Entries) and all(set(row) <= {0, 1} and sum(row) == 1 for row in constant.rows):
        return tuple(row.index(1) for row in constant.rows)
    return None


def group_of_kinds(n: int, kinds: set[Kind]) -> MatrixGroup | None:
    """Return the group of n x n matrices that conditions cut out; None where there is no rule."""
    speeds = {numbers for name, numbers in kinds if name == TURNS}
    plain = frozenset(kind for kind in kinds if kind[0] != TURNS)
    if DIAGONAL in plain and SKEW in plain:
        return Trivial(n)
    if speeds:
        return commutant(n, speeds, plain)
    for place in (ROWS, COLUMNS):
        if plain and all(name == place for name, _ in plain):
            return LinearGroup(n, n * (n - count_zeros(plain, place)))
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
        vanishing = {row for name, rows in plain if name in (ROWS, COLUMNS) for row in rows}
        if vanishing:  # the skew matrices of the other rows
            rest = n - len(vanishing)
            others = plain - {SKEW} - {kind for kind in plain if kind[0] in (ROWS, COLUMNS)}
            return None if others else LinearGroup(n, rest * (rest - 1) // 2)
        return LinearGroup(n, (n - 1) * (n - 2) // 2)  # the skew matrices of the sum-zero space
    return rules.get(plain)


def count_zeros(kinds: Collection[Kind], place: str) -> int:
    """Return how many rows, or columns, vanish by conditions."""
    return len({row for name, rows in kinds if name == place for row in rows})


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
    """Return what it takes that the matrices that conditions cut out do not move unseen.

    If a row is added to all rows of W unseen, L W = c W + 1 v^T, and L = c + 1 u^T where W has rank n. Neither skew
    matrices, nor diagonal ones, nor what commutes with turns has such L besides the numbers.
    """
    if SKEW in kinds:  # c = 0, as W^T L W is skew; and a skew matrix has even rank
        return Freedom(n - 1, n - 1, skew=True, blurred=n)
    if DIAGONAL in kinds:  # the ratios of two entries in a column of W are not those in another one
        return Freedom(1, 1, blurred=2)
    for name, speeds in kinds:
        if name == TURNS:  # complex m x m matrices on m x w ones, for each speed
            pairs = Counter(abs(speed) for speed in speeds if speed)
            return Freedom(max(1, n - 2 * sum(pairs.values()), *pairs.values()), n + 1, blurred=n)
    zeros = count_zeros(kinds, ROWS)
    if zeros > 1:  # two rows of c W + 1 v^T that vanish: c = 0 and v = 0
        return Freedom(n, n, image=n - zeros, blurred=n)
    found = OF_ONES.get(frozenset(kinds))
    blurred, ones, sums = found(n) if found else (None, 0, 0)
    line = {frozenset({INTO_ONES}): True, frozenset({OUT_OF_SUMS}): False}.get(frozenset(kinds))
    return Freedom(n, n + 1, image=None if kinds else n, blurred=blurred, ones=ones, sums=sums, line=line)


OF_ONES: dict[frozenset[Kind], Callable[[int], tuple[int | None, int, int]]] = {
    frozenset(): lambda n: (n, n, n),
    frozenset({INTO_ONES}): lambda n: (2, n, 1),
    frozenset({OUT_OF_SUMS}): lambda n: (2, 1, n),
    frozenset({INTO_ONES, OUT_OF_SUMS}): lambda n: (1, 1, 1),
    frozenset({CENTRED}): lambda n: (n - 1, 1, 1),
}
"""What `Freedom` says of blurred matrices, for conditions on n x n matrices."""


def star(
    about: Mapping[Space, set[Kind]], joined: Sequence[tuple[Term, Term]], visible: Collection[Space]
) -> Structure | None:
    """Return what the equations A C = C S leave, for one space S, or its transpose, and several A, up to factors.

    S maps ones to a multiple of ones. It and all A are one matrix T on the sum-zero space, whose rest is free: a row of
    multiples of ones in S, and A 1. A skew A kills ones, and T is skew; so it is for S.
    """
    (((S, flipped), *others), images) = {one for _, one in joined}, dict(one for one, _ in joined)
    implied = {SKEW, CENTRED, TWISTED} if SKEW in about[S] else set()  # a skew S kills ones, too
    if others or S in images or about[S] - implied or any(about[A] - {SKEW} for A in images):
        return None
    n = S.size
    T = (n - 1) * (n - 2) // 2 if any(SKEW in kinds for kinds in about.values()) else (n - 1) ** 2
    dimension = T
    groups: dict[Space, MatrixGroup] = {}
    freedom: dict[Space, Freedom] = {}
    for space, in_ones in ((S, not flipped), *images.items()):  # of transposed A, as of S, the rest is of ones
        rest = 0 if SKEW in about[space] else n
        dimension += rest if space in visible else 0
        groups[space] = LinearGroup(n, T + rest)
        freedom[space] = dataclasses.replace(freedom_of(n, about[space]), image=None)
        if rest:
            ones, sums = (n, 0) if in_ones else (0, n)
            freedom[space] = dataclasses.replace(freedom[space], blurred=n - 1, ones=ones, sums=sums)
    return Structure(groups, freedom, dimension, {S: tuple(images), **dict.fromkeys(images, (S,))})


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
    return Structure(groups, {space: dataclasses.replace(one, image=None) for space, one in freedom.items()}, dimension)


def splits(size: int, found: Mapping[Selection, Space]) -> bool:
    """Return whether selections take, or put back, all parts of one partition of so many rows, and no others."""
    if len({one.chosen for one in found}) < len({(one.chosen, part) for one, part in found.items()}):
        return False
    families = [{one.chosen for one in found if one.transposed == way} for way in (False, True)]
    whole = max(families, key=lambda one: sum(map(len, one)))
    return sorted(row for chosen in whole for row in chosen) == list(range(size)) and all(
        family <= whole for family in families
    )


def centred_pair(actions: tuple[Action, ...]) -> tuple[Term, Term] | None:
    """Return A and S, each with whether it is transposed, of an equation A C = C S; None for others."""
    left, right = actions
    if len(left.terms) != 1 or len(right.terms) != 1:
        return None
    (A,), (S,) = left.terms, right.terms
    return A, S
