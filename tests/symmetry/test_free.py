"""Which vector fields move a tensor only in ways in which others do, against exact ranks at random entries."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.fields import Elements, PrimeField
from algatt.fields.motions import Action, Space
from algatt.layers import Heads, LayerNorm, Linear, Residual
from algatt.symmetry import SpaceSymmetry, SymmetryReport
from algatt.symmetry.free import places_of, ways_of
from algatt.symmetry.motions.solution import Connected, Solution
from written_networks import written

FIELD = PrimeField()


def matrices(kind: str, size: int) -> list[np.ndarray]:
    """Return a basis of some matrices, with small integers."""
    unit = np.eye(size * size, dtype=np.int64).reshape(-1, size, size)
    skew = [one - one.T for one in unit if np.triu(one, 1).any()]
    equal = [np.outer(np.ones(size, dtype=np.int64), row) for row in np.eye(size, dtype=np.int64)]
    centred = [one - one[:1] for one in skew]
    return {
        "all": list(unit),
        "skew": skew,
        "diagonal": [one for one in unit if np.diag(one).any()],
        "equal rows": equal,
        "stream": [*[one for one in centred if one.any()], *equal],
        "some": [unit[0] + unit[-1], *[one - 2 * one.T for one in unit[1:3]]][: size - 1],
    }[kind]


KINDS = ["all", "skew", "diagonal", "equal rows", "stream", "some"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("side", [0, 1])
def test_what_is_left_beside_others(kind: str, size: int, side: int) -> None:
    """W moves by L W, or by W L for the transposed matrices; others by u r^T with three rows r, one of them ones, and
    by 1 w^T. Compared are the combinations of the first that some combination of the second equals.
    """
    basis = matrices(kind, size)
    if not basis:
        return
    if ranks(basis) < len(basis):
        return
    space, rng = Space(size, 1, ""), np.random.default_rng(size)
    taken = [one.T for one in basis] if side else basis
    values = [{(space, i, j): int(one[i, j]) for i, j in np.argwhere(one)} for one in taken]
    for width in range(1, 8):
        zero, own = Action(width), Action(size, {(space, False): 1})
        actions = {"W": (zero, own) if side else (own, zero)}
        solution = Solution.of(Connected((space,), (), ()), actions, values)
        W = rng.integers(FIELD.p, size=(size, width))
        rows = [np.ones(width, dtype=np.int64), *rng.integers(FIELD.p, size=(2, width))]
        for count in range(4):
            for equal in (False, True):
                across, beside = ("rows", "columns") if side else ("columns", "rows")
                names = [None, "one", "other"][:count]
                ways = {(across, name) for name in names} | ({(beside, None)} if equal else set())
                others = [np.outer(unit, row) for row in rows[:count] for unit in np.eye(size, dtype=np.int64)]
                others += [
                    np.outer(np.ones(size, dtype=np.int64), unit) for unit in np.eye(width, dtype=np.int64)
                ] * equal
                found = solution.beside("W", frozenset(ways))
                if found is solution:
                    continue
                whole = [one.astype(object) @ W % FIELD.p for one in basis]
                left = 0 if found is None else len(found)
                assert ranks(whole) + ranks(others) - ranks([*whole, *others]) <= left
                if found is not None:
                    kept = [np.zeros((size, size), dtype=object) for _ in range(left)]
                    for number, i, j, value in zip(*found.unknowns[space].arrays, strict=True):
                        kept[number][i, j] = int(value)
                    moved = [(one.T if side else one) @ W % FIELD.p for one in kept]
                    assert ranks(moved) == left
                    assert ranks([*others, *moved]) == ranks(others)
                    assert ranks([*whole, *moved]) == ranks(whole)


def ranks(parts: list[np.ndarray]) -> int:
    """Return the rank of matrices as vectors."""
    if not parts:
        return 0
    return int(
        algatt.rank(Elements.of(FIELD, np.array([one.ravel() for one in parts]).astype(np.int64) % FIELD.p).public())
    )


def test_where_nothing_is_known() -> None:
    """W moves on both sides, or others add multiples of a row beside matrices on its right."""
    space = Space(2, 1, "")
    own, zero = Action(2, {(space, False): 1}), Action(2)
    both, one = (Solution.free(Connected((space,), (), ()), {"W": pair}) for pair in ((own, -own), (zero, own)))
    assert both.beside("W", frozenset()) is both
    assert one.beside("W", frozenset({("columns", "row")})) is one


def test_ways_of_families_and_the_entries_that_tell() -> None:
    """Of a tensor with 3 rows and 4 columns."""
    theta: Any = SimpleNamespace(tensors={"W": Elements.of(FIELD, np.ones((3, 4), dtype=np.int64))})

    def family(*ways: Any) -> Any:
        return SimpleNamespace(tensors=("W",), added={"W": frozenset(ways)} if ways else {})

    rows, columns, others = ("rows", None), ("columns", None), ("columns", "row")
    assert ways_of([family(rows), family()], "W") is None
    assert ways_of([family(rows), family(columns)], "W") == {rows, columns}
    for ways, places in (((rows,), range(4)), ((columns,), range(0, 12, 4)), ((others,), range(12)), ((), range(12))):
        assert places_of(theta, [family(*ways)]) == {"W": places}


def test_vectors_beside_others_are_in_relations() -> None:
    """With other families on the same tensor nothing is known of what is added to it by vectors."""
    norm = LayerNorm() >> Heads(2, biases="QKVO")
    found = algatt.symmetries(algatt.Network(Residual(norm) >> LayerNorm() >> Linear(3), tokens=3, width=4))
    vectors = [one for one in found if not isinstance(one, SpaceSymmetry)]
    assert len({type(one) for one in vectors}) == 3
    for one in vectors:
        assert all(one.beside(name, frozenset({("rows", None)})) is one for name in one.tensors)


def test_a_vector_that_is_added_to_rows_and_taken_off_columns() -> None:
    """A + A^T does not see v 1^T - 1 v^T, which is zero for v = 1: two of its three dimensions are left."""
    net = written({"A": (3, 3)}, lambda w, X: (w.A + w.A.T) @ X)
    (family,) = algatt.symmetries(net)
    report = SymmetryReport.of(net)
    (orbit,) = report.families
    assert family.dimension == report.dimension == orbit.dimension == orbit.alone == 2
    assert family.beside("A", frozenset()) is family


def test_vectors_that_satisfy_conditions_are_not_known_to_be_all() -> None:
    """The value sees A b alone: two dimensions of b are left, of which the number rests on a bound of a rank."""
    net = written({"A": (2, 4), "b": (4, 1)}, lambda w, X: (w.A.T @ (w.A @ (X + w.b))).exp(), width=4)
    (family,) = (one for one in algatt.symmetries(net) if one.tensors == ("b",))
    assert family.dimension == 2
    assert family.beside("b", frozenset()) is family
