"""Certificates by pieces: the theorem over random programs, forged files, and large ones."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from algatt.certificates.verifier.kinds import verify_bytes
from algatt.certificates.verifier.pieces import Cut
from algatt.certificates.verifier.program import parse
from pieces_oracle import Undefined, generator, minors, mismatch, rank, written
from small_words import document, family, head, told

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

CUTS = [
    Cut(2, {4: (0, 2)}),
    Cut(2, {6: (2, 2)}),
    Cut(2, {4: (2, 1), 6: (0, 3)}),
    Cut(2, {2: (0, 1), 3: (1, 1)}),
    Cut(3, {4: (1, 1)}),
    Cut(3, {6: (0, 2)}),
    Cut(3, {3: (0, 1), 6: (3, 1)}),
    Cut(4, {4: (0, 1), 5: (1, 1)}),
]

FUNCTIONS = ("reciprocal", "reciprocal", "exp", "sigmoid", "erf", "sqrt", "log", "positive")


@pytest.mark.parametrize("number", range(len(CUTS)))
@pytest.mark.parametrize("least", [1, 2])
def test_values_and_derivatives_in_parts_are_those_of_the_network_of_the_parts(number: int, least: int) -> None:
    rng, cut = generator(f"{number} {least}"), CUTS[number]
    for _ in range(12):
        lines, tensors = written(cut, rng, rng.randint(6, 14), FUNCTIONS if least == 2 else FUNCTIONS[:1], least)
        assert mismatch(cut, lines, tensors, rng, least) is None, (cut, lines)


@pytest.mark.parametrize("number", range(len(CUTS)))
def test_minors_of_pieces_are_below_the_rank(number: int) -> None:
    rng, cut, accepted = generator(number), CUTS[number], 0
    for _ in range(12):
        lines, tensors = written(cut, rng, rng.randint(4, 9), ["reciprocal"], 2)
        if not tensors:
            continue
        try:
            claims = claimed(cut, lines, tensors, rng)
            most = rank(parse(lines), tensors, rng)
        except Undefined:
            continue
        rows = [len(one) for one in claims["rows"]]
        if rows[0]:
            assert verify_bytes(document(claims)).reasons == ()
            assert sum(times * count for times, count in zip(cut.times, rows, strict=True)) <= most
            accepted += 1
    assert accepted


def claimed(cut: Cut, lines: list[str], tensors: Any, rng: Random) -> dict[str, Any]:
    """Return the claims of the largest minors of pieces."""
    rows, columns = minors(cut, parse(lines), tensors, rng)
    claims = {"kind": "pieces", "program": lines, "tensors": [[name, *sizes] for name, sizes in tensors.items()]}
    claims |= {"reads": "vectors", "copies": cut.copies, "cuts": [list(pair) for pair in cut.sizes.values()]}
    return {**claims, "rows": rows, "columns": columns, "families": [], "directions": [[], [], []]}


# ----- forged files

FACTORED = "U: tensor 5 x 4; V: tensor 4 x 5; X: input 5 x 2; v: product V X; Y: product U v"
"""Products of two factors, which have rank 4: of dimension 24."""

DIRECTIONS = [[2, 3, 4, 5], [2, 3, 4, 5], [6, 7, 10, 11, 12, 13, 16, 17]]

READS_HUB = "a: tensor 1 x 1; X: input 4 x 1; Y: transpose a"


def factored(**more: Any) -> str:
    """Return why the claims of products of two factors are not accepted, with some in place of the true ones."""
    return told(claims_of_factors(**more))


def claims_of_factors(**more: Any) -> bytes:
    """Return a file with the claims of products of two factors, with some in place of the true ones."""
    claims = head(FACTORED)
    shapes = {name: (height, width) for name, height, width in claims["tensors"]}
    found = claimed(Cut(2, {4: (0, 2), 5: (1, 2)}), claims["program"], shapes, generator(0))
    squares = family((4, 4), U="U S", V="- S V")
    return document({**found, "directions": DIRECTIONS}, **{"families": [squares], **more})


def small(text: str, *families: dict[str, Any], unread: Any = (), **more: Any) -> str:
    """Return why the claims of a program with axes of length 4 = 2 * 2 are not accepted; nothing if they are."""
    claims = head(text)
    claims["tensors"] += [list(one) for one in unread]
    found = {"kind": "pieces", "copies": 2, "cuts": [[0, 2]], "rows": [[0], [], []], "columns": [[0], [], []]}
    return told(document({**claims, **found, "directions": [[], [], []]}, **{"families": list(families), **more}))


def test_the_true_claims_are_accepted() -> None:
    verdict = verify_bytes(claims_of_factors())
    assert verdict.reasons == ()
    assert verdict.claim.endswith("of dimension 24")
    assert small(READS_HUB) == ""


MOVES = [family((4, 4), U="U S"), family((4, 4), U="U S", V="S V"), family((4, 4), U="U S", V="- S' V")]


@pytest.mark.parametrize(
    "more",
    [
        *({"families": [one]} for one in MOVES),
        {"families": [family((4, 4), U="U S", V="- S V")] * 2, "directions": [[*one, *one] for one in DIRECTIONS]},
        {"families": [family((4, 4), U="U S", V="- S V")] * 2},
        {"families": []},
        {"families": [family((4, 4), entries=[[i, j] for i in range(4) for j in range(4)], U="U S", V="- S V")]},
        {"directions": [[0, 1, 2, 3], *DIRECTIONS[1:]]},
        {"directions": [DIRECTIONS[0], [0, 3, 4, 5], DIRECTIONS[2]]},
        {"directions": [*DIRECTIONS[:2], [0, 7, 10, 11, 12, 13, 16, 17]]},
        {"directions": [*DIRECTIONS[:2], [7, 7, 10, 11, 12, 13, 16, 17]]},
        {"directions": DIRECTIONS[:2]},
        {"directions": [*DIRECTIONS, []]},
        {"columns": [[0, 1, 2, 3, 4, 5, 6, 9], [0, 1, 2, 3, 4, 5, 6, 9], [0, 7, 10, 11, 12, 13, 16, 17]]},
        {"rows": [[0, 1, 2, 3, 4, 5, 8, 8], [0, 1, 2, 3, 4, 5, 8, 10], [2, 3, 4, 5, 6, 7, 8, 9]]},
        {"copies": 3},
        {"copies": 1},
        {"copies": 0},
        {"copies": True},
        {"copies": 2**31 + 1},
        {"cuts": [[0, 2]]},
        {"cuts": [[1, 2]]},
        {"cuts": []},
        {"cuts": [[0, 2], [2, 1], [1, 2]]},
        {"cuts": [[0, 2], [0, 2], [1, 2]]},
        {"cuts": [[0, 2], [1, 0]]},
        {"cuts": [[0, 2], [5, 0]]},
        {"cuts": [[0, 2], [-1, 3]]},
        {"cuts": [[0, 2], [1, "2"]]},
        {"cuts": [[0, 2], [1]]},
        {"cuts": ["02", [1, 2]]},
        {"reads": "tokens"},
    ],
)
def test_false_claims_of_factors_are_not_accepted(more: dict[str, Any]) -> None:
    assert factored(**more) != ""


@pytest.mark.parametrize(("piece", "column"), [(0, 7), (1, 7), (2, 23)])
def test_larger_minors_are_zero(piece: int, column: int) -> None:
    claims = json.loads(claims_of_factors())["claims"]
    assert column not in claims["columns"][piece]
    claims["rows"][piece].append(11)
    claims["columns"][piece].append(column)
    assert told(document(claims)) == f"piece {piece}: the minor of the Jacobian is zero"


SUMS = {
    "vectors": "a: tensor 1 x 4; b: tensor 4 x 1; Y: product a b",
    "ones": "a: tensor 3 x 4; o: constant 4 x 1 [1 1 1 1]; Y: product a o",
    "neurons that say one": (
        "a: tensor 4 x 3; b: tensor 3 x 4; X: input 3 x 1; x: product a X; e: exp x; Y: product b e"
    ),
    "neurons that say something": (
        "a: tensor 4 x 3; b: tensor 3 x 4; X: input 3 x 1; x: product a X; e: sigmoid x; Y: product b e"
    ),
    "neurons with biases": "b: tensor 4 x 1; a: tensor 3 x 4; X: input 4 x 1; x: add X b; Y: product a x",
    "columns": "b: tensor 4 x 3; a: tensor 4 x 1; Y: column_products b a",
    "rows of squares": "a: tensor 4 x 4; o: constant 1 x 4 [1 1 1 1]; Y: product o a",
}

OTHERS = {
    "means": "a: tensor 4 x 3; X: input 4 x 1; x: multiply a X; Y: centre x",
    "entries that differ": "a: tensor 4 x 3; C: constant 4 x 1 [1 1 1 2]; Y: multiply a C",
    "rows that differ": "a: tensor 3 x 4; C: constant 3 x 4 [1 1 1 1 2 2 2 2 3 3 4 3]; Y: multiply a C",
    "units": "a: tensor 4 x 4; C: constant 4 x 4 [1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1]; Y: multiply a C",
    "inverses of inputs": "a: tensor 4 x 1; X: input 4 x 1; x: add X a; Y: reciprocal x",
    "inverses of squares": "a: tensor 4 x 4; Y: reciprocal a",
    "roots": "a: tensor 4 x 1; x: multiply a a; Y: sqrt x",
    "gates": "a: tensor 4 x 1; Y: positive a",
    "logarithms": "a: tensor 4 x 1; Y: log a",
    "largest": "a: tensor 4 x 1; Y: largest a 2",
    "largest in columns": "a: tensor 3 x 4; Y: largest a 2",
    "parts": "a: tensor 4 x 1; Y: take a [[0 1] [0]]",
    "joined": "a: tensor 2 x 3; b: tensor 2 x 3; Y: concatenate a b 0",
    "turned": "a: tensor 4 x 1; Y: rotate a [[0.5] [1]]",
    "turned by positions": "a: tensor 2 x 1; X: input 2 x 4; x: multiply a X; Y: rotate x [[0.5] [0 1 2 3]]",
}


@pytest.mark.parametrize("name", SUMS)
def test_sums_over_what_does_not_vanish_are_refused(name: str) -> None:
    assert "a sum over what does not vanish" in small(SUMS[name])


@pytest.mark.parametrize("name", OTHERS)
def test_programs_that_are_not_of_parts_are_refused(name: str) -> None:
    assert "of a program with" in small(OTHERS[name])


READS_SQUARE = "a: tensor 1 x 1; Z: tensor 4 x 4; X: input 4 x 1; Y: transpose a"

SQUARES = [[2, 10, 11, 12, 13], [10, 11, 12, 13], [20, 21, 24, 25, 26, 27, 30, 31]]
"""Columns of u, T and Z in pieces."""

UNREAD = (("u", 1, 1), ("T", 4, 1), ("W", 4, 3), ("Z", 4, 4))


def test_directions_of_what_is_not_read() -> None:
    """All four tensors move, as nothing sees them: 1 + 4 + 12 + 16 directions, for any number of copies."""
    free = [family((1, 1), u="S"), family((4, 1), T="S"), family((4, 3), W="S"), family((4, 4), Z="S")]
    pieces = {2: [[*range(1, 14)], [*range(2, 14)], [20, 21, 24, 25, 26, 27, 30, 31]]}
    pieces[4] = [[*range(1, 7)], [*range(2, 7)], [11, 12]]
    claims = head(READS_HUB)
    claims["tensors"] += [list(one) for one in UNREAD]
    for copies, directions in pieces.items():
        found = {"kind": "pieces", "copies": copies, "cuts": [[0, 4 // copies]], "directions": directions}
        rows = {"rows": [[0], [], []], "columns": [[0], [], []]}
        verdict = verify_bytes(document({**claims, **found, **rows}, families=free))
        assert verdict.reasons == ()
        assert verdict.claim.endswith("of dimension 1")


@pytest.mark.parametrize(
    ("families", "directions"),
    [
        # in the first four the direction without S is the sum of the others
        ([family(None, Z="1(4,1) 1(1,4)", T="4 1(4,1)"), family((4, 4), Z="S", T="S 1(4,1)")], SQUARES),
        ([family(None, Z="1(4,1) 1(1,4)", T="4 1(4,1)"), family((4, 4), Z="S'", T="S' 1(4,1)")], SQUARES),
        ([family(None, Z="4 Z", T="1(4,1)"), family((4, 1), T="S", Z="Z")], [[2, 3, 10], [2, 3], []]),
        ([family(None, u="4 1(1,1)", T="1(4,1)"), family((4, 1), u="1(1,4) S", T="S")], [[1, 2, 3], [2, 3], []]),
        ([family((4, 1), T="S", u="1(1,4) S")], [[2, 3], [2, 3], []]),
        ([family((4, 1), T="S + 1(4,1)")], [[2, 3], [2, 3], []]),
        ([family((4, 1), T="S + 1(4,4) S")], [[2, 3], [2, 3], []]),
        ([family((1, 1), T="1(4,1) S")], [[2], [2], []]),
        ([family((3, 1), T="1(4,3) S")], [[2, 3, 2], [], []]),
        ([family((4, 4), T="S 1(4,1)")], [[2, 3], [2, 3], []]),
        ([family((2, 4), T="S' 1(2,1)")], [[2, 3, 4, 5], [2, 3, 4, 5], []]),
    ],
)
def test_directions_that_leave_their_pieces_are_not_accepted(families: Any, directions: Any) -> None:
    claims = head(READS_SQUARE)
    claims["tensors"] = [["a", 1, 1], *map(list, UNREAD)]
    found = {"kind": "pieces", "copies": 2, "cuts": [[0, 2]], "rows": [[0], [], []], "columns": [[0], [], []]}
    reason = told(document({**claims, **found}, families=families, directions=directions))
    assert reason != ""


def test_a_row_of_the_hub_is_needed() -> None:
    """Whether a program has a value is seen there."""
    assert small(READS_HUB, rows=[[], [], []], columns=[[], [], []]) != ""


# ----- large files, and files that broke the verifier


def test_velocities_that_divide_by_zero_are_no_crash() -> None:
    """T is zero between copies and the axis of length 3."""
    claim = family((4, 3), W="S")
    lines = ["tensor T  : 4 x 3", "reciprocal %0  : 4 x 3", "input  : 4 x 3", "multiply %1 %2  : 4 x 3"]
    columns, more = list(range(6, 12)), {"unread": [("W", 4, 3)]}
    text = "T: tensor 4 x 3; X: input 4 x 3; Y: add T X"
    assert small(text, {**claim, "moves": {"W": lines}}, directions=[columns, columns, []], **more) != ""


def test_directions_are_counted_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million entries for each of many families."""

    def owns(*_: object) -> bool:
        nonlocal asked
        asked += 1
        assert asked < 20_000, "it looks at all entries"
        return True

    asked = 0
    monkeypatch.setattr(Cut, "owns", owns)
    claim = {**family((1000, 999)), "moves": {"W": ["input  : 1000 x 999"]}}
    assert small(READS_HUB, *[claim] * 20, unread=[("W", 1000, 999)]) != ""


def test_results_of_pieces_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty million entries of an input take some gigabytes."""

    def randomly(*_: object) -> None:
        raise AssertionError("it draws a large input")

    lines = ["tensor a  : 1 x 1", "input  : 7000 x 7000", f"constant [{' '.join('1' * 7000)}]  : 1 x 7000"]
    lines += [
        "transpose %2  : 7000 x 1",
        "product %2 %1  : 1 x 7000",
        "product %4 %3  : 1 x 1",
        "multiply %5 %0  : 1 x 1",
    ]
    found = {"kind": "pieces", "copies": 2, "cuts": [[0, 2]], "rows": [[0], [], []], "columns": [[0], [], []]}
    monkeypatch.setattr("algatt.certificates.verifier.fields.words_of", randomly)
    claims = {"program": lines, "tensors": [["a", 1, 1]], "reads": "vectors", "families": [], **found}
    assert "refused" in told(document({**claims, "directions": [[], [], []]}))


@pytest.mark.parametrize(
    "more",
    [
        {"unread": [("W", 10**6, 10**6)]},
        {"unread": [("W", 2**40, 2**40)]},
        {"rows": [[2**41], [], []]},
        {"rows": [["0"], [], []]},
        {"rows": [[True], [], []]},
        {"rows": [[0], [], [], []]},
        {"rows": [0, 0, 0]},
        {"columns": [[1], [], []]},
        {"columns": [[-1], [], []]},
        {"columns": [{}, [], []]},
        {"rows": [[0], [0], []], "columns": [[0], [0], []]},
        {"rows": [[0], [], [0]], "columns": [[0], [], [0]]},
        {"point": {"seed": 0, "scales": []}},
        {"point": {"seed": 0, "scales": [1001]}},
        {"families": [{"name": "f", "free": [10**6, 10**6], "moves": {"a": ["input  : 1000000 x 1000000"]}}]},
        {"families": [{"name": "f", "free": [10**9, 1], "moves": {"a": ["input  : 1000000000 x 1"]}}]},
        {"families": [{"name": "f", "free": [1, 1], "moves": {"a": ["input  : 1 x 1"]}, "entries": [[0, 0]]}]},
        {"families": [{"name": "f", "free": [], "moves": {"a": ["input  : 1 x 1"]}}]},
        {"families": [{"name": "f", "free": [], "moves": {"a": ["tensor W  : 1 x 1"]}}]},
    ],
)
def test_hostile_claims_are_refused(more: dict[str, Any]) -> None:
    assert "refused" in small(READS_HUB, **more)


def test_large_tensors_that_nothing_reads_are_of_small_pieces() -> None:
    """Of 2^31 coordinates, each a copy; and of cuts that no axis has."""
    for copies, cut in ((2**31, [0, 1]), (2**30, [0, 1])):
        found = small(READS_HUB.replace("4 x 1", "3 x 1"), unread=[("W", copies, 1)], copies=copies, cuts=[cut])
        assert found == ""
