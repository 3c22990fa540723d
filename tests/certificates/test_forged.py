"""Forged certificates. The files of `tests/certificates/forged` are of an earlier format; what they tried is tried
here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.certificates.make import dimension as make
from algatt.certificates.verifier import kinds, limits
from algatt.certificates.verifier.directions import plain
from algatt.certificates.verifier.limits import in_a_line
from algatt.errors import InvalidArgument
from small_words import document, family, head, in_lines, symmetry, told

FILES = sorted(Path(__file__).with_name("forged").glob("*.json"))

PLAIN = head("W: tensor 3 x 3; X: input 3 x 2; Y: product W X")

BIASED = head(
    "W: tensor 3 x 3; b: tensor 1 x 2; m: constant 1 x 2 [0 1]; X: input 3 x 2; y: product W X; c: multiply b m; "
    "Y: add y c"
)

SQUARE = head("a: tensor 1 x 1; X: input 1 x 1; s: product a a; Y: product s X")


def dimension(claims: dict[str, Any], *families: Any, directions: Any = (), rows: Any = (), columns: Any = ()) -> str:
    """Return why a certificate of a dimension is not accepted; nothing if it is."""
    more = {"families": list(families), "directions": list(directions), "rows": list(rows), "columns": list(columns)}
    return told(document(claims, kind="dimension", **more))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_forged_files_are_refused(path: Path) -> None:
    with pytest.raises(algatt.errors.CertificateError):
        algatt.verify(path)


def test_all_files_are_there() -> None:
    assert len(FILES) == 18


def test_what_divides_p_minus_one_shows_nothing() -> None:
    """T1, A1: a^2 x has dimension 1. That a^p and a have equal values modulo p is of no use: the file has no prime."""
    assert dimension(SQUARE, rows=[0], columns=[0]) == ""
    assert "the value moves" in dimension(SQUARE, family((1, 1), a="S"), directions=[0])
    assert "the value moves" in dimension(SQUARE, family(None, a="a"), directions=[0])
    assert "an object with 'prime'" in told(
        document(SQUARE, kind="dimension", rows=[], columns=[], families=[], directions=[], prime=2)
    )


def test_theorems_and_spaces_are_unknown() -> None:
    """T2 to T4, A2: a family is its words, and nothing else."""
    for more in ({"by": "theorem", "theorem": "trust me"}, {"tangents": [[0, 1]]}, {"removes": 1}):
        assert "an object with" in dimension(SQUARE, {**family((1, 1), a="S"), **more}, directions=[0])


@pytest.mark.parametrize("kind", ["dimension", "symmetry"])
def test_programs_without_a_value_are_refused(kind: str) -> None:
    """A4, S7: 1 / (x - x), and the root of -1 - x^2."""
    for text in (
        "a: tensor 1 x 1; X: input 1 x 1; n: negate X; z: add X n; Y: reciprocal z",
        "a: tensor 1 x 1; X: input 1 x 1; s: multiply X X; n: negate s; m: constant 1 x 1 [-1]; z: add n m; Y: sqrt z",
    ):
        claims, free = head(text), family((1, 1), a="S")
        if kind == "dimension":
            assert dimension(claims, free, directions=[0]) == "the program has no value at 8 random points"
        else:
            assert symmetry(claims, free, directions=[0]) == "the program has no value at 8 random points"


def test_directions_that_move_nothing_are_refused() -> None:
    """S1, S6, S9, S10."""
    assert "independent" in symmetry(
        PLAIN,
        {**family((3, 1)), "moves": {"W": [[1, [["free"], ["ones", 1, 3]]], [-1, [["free"], ["ones", 1, 3]]]]}},
        directions=[0, 1, 2],
    )
    assert "refused" in symmetry(PLAIN, family((3, 3)), directions=list(range(9)))
    assert "refused" in symmetry(PLAIN, {**family((3, 3)), "moves": {"W": []}}, directions=[])
    assert "refused" in symmetry(PLAIN, family((3, 3), entries=[], W="S"), directions=[])
    assert "refused" in symmetry(PLAIN, directions=[])
    zero = {**family(None), "moves": {"W": [[1, [["constant", 3, 3, []]]]]}}
    assert "independent" in symmetry(PLAIN, zero, directions=[0])


def test_gates_of_tokens_stay_for_a_dimension_alone() -> None:
    """Near almost all weights no gate changes; but finite elements of a symmetry change some."""
    claims = head("E: tensor 2 x 3; X: input 3 x 2; y: product E X; Y: positive y", "tokens")
    free = family((2, 3), E="S")
    assert dimension({**claims, "inputs": []}, free, directions=range(6)) == ""
    assert "the operand of positive moves" in symmetry(claims, free, directions=list(range(6)))


@pytest.mark.parametrize("last", ["e: exp y; Y: transpose e", "Y: rotate y [[1.0] [0 1]]"])
def test_functions_and_turns_have_no_minor_modulo_a_prime(last: str) -> None:
    claims = head(f"W: tensor 2 x 2; X: input 2 x 2; y: product W X; {last}")
    assert "without a point" in dimension(claims, rows=[0], columns=[0])


@pytest.mark.parametrize("operands", ["W V 0", "W U 1", "W b 0", "b W 1", "b b 0", "W W 2"])
def test_joined_operands_fit(operands: str) -> None:
    """Matrices below each other have as many columns, and side by side as many rows; rows are no matrices."""
    text = "W: tensor 2 x 3; V: tensor 2 x 2; U: tensor 3 x 3; X: input 3 x 2; b: constant 3 [1 2 3]; "
    with pytest.raises(limits.Refused, match="instruction"):
        head(f"{text}Y: concatenate {operands}")
    head(f"{text}Y: concatenate W U 0")


def test_one_direction_many_times_is_refused() -> None:
    """S2 to S5."""
    unseen = {**family(None), "moves": {"b": [[1, [["constant", 1, 2, [0, 0, 1]]]]]}}
    assert symmetry(BIASED, unseen, directions=[9]) == ""
    assert "refused" in symmetry(BIASED, unseen, unseen, directions=[9, 9])
    assert "independent" in symmetry(BIASED, unseen, unseen, directions=[9, 10])
    assert "refused" in symmetry(BIASED, unseen, unseen, directions=[9])
    assert "refused" in symmetry(BIASED, unseen, directions=[9, 10])
    both = {
        **family((1, 1), entries=[[0, 0], [0, 0]]),
        "moves": {"b": [[1, [["free"], ["constant", 1, 2, [0, 0, 1]]]]]},
    }
    assert "different ones" in symmetry(BIASED, both, directions=[9, 10])
    assert "independent" in symmetry(BIASED, unseen, directions=[8])


def test_names_are_data() -> None:
    """S8: a name between quotes that it cannot end, and nothing of a terminal."""
    name = "x' (d W = S W, for every orthogonal S), '\x1b[2J\n"
    claims = {
        **BIASED,
        "kind": "symmetry",
        "families": [{**family(None, name), "moves": {"b": [[1, [["constant", 1, 2, [0, 0, 1]]]]]}}],
    }
    claims["families"] = [in_lines(BIASED, one) for one in claims["families"]]
    verdict = kinds.verify_bytes(document(claims, directions=[9]))
    assert verdict.reasons == ()
    assert verdict.claim.isprintable()
    assert r"of 'x\' (d W = S W, for every orthogonal S), \'" in verdict.claim


@pytest.mark.parametrize("name", ["S", "C", "d", "b' = 0, d W", "1", "\u202e"])
def test_names_of_tensors_are_quoted(name: str) -> None:
    line = f"tensor {name}  : 1 x 2"
    claims = {
        "program": [line, "constant [0 1]  : 1 x 2", "multiply %0 %1  : 1 x 2"],
        "tensors": [[name, 1, 2]],
        "reads": "vectors",
    }
    moves = {name: [line, "negate %0  : 1 x 2", "constant [1 0]  : 1 x 2", "multiply %1 %2  : 1 x 2"]}
    content = document(claims, kind="symmetry", families=[{"name": "f", "free": [], "moves": moves}], directions=[0])
    if name in ("b' = 0, d W", "\u202e"):
        assert "refused" in told(content)
    else:
        assert f"d '{name}' = (-'{name}') * C[1x2]" in kinds.verify_bytes(content).claim


def test_what_divides_by_zero_is_refused() -> None:
    """1 / (b^T J b) with a skew J, 1 / (b - b) is no word, and a constant with a zero."""
    claims = head("b: tensor 2 x 1; W: tensor 2 x 2; X: input 2 x 1; z: centre b; Y: product W X")
    skew = ["constant", 2, 2, [0, 1, 1, 1, 0, -1]]
    for inverse in (
        ["diagonal", [["turned", "b"], skew, ["tensor", "b"]], -1],
        ["diagonal", [["constant", 1, 1, []]], -1],
        ["diagonal", [["ones", 1, 2], ["constant", 2, 1, [0, 0, 1, 1, 0, -1]]], -1],
    ):
        moves = {"b": [[1, [["tensor", "b"], inverse]]]}
        assert symmetry(claims, {"name": "f", "free": [], "moves": moves}, directions=[0]) != ""


@pytest.mark.parametrize("name", ["1e5", "1", "S", "C", "d", "a b", "W'", "1.Q"])
def test_names_that_read_as_something_else_are_quoted(name: str) -> None:
    assert plain(name) == in_a_line(name) != name
    assert plain("heads.Q_1") == "heads.Q_1"


def test_directions_are_those_of_unit_matrices() -> None:
    """What is not linear in the free matrix S is evaluated at unit matrices as well: S S is zero at some of them, and b
    is one direction, not four.
    """
    claims = head("b: tensor 2 x 2; X: input 2 x 1; W: tensor 2 x 2; Y: product W X")
    for text, why in (
        ("S S", "not independent"),
        ("b", "not independent"),
        ("S + b", ""),
    ):
        found = symmetry(claims, family((2, 2), b=text), directions=[0, 1, 2, 3])
        assert why in found if why else not found, text
    assert "divide by zero" in symmetry(claims, family((2, 1), b="D(S)^-1 b"), directions=[0, 2])
    assert "refused" in symmetry(claims, family(None, b="S 1(1,2)"), directions=[0])


@pytest.mark.parametrize(
    "lines",
    [
        ["tensor W  : 3 x 3", "take %0 [[0 1] [0 1 2]]  : 2 x 3"],
        ["tensor W  : 3 x 3", "exp %0  : 3 x 3"],
        ["tensor W  : 3 x 3", "positive %0  : 3 x 3"],
        ["tensor W  : 3 x 3", "largest %0 1  : 3 x 3"],
        ["tensor W  : 3 x 3", "rotate %0 [[1.0] [0 1 2]]  : 2 x 3", "concatenate %0 %1 0  : 5 x 3"],
        ["tensor W  : 1 x 9"],
        ["tensor V  : 3 x 3"],
        ["input  : 3 x 3"],
        ["constant [1]  : 1 x 1"],
        [],
        "tensor W  : 3 x 3",
        [["tensor", "W"]],
    ],
)
def test_velocities_are_programs_of_the_shape_of_tensors(lines: Any) -> None:
    """Of sums, products, transposes and one over entries, that read what the network does."""
    claims = {**PLAIN, "tensors": [*PLAIN["tensors"], ["V", 3, 3]]}
    found = symmetry(claims, {"name": "f", "free": [], "moves": {"V": lines}}, directions=[9])
    assert found.startswith("refused: "), found
    found = symmetry(PLAIN, {"name": "f", "free": [], "moves": {"W": lines}}, directions=[0])
    assert found.startswith("refused: "), found
    moves = {"V": ["tensor W  : 3 x 3", "take %0 [[0 2 1] [0 1 2]]  : 3 x 3"]}
    assert symmetry(claims, {"name": "f", "free": [], "moves": moves}, directions=[9]) == ""


def test_rows_are_different_and_there() -> None:
    for rows, columns in (
        ([0, 0], [0, 1]),
        ([0, 1], [0, 0]),
        ([0], [9]),
        ([0, 1], [0]),
        ([-1], [0]),
        ([True], [0]),
        ([0.5], [0]),
    ):
        assert "refused" in dimension(PLAIN, rows=rows, columns=columns)
    assert dimension(PLAIN, rows=[0, 2, 4], columns=[0, 3, 6]) == ""
    assert dimension(PLAIN, rows=[0, 2, 4], columns=[0, 1, 3]) == "the minor of the Jacobian is zero"
    assert dimension(PLAIN, rows=[0, 6, 12, 18], columns=[0, 1, 2, 3]) == "the minor of the Jacobian is zero"


@pytest.mark.parametrize(
    "more", [{"point": {}}, {"point": {"seed": 0, "scales": [0]}}, {"inputs": [[0]]}, {"inputs": [[0] * 6]}]
)
def test_points_and_inputs_are_read_without_rows(more: dict[str, object]) -> None:
    """A point without a seed, and inputs of a program that reads vectors."""
    claims = {"kind": "dimension", "rows": [], "columns": [], "families": [], "directions": []}
    assert told(document(PLAIN, **claims)) == ""
    found = told(document(PLAIN, **claims, **more))
    assert (found == "") is (more.get("point") == {"seed": 0, "scales": [0]})


@pytest.mark.parametrize("entries", [[[0, 0, 0]], [[0]], [[0, 1], [0, 1]], [[0, 3]], [0], []])
def test_entries_of_the_free_matrix_are_pairs(entries: Any) -> None:
    claim = family((3, 3), W="S", entries=entries)
    assert "refused" in symmetry(PLAIN, claim, directions=[0] * len(entries))


def test_certify_says_before_the_work_what_a_real_minor_would_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "dimension", None)
    with pytest.raises(InvalidArgument, match=r"736 rows, which take [0-9]+ steps; it should be at most 600 rows"):
        algatt.certify(algatt.Softmax(dims=(20, 20), ranks=(12,), tokens=2))


def test_a_file_with_a_large_real_minor_is_refused_with_what_it_takes() -> None:
    numbers = list(range(3001))
    claims = {**head("a: tensor 3001 x 1; X: input 3001 x 1; s: add a X; Y: exp s"), "kind": "dimension"}
    claims |= {"families": [], "directions": [], "rows": numbers, "columns": numbers}
    found = told(document(claims, point={"seed": 0, "scales": [0]}))
    assert f"is 3001 rows, which take {4 * 3001 * 3001} steps; it should be at most 600 rows" in found


ROOT = (
    "w: tensor 1 x 1; v: tensor 1 x 1; c: constant 1 x 2 [1 0]; X: input 2 x 1; s: product c X; q: multiply w w; "
    "A: multiply q s; r: sqrt A; "
)
"""A root that is zero at the second token, whatever the weights are."""


def test_roots_of_identical_zeros_move_nothing_at_inputs_outside_the_minor() -> None:
    """Where v multiplies something else at the second token, the value moves there, and there alone."""
    scaling = family(None, w="w", v="- v")
    still, moves = (
        ROOT + "Y: multiply v r",
        ROOT + "n: negate s; t: multiply v n; u: add v t; y: multiply v r; Y: add y u",
    )
    for kind, more in (("symmetry", {}), ("dimension", {"inputs": [[0]], "rows": [], "columns": []})):
        for text, why in ((still, ""), (moves, "the family 'f'")):
            found = told(document(head(text, "tokens"), kind=kind, families=[scaling], directions=[0], **more))
            assert found.startswith(why) if why else not found


def test_gates_that_move_stay_in_a_dimension_alone() -> None:
    """Of finitely many inputs none is at a gate, at almost all weights; but it closes as the weights go on."""
    claims = head("E: tensor 1 x 3; X: input 3 x 2; e: product E X; Y: positive e", "tokens")
    more = {"families": [family((1, 3), E="S")], "directions": [0, 1, 2]}
    assert told(document(claims, kind="dimension", inputs=[], rows=[], columns=[], **more)) == ""
    assert "the operand of positive moves" in told(document(claims, kind="symmetry", **more))


def test_real_minors_have_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = {**head("a: tensor 3 x 1; X: input 3 x 1; s: add a X; Y: exp s"), "kind": "dimension"}
    claims |= {"families": [], "directions": [], "rows": [0, 1, 2], "columns": [0, 1, 2]}
    monkeypatch.setattr(kinds, "MOST_REAL_ORDER", 2)
    assert "at most 2 rows" in told(document(claims, point={"seed": 0, "scales": [0]}))
    monkeypatch.setattr(kinds, "MOST_REAL_ORDER", 3)
    assert told(document(claims, point={"seed": 0, "scales": [0]})) == ""


def test_rows_are_of_inputs_that_are_there() -> None:
    """Two tokens give the two rows of one input; a third row would be of another one."""
    claims = {**head("E: tensor 1 x 3; X: input 3 x 2; Y: product E X", "tokens"), "kind": "dimension"}
    more = {"families": [], "directions": [], "inputs": [[0, 1]]}
    assert told(document(claims, rows=[0, 1], columns=[0, 1], **more)) == ""
    assert "rows of the inputs that are there" in told(document(claims, rows=[0, 2], columns=[0, 1], **more))


@pytest.mark.parametrize("chosen", ["[[0 3] [0 1]]", "[[0] [2]]", "[[0 0] [0 1]]", "[[] [0]]", "[[-1] [0]]"])
def test_parts_are_of_what_is_there(chosen: str) -> None:
    for height, width in ((1, 1), (1, 2), (2, 2), (0, 1)):
        lines = ["tensor W  : 3 x 2", f"take %0 {chosen}  : {height} x {width}"]
        claims = {"program": lines, "tensors": [["W", 3, 2]], "reads": "vectors", "kind": "dimension"}
        assert "refused" in told(document(claims, rows=[], columns=[], families=[], directions=[]))


@pytest.mark.parametrize("order", [150, 300])
def test_a_singular_real_minor_is_not_computed_for_long(order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """dos_singular: the same column twice, by a program with an exponential."""
    claims = head(
        f"a: tensor {order} x 1; b: tensor {order} x 1; X: input 1 x 1; s: add a b; e: exp s; Y: multiply e X"
    )
    monkeypatch.setattr(kinds, "MOST_BITS_OF_MINOR", 10**9)
    more = {"families": [], "directions": [], "point": {"seed": 0, "scales": [0, 0]}}
    rows = list(range(order - 1))
    reason = told(document(claims, kind="dimension", rows=[*rows, order], columns=[*rows, order], **more))
    assert reason.startswith("the minor")


def test_too_large_is_another_code() -> None:
    """3, and not 2: each before work is done."""
    long = {**PLAIN, "program": [*PLAIN["program"], *["negate %2  : 3 x 2"] * 6000]}
    lines = ["tensor W  : 2000 x 2000", "input  : 2000 x 1", "product %0 %1  : 2000 x 1"]
    wide = {"program": lines, "tensors": [["W", 2000, 2000]], "reads": "vectors"}
    for content in (
        document(long, kind="dimension", rows=[], columns=[], families=[], directions=[]),
        document(wide, kind="dimension", rows=[], columns=[], families=[], directions=[]),
        b" " * (limits.MOST_BYTES + 1),
        b"[" + b"0," * (limits.MOST_NESTED + 1) + b"0]",
        document(PLAIN, kind="symmetry", families=[family(None, W="W")] * 30_000, directions=[]),
    ):
        with pytest.raises(limits.Refused) as caught:
            kinds.verify_bytes(content)
        assert caught.value.code == 3, content[:100]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"7",
        b"[]",
        b"{}",
        b'{"a": 1, "a": 1}',
        b'{"a": NaN}',
        b'{"a": 1.5}',
        b"[" * 10**5,
        b'{"a":' * 10**5,
        b'{"x": ' + b"1" * 10**6 + b"}",
    ],
)
def test_what_is_no_certificate(content: bytes) -> None:
    with pytest.raises(limits.Refused) as caught:
        kinds.verify_bytes(content)
    assert caught.value.code == 2
    assert str(caught.value).isprintable()


def test_versions_are_numbers() -> None:
    made = json.loads(document(PLAIN, kind="dimension", rows=[], columns=[], families=[], directions=[]))
    assert told(json.dumps(made).encode()) == ""
    for version in (1, 2, 3, 5, True, "4", None, [4]):
        assert "refused" in told(json.dumps({**made, "version": version}).encode())
    for key, value in (("format", "algatt"), ("made_with", 3), ("claims", []), ("note", "trust me")):
        assert "refused" in told(json.dumps({**made, key: value}).encode())


@pytest.mark.parametrize("gate", [True, False])
def test_dimensions_with_gates_are_those_around_an_open_set(gate: bool) -> None:
    text = "W: tensor 2 x 2; X: input 2 x 1; y: product W X; " + ("Y: positive y" if gate else "Y: negate y")
    content = document(head(text), kind="dimension", rows=[], columns=[], families=[], directions=[])
    assert ("around almost all weights of an open set" in kinds.verify_bytes(content).claim) is gate
