"""Tensors that move by c (1/g)^T: what is true is accepted, and each condition that is dropped is refused.

That the value moves where the checker refuses, and stays where it accepts, is decided by derivatives at random points.
"""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.shifts import tangents_of_shift
from shifted_programs import refusal, shifted, value_moves

FREE = [[1, []]]

TENSORS = "W: tensor 3 x 3; g: tensor 3 x 1; h: tensor 3 x 1; b: tensor 3 x 1; c: tensor 3 x 1; X: input 3 x 2; "
NORM = TENSORS + "C: centre X; Z: multiply g C; R: add Z b; "
READ = "M: product W R; S: add M c; Q: multiply S S; A: add Q R"
UP = ["c", "columns", [[-1, [["sum_over", "b", "g"]]]]]

TRUE: dict[str, tuple[Any, ...]] = {
    "a bias takes it up": (NORM + READ, [["W", "columns", FREE, "g"], UP]),
    "the factors in the other order": (
        TENSORS + "C: centre X; Z: multiply C g; R: add b Z; " + READ,
        [["W", "columns", FREE, "g"], UP],
    ),
    "nothing is left": (
        TENSORS + "C: centre X; Z: multiply g C; M: product W Z; Q: multiply M M; A: add Q Z",
        [["W", "columns", FREE, "g"]],
    ),
    # as column sums of tokens are 1
    "columns with sum one": (
        TENSORS + "Z: multiply g X; M: product W Z; S: add M c; Q: multiply S S; A: add Q Z",
        [["W", "columns", FREE, "g"], ["c", "columns", [[-1, []]]]],
        {"tokens": True},
    ),
    # d(W R) = dW R + W dR
    "the bias of the norm moves, too": (
        NORM + "M: product W R; S: add M c; D: centre R; Q: multiply S S; P: centre Q; A: add P D",
        [
            ["W", "columns", FREE, "g"],
            ["b", "columns", [[1, [["take", [0]], ["spread", 3]]]]],
            [
                "c",
                "columns",
                [[-1, [["sum_over", "b", "g"]]], [-1, [["take", [0]], ["spread", 3], ["left", "W"]]]],
            ],
        ],
    ),
    "a number that is added to all entries": (
        TENSORS + "T: transpose W; E: product T X; P: add E h; Y: centre P; Z: multiply g Y; R: add Z b; "
        "M: product W R; A: add M c",
        [
            ["W", "rows", [[1, [["spread", 3], ["over", "g"]]]]],
            ["h", "columns", [[-1, [["spread", 3], ["over", "g"]]]]],
            ["c", "columns", [[-1, [["sum_over", "b", "g"], ["spread", 3]]]]],
        ],
        {"tokens": True, "size": 1},
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_accepted(name: str) -> None:
    text, moves, *options = TRUE[name]
    network, shift = shifted(text, moves, **(options[0] if options else {}))
    assert refusal(network, shift) is None
    assert not value_moves(network, shift)


FALSE: dict[str, tuple[Any, ...]] = {
    "nothing takes it up": (NORM + READ, [["W", "columns", FREE, "g"]]),
    "too much is taken up": (NORM + READ, [["W", "columns", FREE, "g"], ["c", "columns", [[-1, []]]]]),
    "the sum of the bias alone": (
        NORM + READ,
        [["W", "columns", FREE, "g"], ["c", "columns", [[-1, [["sum", "b", 1]]]]]],
    ),
    "divided by another tensor": (NORM + READ, [["W", "columns", FREE, "h"], UP]),
    "taken up over another tensor": (
        NORM + READ,
        [["W", "columns", FREE, "g"], ["c", "columns", [[-1, [["sum_over", "b", "h"]]]]]],
    ),
    "not divided": (NORM + READ, [["W", "columns", FREE], UP]),
    "columns with any sums": (TENSORS + "Z: multiply g X; R: add Z b; " + READ, [["W", "columns", FREE, "g"], UP]),
    "what is added has two columns": (
        TENSORS + "C: centre X; Z: multiply g C; R: add Z X; M: product W R; S: add M c; A: add S R",
        [["W", "columns", FREE, "g"]],
    ),
    "two gains": (
        NORM + "N: multiply h C; O: add N b; K: product W O; M: product W R; S: add M c; Q: multiply S K; A: add Q R",
        [["W", "columns", FREE, "g"], UP],
    ),
    "read elsewhere": (
        NORM + "M: product W R; S: add M c; Q: add W W; A: product Q S",
        [["W", "columns", FREE, "g"], UP],
    ),
    "a right factor": (
        NORM + "M: product W R; S: add M c; Q: product W W; A: product Q S",
        [["W", "columns", FREE, "g"], UP],
    ),
    "transposed": (NORM + "T: transpose W; M: product T R; S: add M c; A: add S R", [["W", "columns", FREE, "g"], UP]),
    "the value": (NORM + "M: product W R; W2: add M c; A: multiply W g", [["W", "columns", FREE, "g"]]),
    "a row that is read elsewhere": (
        TENSORS + "Y: centre X; Z: multiply g Y; M: product W Z; A: multiply M W",
        [["W", "rows", [[1, [["spread", 3], ["over", "g"]]]]]],
        {"size": 1, "square": True},
    ),
    "a row over another tensor": (
        TENSORS + "Y: centre X; Z: multiply g Y; A: product W Z",
        [["W", "rows", [[1, [["spread", 3], ["over", "h"]]]]]],
        {"size": 1},
    ),
    "a row that is divided, and not of ones": (
        TENSORS + "Y: centre X; Z: multiply g Y; A: product W Z",
        [["W", "rows", [[1, [["over", "g"]]]]]],
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refused(name: str) -> None:
    text, moves, *options = FALSE[name]
    given = dict(options[0]) if options else {}
    text = text.replace("input 3 x 2", "input 3 x 3") if given.pop("square", False) else text
    network, shift = shifted(text, moves, **given)
    assert refusal(network, shift) is not None
    assert value_moves(network, shift)


BAD: dict[str, list[Any]] = {
    "rows": ["W", "rows", FREE, "g"],
    "a matrix": ["W", "columns", FREE, "W"],
    "no tensor": ["W", "columns", FREE, "Z"],
    "another size": ["W", "columns", FREE, "v"],
    "an instruction beyond": ["W", "columns", FREE, 99],
    "an instruction below": ["W", "columns", FREE, -1],
    "text": ["W", "columns", FREE, "x"],
    "truth": ["W", "columns", FREE, True],
    "two gains": ["W", "columns", FREE, "g", "h"],
    "over a matrix": ["b", "columns", [[1, [["over", "W"]]]]],
    "over another size": ["b", "columns", [[1, [["over", "v"]]]]],
    "over what is no tensor": ["b", "columns", [[1, [["over", "n"]]]]],
    "over what depends on the input": ["b", "columns", [[1, [["over", "Z"]]]]],
    "over nothing": ["b", "columns", [[1, [["over"]]]]],
    "over what does not exist": ["b", "columns", [[1, [["over", 99]]]]],
    "a sum over a matrix": ["b", "columns", [[1, [["sum_over", "b", "W"]]]]],
    "a sum of a matrix": ["b", "columns", [[1, [["sum_over", "W", "g"]]]]],
    "a sum over another size": ["b", "columns", [[1, [["sum_over", "b", "v"]]]]],
    "a sum over what is no tensor": ["b", "columns", [[1, [["sum_over", "b", "n"]]]]],
    "a sum over what does not exist": ["b", "columns", [[1, [["sum_over", "b", 99]]]]],
    "a sum of what does not exist": ["b", "columns", [[1, [["sum_over", 99, "b"]]]]],
}


@pytest.mark.parametrize("name", BAD)
def test_malformed_moves_are_refused(name: str) -> None:
    with pytest.raises(Refused):
        refusal(*shifted(NORM + "v: tensor 2 x 1; n: negate g; " + READ, [BAD[name]]))


def test_a_gain_that_is_folded_is_not_one_that_stays() -> None:
    text = TENSORS + "C: centre X; Z: multiply g C; A: product W Z"
    network, shift = shifted(text, [["W", "columns", FREE, "g"]], gains=(("Z", "readers"),))
    assert "is folded" in str(refusal(network, shift))


def test_directions_by_hand() -> None:
    """The second row of W moves by 1/g, and c by minus the sum of b / g, which is 1 + 3 + 1; not if g has a zero."""
    network, shift = shifted(*TRUE["a bias takes it up"])
    field = Residues(101)
    entries = {"W": [0] * 9, "g": [1, 2, 4], "h": [0] * 3, "b": [1, 6, 4], "c": [0] * 3}
    tensors = {name: field.matrix(*network.tensors[name], values) for name, values in entries.items()}
    ((_, found),) = tangents_of_shift(network, shift, field, tensors, {1})
    assert {place: int(value) for place, value in found.items()} == {3: 1, 4: 51, 5: 76, 19: 101 - 5}
    tensors["g"] = field.matrix(3, 1, [1, 0, 4])
    with pytest.raises(Refused):
        dict(tangents_of_shift(network, shift, field, tensors, {1}))
