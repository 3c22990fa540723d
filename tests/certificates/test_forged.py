"""Forged certificates, each of which was once accepted, stopped the verifier, or kept it at work for long.

The files are those of `tests/certificates/forged`: T1 to T4 claim a family by a theorem, A1 and A2 an ambient space, A4
a dimension of a program without a value; S1 to S10 claim symmetries that move nothing, are one direction many times, or
have names that look like claims; dos_* are small and would take long. Two large ones are made here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.certificates import Certificate
from algatt.certificates.verifier import independence, real_minor, values
from algatt.certificates.verifier.kinds import claim_in_words
from algatt.certificates.verifier.program import hash_of
from algatt.certificates.verifier.symmetry import hash_of_families

FILES = sorted(Path(__file__).with_name("forged").glob("*.json"))

REASONS = {
    "A2": "a family by 'ambient', which is not checked",
    "A4": "the program has no value at 8 random points",
    "S10": "the family 'all': direction 0 moves nothing",
    "S1": "direction 0 moves nothing",
    "S2": "units was a list with an entry twice",
    "S3": "the 12 directions of all families are dependent: they span 1",
    "S4": "the 50 directions of all families are dependent: they span 1",
    "S5": "the value moves",
    "S6": "the value moves",
    "S7": "the value moves",
    "S8": r"the 1 direction of 'rotations of the stream\' (d W = S W, for every orthogonal S), \'b'",
    "S9": "the family 'all of W' has no directions",
    "T1": "a family by 'theorem', which is not checked",
    "T2": "a family by 'theorem', which is not checked",
    "T3": "a family by 'theorem', which is not checked",
    "T4": "a family by 'theorem', which is not checked",
    "dos_singular_150": "the minor of the lower bound takes too long to be told from other numbers",
    "dos_singular_300": "a real minor of order 300; it should be of order 190 at most",
}


def refusal(certificate: Certificate | Path) -> str:
    """Return why a certificate is not accepted; nothing if it is."""
    try:
        told = "; ".join(algatt.verify(certificate).reasons)
    except algatt.errors.CertificateError as error:
        told = str(error)
    assert told.isprintable()
    return told


def dimension(lines: Sequence[str], tensors: Sequence[Sequence[Any]], **claims: Any) -> Certificate:
    """Claim that a network has dimension 0, its families removing all parameters."""
    claims = {
        "kind": "dimension",
        "program": list(lines),
        "sha256": hash_of(list(lines)),
        "tensors": list(tensors),
        "reads": "vectors",
        "dimension": 0,
        "status": "proven",
        "parameters": sum(height * width for _, height, width in tensors),
        "prime": 8388593,
        "seed": 0,
        "lower_bound": {"value": 0, "determinant": 1, "rows": [], "columns": []},
        **claims,
    }
    return Certificate(claims, "", "test")


def symmetry(lines: Sequence[str], tensors: Sequence[Sequence[Any]], *families: dict[str, Any]) -> Certificate:
    """Claim that a network does not change along families, in the words that belong to them."""
    claims = {
        "kind": "symmetry",
        "program": list(lines),
        "sha256": hash_of(list(lines)),
        "tensors": list(tensors),
        "reads": "vectors",
        "families": list(families),
        "families_sha256": hash_of_families(list(tensors), list(families)),
    }
    return Certificate(claims, claim_in_words(claims), "test")


def shift(name: str, units: Sequence[int], *moves: list[Any], size: int = 3) -> dict[str, Any]:
    return {"name": name, "by": "shift", "gains": [], "size": size, "units": list(units), "moves": list(moves)}


def unseen(name: str, **entries: list[list[int]]) -> dict[str, Any]:
    return {"name": name, "by": "unseen", "entries": entries}


def types(name: str, spaces: list[int], basis: Any, **axes: list[list[Any]]) -> dict[str, Any]:
    return {"name": name, "by": "types", "spaces": spaces, "basis": basis, "axes": axes, "images": {}}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_forged_files_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real minors are computed at the lowest precision, if at all."""
    enclosed, seen = real_minor.enclosed_minor, []
    monkeypatch.setattr(
        real_minor, "enclosed_minor", lambda claim, bits, told: seen.append(bits) or enclosed(claim, bits, told)
    )
    (reason,) = (REASONS[key] for key in REASONS if path.stem.split("_")[0] == key or path.stem == key)
    assert reason in refusal(path)
    assert seen == ([128] if path.stem == "dos_singular_150" else [])


def test_all_files_are_there() -> None:
    assert len(FILES) == len(REASONS) == 18


def test_an_ambient_space_is_not_checked() -> None:
    """x a^(p - 1) for the prime p at which values were compared: a x^p would be the same, with other weights."""
    lines = ["tensor a  : 1 x 1", "input  : 1 x 1", "multiply %0 %0  : 1 x 1", "multiply %2 %1  : 1 x 1"]
    family = {"name": "ambient", "removes": 1, "by": "ambient"}
    upper = {"value": 0, "families": [family], "determinant": 1, "rows": [], "columns": []}
    assert "a family by 'ambient', which is not checked" in refusal(dimension(lines, [["a", 1, 1]], upper_bound=upper))


def test_many_spaces_with_many_fields_are_refused_before_they_are_compared() -> None:
    family = types(
        "f",
        [1] * 1000,
        [[k % 1000, 0, 0, 1] for k in range(10_000)],
        W=[["rows", k, 1, False, []] for k in range(1000)],
    )
    lines = ["tensor W  : 2 x 2", "input  : 2 x 1", "product %0 %1  : 2 x 1"]
    upper = {"value": 4, "families": [family | {"removes": 1}], "determinant": 1, "rows": [], "columns": []}
    certificate = dimension(lines, [["W", 2, 2]], upper_bound=upper)
    assert "1000 spaces, 1000 parts and 10000 vector fields; it should be one of at most" in refusal(certificate)


def test_a_free_family_of_a_large_space_that_acts_as_zero_is_refused_at_once() -> None:
    """S - S for the 10^12 units of a space: the first two tell that nothing moves."""
    family = types("f", [10**6], "free", W=[["rows", 0, 1, False, []], ["rows", 0, -1, False, []]])
    lines = ["tensor W  : 1000000 x 1", "input  : 1 x 1", "product %0 %1  : 1000000 x 1"]
    upper = {"value": 10**6 - 1, "families": [family | {"removes": 1}], "determinant": 1, "rows": [0], "columns": [0]}
    assert "zero in all vector fields" in refusal(dimension(lines, [["W", 10**6, 1]], upper_bound=upper))


def test_a_free_family_that_moves_by_skew_matrices_is_no_zero() -> None:
    """S - S^T is zero for the first unit and not for the second."""
    lines = ["tensor W  : 2 x 2", "input  : 2 x 2", "product %0 %1  : 2 x 2", "column_products %2 %2  : 1 x 2"]
    family = types("f", [2], "free", W=[["rows", 0, 1, False, []], ["rows", 0, -1, True, []]])
    assert refusal(symmetry(lines, [["W", 2, 2]], family)) == "the family 'f': direction 0 moves nothing"
    family = types("f", [2], [[0, 0, 1, 1]], W=[["rows", 0, 1, False, []], ["rows", 0, -1, True, []]])
    assert refusal(symmetry(lines, [["W", 2, 2]], family)) == ""


def test_a_large_free_family_is_refused_before_it_is_followed() -> None:
    """10^7 units along which 8 results would get types."""
    size = 3000
    lines = [f"tensor {name}  : {size} x 1" for name in "QK"] + ["input  : 1 x 1"]
    lines += [f"product %0 %2  : {size} x 1", f"product %1 %2  : {size} x 1", f"transpose %4  : 1 x {size}"]
    lines += ["product %5 %3  : 1 x 1"]
    family = types("g", [size], "free", K=[["rows", 0, 1, False, []]], Q=[["rows", 0, -1, True, []]])
    certificate = symmetry(lines, [["Q", size, 1], ["K", size, 1]], family)
    assert f"one that takes {7 * size**2} steps" in refusal(certificate)


BIASES = [
    "tensor W  : 3 x 3",
    "tensor b  : 3 x 1",
    "tensor c  : 3 x 1",
    "input  : 3 x 2",
    "product %0 %3  : 3 x 2",
    "add %4 %1  : 3 x 2",
    "add %5 %2  : 3 x 2",
]
OF_BIASES = [["W", 3, 3], ["b", 3, 1], ["c", 3, 1]]
BACK = ["b", "columns", [[1, []]]], ["c", "columns", [[-1, []]]]
"""What b takes c gives."""


def test_what_is_true_is_accepted() -> None:
    assert refusal(symmetry(BIASES, OF_BIASES, shift("b and c", [0, 1, 2], *BACK))) == ""
    assert refusal(symmetry(BIASES, OF_BIASES, shift("b and c", [0], *BACK), shift("more", [1], *BACK))) == ""


@pytest.mark.parametrize(
    ("families", "reason"),
    [
        ([shift("x", [], *BACK)], "the family 'x' has no directions"),
        ([shift("x", [0, 1, 2])], "the family 'x': direction 0 moves nothing"),
        ([shift("x", [0, 1, 2], ["b", "columns", [[1, []], [-1, []]]])], "direction 0 moves nothing"),
        ([shift("x", [0], *BACK), shift("x", [0], *BACK)], "the 2 directions .* are dependent: they span 1"),
        ([shift("x", [0], *BACK), shift("y", [0, 1], *BACK)], "the 3 directions .* are dependent: they span 2"),
        ([unseen("x")], "the family 'x' has no directions"),
        ([unseen("x", b=[])], "the family 'x' has no directions"),
    ],
    ids=["no units", "no moves", "zero vector", "a family twice", "two families", "no entries", "no places"],
)  # fmt: skip
def test_directions_that_move_nothing_or_depend_on_each_other(families: list[dict[str, Any]], reason: str) -> None:
    """The value does not change along any of them, which says nothing."""
    with pytest.raises(AssertionError, match=reason):
        assert not refusal(symmetry(BIASES, OF_BIASES, *families))


def test_a_vector_that_is_multiplied_by_zeros_moves_nothing() -> None:
    """Z v for the matrix Z of zeros; b takes it up."""
    lines = [
        "constant [0 0 0 0 0 0 0 0 0]  : 3 x 3",
        "tensor b  : 3 x 1",
        "tensor c  : 3 x 1",
        "input  : 3 x 2",
        "add %3 %1  : 3 x 2",
        "add %4 %2  : 3 x 2",
        "product %0 %5  : 3 x 2",
        "add %6 %5  : 3 x 2",
    ]
    moves = ["b", "columns", [[1, [["left", 0]]]]], ["c", "columns", [[-1, [["left", 0]]]]]
    certificate = symmetry(lines, [["b", 3, 1], ["c", 3, 1]], shift("x", [0, 1, 2], *moves))
    assert refusal(certificate) == "the family 'x': direction 0 moves nothing"


def test_a_commutator_with_the_identity_moves_nothing() -> None:
    """W moves by S W - W S, which is zero for S = 1; one side alone would be something."""
    lines = ["tensor W  : 2 x 2", "input  : 2 x 1", "product %0 %1  : 2 x 1"]
    axes = [["rows", 0, 1, False, []], ["columns", 0, -1, False, []]]
    certificate = symmetry(lines, [["W", 2, 2]], types("x", [2], [[0, 0, 0, 1, 0, 1, 1, 1]], W=axes))
    assert refusal(certificate) == "the family 'x': direction 0 moves nothing"


KEYS = ["tensor Q  : 2 x 1", "tensor K  : 2 x 1", "input  : 1 x 2", "product %0 %2  : 2 x 2", "product %1 %2  : 2 x 2"]
KEYS += ["transpose %4  : 2 x 2", "product %5 %3  : 2 x 2"]
OF_KEYS = [["Q", 2, 1], ["K", 2, 1]]
GAUGE = {"K": [["rows", 0, 1, False, []]], "Q": [["rows", 0, -1, True, []]]}


def test_a_group_that_is_larger_than_its_orbits_is_refused() -> None:
    """Q and K are vectors of size 2: the four matrices S move them in a space of three dimensions, as K^T Q stays."""
    certificate = symmetry(KEYS, OF_KEYS, types("gauge", [2], "free", **GAUGE))
    assert refusal(certificate) == "the 4 directions of all families are dependent: they span 3"
    three = [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1]]
    assert refusal(symmetry(KEYS, OF_KEYS, types("gauge", [2], three, **GAUGE))) == ""


def test_certify_leaves_directions_that_depend_on_others() -> None:
    net = algatt.Network(algatt.layers.Heads(1, width=2, score=algatt.layers.Unnormalized()), tokens=2, width=1)
    for family in algatt.symmetries(net):
        certificate = algatt.certify(family)
        assert algatt.verify(certificate).ok
    (score,) = [family for family in algatt.symmetries(net) if "score" in family.name]
    assert "the 3 directions of" in algatt.certify(score).claim


NO_VALUE = [
    "tensor W  : 1 x 1",
    "tensor b  : 1 x 1",
    "input  : 1 x 1",
    "negate %2  : 1 x 1",
    "add %2 %3  : 1 x 1",
]


@pytest.mark.parametrize(
    "last",
    [
        ["reciprocal %4  : 1 x 1"],
        ["exp %2  : 1 x 1", "exp %3  : 1 x 1", "multiply %5 %6  : 1 x 1", "constant [-1]  : 1 x 1"]
        + ["add %7 %8  : 1 x 1", "reciprocal %9  : 1 x 1"],
        ["constant [-1]  : 1 x 1", "add %4 %5  : 1 x 1", "sqrt %6  : 1 x 1"],
        ["log %4  : 1 x 1"],
        ["positive %4  : 1 x 1", "reciprocal %5  : 1 x 1"],
        ["constant [1 1]  : 2 x 1", "largest %5 1  : 2 x 1", "constant [1 1]  : 1 x 2", "product %7 %6  : 1 x 1"]
        + ["constant [-1]  : 1 x 1", "add %8 %9  : 1 x 1", "reciprocal %10  : 1 x 1"],
    ],
    ids=["x - x", "exp(x) exp(-x) - 1", "root of -1", "log of 0", "a gate at 0", "one largest of two"],
)  # fmt: skip
def test_nothing_is_claimed_of_a_program_without_a_value(last: list[str]) -> None:
    lines, tensors = [*NO_VALUE, *last], [["W", 1, 1], ["b", 1, 1]]
    told = "the program has no value at 8 random points"
    assert refusal(symmetry(lines, tensors, unseen("x", W=[[0, 0]]))) == told
    family = unseen("x", W=[[0, 0]], b=[[0, 0]]) | {"removes": 2}
    upper = {"value": 0, "families": [family], "determinant": 1, "rows": [0, 1], "columns": [0, 1]}
    if last == ["reciprocal %4  : 1 x 1"]:
        assert told in refusal(dimension(lines, tensors, upper_bound=upper))


@pytest.mark.parametrize(
    "ties", [["constant [1 1 1]  : 3 x 1"], ["input  : 3 x 1", "constant [0 1 1]  : 3 x 1", "multiply %2 %3  : 3 x 1"]]
)
def test_ties_and_gates_at_zero_have_values(ties: list[str]) -> None:
    """The first one of equal entries is the largest; here one over 1 plus the choice."""
    lines = ["tensor W  : 1 x 1", "tensor b  : 1 x 1", *ties]
    last = len(lines) - 1
    lines += [f"largest %{last} 1  : 3 x 1", f"positive %{last}  : 3 x 1", "constant [1]  : 1 x 1"]
    lines += [f"add %{last + 1} %{last + 3}  : 3 x 1", f"reciprocal %{last + 4}  : 3 x 1"]
    lines += [f"multiply %{last + 5} %{last + 2}  : 3 x 1"]
    assert refusal(symmetry(lines, [["W", 1, 1], ["b", 1, 1]], unseen("x", W=[[0, 0]]))) == ""


def test_what_takes_too_long_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    net = algatt.Softmax((2, 2), (2,), 2)
    with monkeypatch.context() as patch:
        patch.setattr(real_minor, "MOST_BITS_OF_MINOR", 1)
        with pytest.raises(algatt.errors.InvalidArgument, match="the minor of the lower bound takes too long"):
            algatt.certify(net, field=algatt.Balls())
    family = algatt.symmetries(net)[0]
    assert algatt.verify(algatt.certify(family)).ok
    monkeypatch.setattr(values, "MOST_STEPS_OF_VALUE", 1)
    with pytest.raises(algatt.errors.InvalidArgument, match="whose certificate is not accepted: program was one whose"):
        algatt.certify(family)
    monkeypatch.undo()
    for name in ("MOST_ENTRIES", "MOST_ENTRIES_OF_CORE", "MOST_PRODUCTS_OF_CORE"):
        with monkeypatch.context() as patch:
            patch.setattr(independence, name, 3)
            with pytest.raises(algatt.errors.InvalidArgument, match="whose certificate is not accepted: families was"):
                algatt.certify(family)


def test_a_program_with_a_value_somewhere_has_one() -> None:
    """A logarithm and a root of what is positive at some inputs, and a gate at zero, beside something unseen."""
    lines = [*NO_VALUE, "positive %4  : 1 x 1", "log %2  : 1 x 1", "sqrt %2  : 1 x 1", "add %5 %6  : 1 x 1"]
    lines += ["add %8 %7  : 1 x 1"]
    assert refusal(symmetry(lines, [["W", 1, 1], ["b", 1, 1]], unseen("x", W=[[0, 0]]))) == ""


def test_a_family_that_removes_nothing_is_refused() -> None:
    certificate = algatt.certify(algatt.Lightning((2, 1), (1,), 2))
    claims = json.loads(certificate.to_json())["claims"]
    claims["upper_bound"]["families"].append(unseen("nothing that was not checked") | {"removes": 0})
    assert refusal(Certificate(claims, certificate.claim, "test")) == (
        "the family 'nothing that was not checked' removes nothing"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("x' (true), 'y", r"'x\' (true), \'y'"),
        ('x" and \\', r"""'x" and \\'"""),
        ("\x1b[2J\n\u202ex", r"'\x1b[2J\n\u202ex'"),
        ("\uff41\u115f\u0301", r"'\uff41\u115f\u0301'"),
        ("[bold]:boom:[/x]", "'[bold]:boom:[/x]'"),
    ],
)
def test_names_are_quoted_as_data(name: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of families and of tensors, however they look."""
    from algatt.cli.main import main

    certificate = symmetry(BIASES, [*OF_BIASES, [name, 1, 1]], shift("x", [0], *BACK), unseen(name, **{name: [[0, 0]]}))
    assert f"the 1 direction of {shown} (1 of the entries of {shown}, which no value" in certificate.claim
    certificate.save(tmp_path / "c.json")
    assert main(["verify", str(tmp_path / "c.json")]) == 0
    out = capsys.readouterr().out
    assert shown in out
    assert out.isascii()


def test_tensors_with_the_names_of_matrices_are_quoted() -> None:
    lines = [line.replace(" Q ", " S ").replace(" K ", " D ") for line in KEYS]
    axes = {"D": GAUGE["K"], "S": GAUGE["Q"]}
    claim = symmetry(lines, [["S", 2, 1], ["D", 2, 1]], types("x", [2], [[0, 0, 1, 1]], **axes)).claim
    assert "(d 'D' = S 'D', d 'S' = -S^T 'S', for 1 choice of S, 2 x 2)" in claim
