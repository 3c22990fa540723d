"""Tensors with constants in them: what is accepted stays, by differences, and what is refused moves or is malformed."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier import offsets
from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.interpreter import Interpreter
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import parse
from shifted_programs import assembled

FIELD = Residues(2**31 - 1)

KX = "K: tensor 2 x 2; b: tensor 2 x 2; o: constant 2 x 2 [1 2 3 4]; X: input 2 x 2; Y: product K X; "
SHARES = "i: constant 1 x 2 [1 1]; t: product i Z; n: reciprocal t; A: multiply Z n"

CASES: dict[str, tuple[str, list[Any], bool]] = {
    # K X + (b + C) counts up to a factor
    "a sum": (f"{KX}y: add b o; z: add Y y; Z: add z z; {SHARES}", [1, 2, 3, 4], True),
    "to the left": (f"{KX}y: add o b; Z: add Y y; {SHARES}", [1, 2, 3, 4], True),
    "behind a sum": (f"{KX}y: add Y b; Z: add y o; {SHARES}", [1, 2, 3, 4], True),
    "another constant": (f"{KX}y: add b o; Z: add Y y; {SHARES}", [1, 2, 3, 5], False),
    "the negative": (f"{KX}y: add b o; Z: add Y y; {SHARES}", [-1, -2, -3, -4], False),
    "a negative": (f"{KX}m: negate b; y: add m o; Z: add Y y; {SHARES}", [-1, -2, -3, -4], True),
    "transposed": (f"{KX}m: transpose b; y: add m o; Z: add Y y; {SHARES}", [1, 3, 2, 4], True),
    "transposed, in another order": (f"{KX}m: transpose b; y: add m o; Z: add Y y; {SHARES}", [1, 2, 3, 4], False),
    "twice": (
        f"{KX}k: constant 1 x 1 [2]; m: multiply b k; y: add m o; Z: add Y y; {SHARES}",
        ["1/2", 1, "3/2", 2],
        True,
    ),
    "twice, taken once": (
        f"{KX}k: constant 1 x 1 [2]; m: multiply b k; y: add m o; Z: add Y y; {SHARES}",
        [1, 2, 3, 4],
        False,
    ),
    "by a matrix": (
        f"{KX}k: constant 2 x 2 [1 0 1 1]; m: product k b; y: add m o; Z: add Y y; {SHARES}",
        [1, 2, 2, 2],
        True,
    ),
    "by a matrix on the right": (
        f"{KX}k: constant 2 x 2 [1 0 1 1]; m: product b k; y: add m o; Z: add Y y; {SHARES}",
        [-1, 2, -1, 4],
        True,
    ),
    "by a matrix that moves": (f"{KX}m: product b b; y: add m o; Z: add Y y; {SHARES}", [1, 2, 3, 4], False),
    "by a tensor": (f"{KX}a: tensor 2 x 2; m: multiply a b; y: add m o; Z: add Y y; {SHARES}", [1, 2, 3, 4], False),
    "rows in another order": (f"{KX}m: take b [[1 0] [0 1]]; y: add m o; Z: add Y y; {SHARES}", [3, 4, 1, 2], True),
    "joined": (
        f"{KX}r: take b [[0] [0 1]]; s: take b [[1] [0 1]]; m: concatenate s r 0; y: add m o; Z: add Y y; {SHARES}",
        [3, 4, 1, 2],
        True,
    ),
    "joined with another": (
        f"{KX}r: take b [[0] [0 1]]; s: take Y [[1] [0 1]]; m: concatenate r s 0; y: add m o; Z: add Y y; {SHARES}",
        [1, 2, 3, 4],
        False,
    ),
    "a constant in all entries": (
        f"{KX}k: constant 1 x 1 [1/2]; y: add b k; Z: add Y y; {SHARES}",
        ["1/2", "1/2", "1/2", "1/2"],
        True,
    ),
    "seen elsewhere": (f"{KX}y: add b o; z: add Y y; p: multiply b b; Z: add z p; {SHARES}", [1, 2, 3, 4], False),
    "seen by a function": (f"{KX}y: add b o; z: add Y y; p: reciprocal b; Z: add z p; {SHARES}", [1, 2, 3, 4], False),
    "added to the value": (
        f"{KX}y: add b o; Z: add Y y; i: constant 1 x 2 [1 1]; t: product i Z; n: reciprocal t; "
        "p: multiply Z n; A: add p b",
        [1, 2, 3, 4],
        False,
    ),
    "the value": (f"{KX}Z: add Y o; {SHARES.replace('A:', 'p:')}; m: transpose b; A: add p m", [1, 2, 3, 4], False),
    "seen by products of columns": (
        f"{KX}y: add b o; Z: add Y y; {SHARES.replace('A:', 'p:')}; s: take b [[1 0] [0 1]]; q: column_products b b; "
        "h: column_products s b; g: reciprocal h; r: multiply q g; A: add p r",
        [1, 2, 3, 4],
        False,
    ),
    "times itself": (f"{KX}y: add b o; m: multiply b b; z: add Y y; Z: add z m; {SHARES}", [1, 2, 3, 4], False),
    "by a centre": (f"{KX}m: centre b; y: add m o; Z: add Y y; {SHARES}", [1, 2, 3, 4], False),
    "no constant": (f"{KX}Z: add Y b; {SHARES}", [1, 2, 3, 4], False),
    "two constants, of which one is in it": (f"{KX}y: add b o; z: add Y y; Z: add z o; {SHARES}", [1, 2, 3, 4], False),
    "two constants, of which the sum is in it": (
        f"{KX}y: add b o; z: add Y y; Z: add z o; {SHARES}",
        [2, 4, 6, 8],
        False,
    ),
}
"""A program, what is added to b, and whether K and b + C may be multiplied by a number."""


def family_of(text: str, added: list[Any], **others: Any) -> tuple[Network, Any]:
    lines, _ = assembled(text)
    program = parse(lines)
    shapes = {one.argument: one.shape for one in program if one.operation == "tensor"}
    network = Network(program, "", shapes, False)
    claim = {
        "name": "numbers",
        "removes": 1,
        "by": "constants",
        "offsets": {"b": added},
        "spaces": [1],
        "basis": [[0, 0, 0, 1]],
        "axes": {"K": [["rows", 0, 1, False, []]], "b": [["rows", 0, 1, False, []]]},
        "images": {},
        **others,
    }
    return network, directions_of("family", claim, network)


def value_changes(network: Network, family: Any) -> bool:
    """Return whether the derivative along the only direction is not zero, at random weights modulo a large prime."""
    tensors = dict(zip(network.tensors, FIELD.weights(3, list(network.tensors.values())), strict=True))
    ((_, tangent),) = family.tangents(network, FIELD, tensors, {0})
    interpreter = Interpreter(network.program, FIELD, tensors)
    results = interpreter.forward(FIELD.vectors(3, 0, 2, 2))
    for output in range(4):
        by = interpreter.backward(results, FIELD.matrix(2, 2, [int(k == output) for k in range(4)]))
        gradient: list[Any] = []
        for name, (rows, columns) in network.tensors.items():
            gradient += by[name].entries() if name in by else [0] * (rows * columns)
        if sum(gradient[place] * value for place, value in tangent.items()) != 0:
            return True
    return False


@pytest.mark.parametrize("name", CASES)
def test_tensors_with_constants_in_them(name: str) -> None:
    text, added, true = CASES[name]
    network, family = family_of(text, added)
    assert value_changes(network, family) == (not true and name != "two constants, of which the sum is in it")
    assert (family.refutation(network) is None) == true


POWERS = {
    "a reciprocal": ("m: reciprocal b; y: add m o", [1, "1/2", "1/3", "1/4"], -1),
    "a square": ("m: multiply b b; k: constant 2 x 2 [1 4 9 16]; y: add m k", [1, 2, 3, 4], "1/2"),
}
"""What is no linear map of b, though it would be of b + T_0 if T_0 alone were looked at, and by what b moves."""


@pytest.mark.parametrize("name", POWERS)
def test_other_maps_of_tensors_are_not_followed(name: str) -> None:
    text, added, power = POWERS[name]
    axes = {"K": [["rows", 0, 1, False, []]], "b": [["rows", 0, power, False, []]]}
    network, family = family_of(f"{KX}{text}; Z: add Y y; {SHARES}", added, axes=axes)
    assert value_changes(network, family)
    assert family.refutation(network) is not None


def test_directions_by_hand() -> None:
    """K moves by K, b by b + C / 2."""
    network, family = family_of(CASES["a sum"][0], [1, "1/2", 0, 0])
    tensors = {"K": FIELD.matrix(2, 2, [5, 6, 7, 8]), "b": FIELD.matrix(2, 2, [1, 2, 3, 4])}
    half = (FIELD.p + 1) // 2
    assert dict(family.tangents(network, FIELD, tensors, {0})) == {
        0: {0: 5, 1: 6, 2: 7, 3: 8, 4: 2, 5: 2 + half, 6: 3, 7: 4}
    }


BAD: dict[str, Any] = {
    "nothing": {},
    "a list": [],
    "no tensor": {"d": [1, 2, 3, 4]},
    "too few": {"b": [1, 2, 3]},
    "zeros": {"b": [0, 0, 0, 0]},
    "a number": {"b": 3},
    "a float": {"b": [0.5, 1, 1, 1]},
    "true": {"b": [True, 1, 1, 1]},
    "a fraction that is not in lowest terms": {"b": ["2/4", 1, 1, 1]},
    "zero as text": {"b": ["0", 1, 1, 1]},
}


@pytest.mark.parametrize("name", BAD)
def test_malformed_constants_are_refused(name: str) -> None:
    with pytest.raises(Refused):
        family_of(CASES["a sum"][0], [], offsets=BAD[name])


def test_the_basis_is_listed() -> None:
    with pytest.raises(Refused):
        family_of(CASES["a sum"][0], [1, 2, 3, 4], basis="free")


def test_a_prime_that_divides_a_denominator_is_refused() -> None:
    network, family = family_of(CASES["a sum"][0], ["1/101", 2, 3, 4])
    tensors = {name: Residues(101).matrix(2, 2, [1, 2, 3, 4]) for name in "Kb"}
    with pytest.raises(Refused):
        dict(family.tangents(network, Residues(101), tensors, {0}))


def test_entries_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offsets, "MOST_OFFSETS", 3)
    network, family = family_of(CASES["a sum"][0], [1, 2, 3, 4])
    with pytest.raises(Refused):
        family.refutation(network)
