"""Conditions for residues in the place of exponentials, roots and gates: seen where they hold, and nowhere else."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import pytest

from algatt.certificates.verifier.conditions import check_conditions
from algatt.certificates.verifier.elementary import ERF, Refuted, Salted
from algatt.certificates.verifier.limits import Refused
from elementary_networks import P, claims_of, condition_of, places_of_lines, settled

X = ("input  : 2 x 2", "tensor A  : 1 x 2", "product %1 %0  : 1 x 2")
"""Result 2 is u = A x, for two tokens."""

FOUR = [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4]]


def reasons(lines: tuple[str, ...], claims: dict[str, Any]) -> list[str]:
    return settled(places_of_lines(lines, claims))


def stream(label: str, count: int) -> list[int]:
    octets = hashlib.shake_256(f"algatt/1/0/{label}".encode("ascii")).digest(800)
    words = [int.from_bytes(octets[k : k + 8], "little") for k in range(0, 800, 8)]
    return [word % P for word in words if word < P * (2**64 // P)][:count]


def arguments(number: int) -> list[int]:
    """Return u = A x modulo P at an input."""
    a, b = stream("weights", 2)
    x = stream(f"input/{number}", 4)
    return [(a * x[k] + b * x[2 + k]) % P for k in range(2)]


def is_square(x: int) -> bool:
    return pow(x, (P - 1) // 2, P) == 1


# Exponents


EXP = (*X, "exp %2  : 1 x 2")
ONE_EXP = [[3, 2, 1, "1"]]


def test_independent_exponents_are_seen_at_one_more_place_than_there_are() -> None:
    assert reasons(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])])) == []
    for places in (FOUR[:2], FOUR[:4], []):
        assert "differences of 2 exponents" in reasons(EXP, claims_of(ONE_EXP, [condition_of(places)]))[0]
    for places in ([[0, 0], [1, 1], [2, 2]], [[0, 0], [0, 1], [1, 2]], [*FOUR[:3], [1, 0]]):
        assert "the only one with its weights" in reasons(EXP, claims_of(ONE_EXP, [condition_of(places)]))[0]
    twice = [[0, 0], [0, 1], [0, 1]]
    assert reasons(EXP, claims_of(ONE_EXP, [condition_of(twice)])) == [
        "2 exponents of an input are not seen to be independent"
    ]


def test_the_determinant_of_differences_is_that_of_the_definition() -> None:
    places = [arguments(number) for number in range(3)]
    (a, b), (c, d) = ([x - y for x, y in zip(one, places[0], strict=True)] for one in places[1:])
    determinant = (a * d - b * c) % P
    claims = claims_of(ONE_EXP, [condition_of(FOUR[:3])])
    claims["conditions"][0]["exponents"]["determinant"] = determinant
    assert check_conditions(places_of_lines(EXP, claims)) == []
    claims["conditions"][0]["exponents"]["determinant"] = determinant + 1
    assert f"is {determinant}, not {determinant + 1}" in check_conditions(places_of_lines(EXP, claims))[0]


@pytest.mark.parametrize(
    ("more", "exponents"),
    [
        (("negate %2  : 1 x 2", "exp %2  : 1 x 2", "exp %3  : 1 x 2"), [[4, 2, 1, "1"], [5, 3, 1, "1"]]),
        (("constant [1]  : number", "add %2 %3  : 1 x 2", "exp %2  : 1 x 2", "exp %4  : 1 x 2"),
         [[5, 2, 1, "1"], [6, 4, 1, "1"]]),
        (("tensor B  : 1 x 1", "add %2 %3  : 1 x 2", "exp %2  : 1 x 2", "exp %4  : 1 x 2"),
         [[5, 2, 1, "1"], [6, 4, 1, "1"]]),
    ],
    ids=["opposite", "up to a number", "up to a weight"],
)  # fmt: skip
def test_dependent_exponents_are_never_seen_to_be_independent(more: tuple[str, ...], exponents: list[Any]) -> None:
    for places in (FOUR, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]], [[w, w] for w in range(5)]):
        assert reasons((*X, *more), claims_of(exponents, [condition_of(places)])) != []


def test_an_exponent_of_weights_alone_is_not_seen_to_be_independent() -> None:
    lines = (*X, "exp %1  : 1 x 2", "multiply %2 %3  : 1 x 2")
    for places in (FOUR[:3], [[0, 0], [1, 0], [2, 0]], [[0, 0], [0, 1], [1, 0], [1, 1]]):
        assert reasons(lines, claims_of([[3, 1, 1, "1"]], [condition_of(places)])) != []


def test_multiples_by_weights_are_seen_at_several_weights() -> None:
    lines = ("input  : 1 x 1", "tensor A  : 1 x 1", "multiply %1 %0  : 1 x 1", "exp %0  : 1 x 1", "exp %2  : 1 x 1")
    exponents = [[3, 0, 1, "1"], [4, 2, 1, "1"]]
    assert reasons(lines, claims_of(exponents, [condition_of([[0, 0], [0, 1], [1, 0], [1, 1]])])) == []
    assert reasons(lines, claims_of(exponents, [condition_of([[0, 0], [0, 1], [0, 2]])])) != []


def test_error_functions_have_the_exponents_of_their_densities() -> None:
    lines = (*X, "multiply %2 %2  : 1 x 2", "negate %3  : 1 x 2", "erf %2  : 1 x 2", "exp %4  : 1 x 2")
    claims = claims_of([[6, 4, 1, "1"]], [condition_of(FOUR)], rests_on=[ERF])
    assert reasons(lines, claims) == ["4 exponents of an input are not seen to be independent"]
    lines = (*X, "erf %2  : 1 x 2", "exp %2  : 1 x 2")
    assert reasons(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR)], rests_on=[ERF])) == []
    assert (
        "differences of 4" in reasons(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR[:3])], rests_on=[ERF]))[0]
    )
    for wrong in ([], ["erf"], [ERF, ERF]):
        with pytest.raises(Refuted, match="rests on"):
            places_of_lines(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR)], rests_on=wrong))


def test_values_of_logarithms_count_among_exponents() -> None:
    lines = (*X, "log %2  : 1 x 2", "exp %3  : 1 x 2")
    chosen = spanning(2, arguments)
    assert reasons(lines, claims_of([[4, 3, 1, "1"]], [condition_of(FOUR, _3=chosen)])) == [
        "4 exponents of an input are not seen to be independent"
    ]
    lines = (*X, "log %2  : 1 x 2", "exp %2  : 1 x 2")
    assert reasons(lines, claims_of([[4, 2, 1, "1"]], [condition_of(FOUR, _3=chosen)])) == []


# Roots


ROOT = (*X, "multiply %2 %2  : 1 x 2", "constant [1]  : number", "add %3 %4  : 1 x 2", "sqrt %5  : 1 x 2")
"""The root of 1 + u^2, which exists for all real inputs."""


def below_the_root(number: int) -> list[int]:
    return [(1 + u * u) % P for u in arguments(number)]


def rank_of(rows: list[tuple[bool, ...]]) -> int:
    """Return the rank modulo 2 of the differences of two rows of two bits to a first one."""
    differences = {tuple(x != y for x, y in zip(one, rows[0], strict=True)) for one in rows[1:]}
    differences.discard((False, False))
    return min(len(differences), 2)


def spanning(count: int, values: Any) -> list[list[int]]:
    """Return places at which the characters of two values span everything."""
    for numbers in itertools.combinations(range(20), count + 1):
        if rank_of([tuple(map(is_square, values(number))) for number in numbers]) == count:
            return [[0, number] for number in numbers]
    raise AssertionError("20 inputs have all characters")


@pytest.mark.parametrize("numbers", list(itertools.combinations(range(6), 3)), ids=str)
def test_characters_span_what_those_of_the_definition_span(numbers: tuple[int, ...]) -> None:
    characters = [tuple(map(is_square, below_the_root(number))) for number in numbers]
    found = reasons(ROOT, claims_of([], [condition_of(None, _6=[[0, number] for number in numbers])]))
    assert (found == []) == (rank_of(characters) == 2)


def test_one_more_place_than_roots_is_claimed_and_with_the_same_weights() -> None:
    chosen = spanning(2, below_the_root)
    for places in (chosen[:2], [*chosen, chosen[0]], []):
        assert "of 2 arguments at instruction 6" in reasons(ROOT, claims_of([], [condition_of(None, _6=places)]))[0]
    for places in ([[w, n] for w, (_, n) in enumerate(chosen)], [*chosen, [1, 0]]):
        assert "the only one with its weights" in reasons(ROOT, claims_of([], [condition_of(None, _6=places)]))[0]


@pytest.mark.parametrize(
    "more",
    [
        ("multiply %2 %2  : 1 x 2", "sqrt %3  : 1 x 2"),
        ("multiply %2 %2  : 1 x 2", "constant [2]  : number", "multiply %3 %4  : 1 x 2", "sqrt %5  : 1 x 2"),
        ("multiply %2 %2  : 1 x 2", "tensor B  : 1 x 1", "multiply %3 %4  : 1 x 2", "sqrt %5  : 1 x 2"),
        ("take %2 [[0] [0]]  : 1 x 1", "concatenate %3 %3 1  : 1 x 2", "sqrt %4  : 1 x 2"),
        ("column_products %2 %2  : 1 x 2", "transpose %2  : 2 x 1", "multiply %3 %3  : 1 x 2", "sqrt %5  : 1 x 2"),
        ("tensor B  : 1 x 1", "sqrt %3  : 1 x 1"),
    ],
    ids=["a square", "twice a square", "a weight times a square", "twice the same", "a fourth power", "a weight"],
)
def test_squares_are_never_seen_not_to_be_squares(more: tuple[str, ...]) -> None:
    lines = (*X, *more)
    name = f"_{len(lines) - 1}"
    for weights in range(2):
        for numbers in itertools.combinations(range(6), 3):
            places = [[weights, number] for number in numbers]
            assert reasons(lines, claims_of([], [condition_of(None, **{name: places})])) != []
    apart = [[weights, 0] for weights in range(3)]
    assert reasons(lines, claims_of([], [condition_of(None, **{name: apart})])) != []


def test_all_roots_before_a_root_have_to_exist() -> None:
    """The second root is looked at where the first one exists: without salts at few inputs."""
    lines = ("input  : 1 x 1", "constant [1]  : number", "multiply %0 %0  : 1 x 1", "add %2 %1  : 1 x 1",
             "sqrt %3  : 1 x 1", "add %4 %1  : 1 x 1", "sqrt %5  : 1 x 1")  # fmt: skip

    def first(number: int) -> int:
        return (1 + stream(f"input/{number}", 1)[0] ** 2) % P

    exists = {number: is_square(first(number)) for number in range(12)}
    assert 2 < sum(exists.values()) < 10
    start = next([[0, a], [0, b]] for a in range(12) for b in range(12) if exists[a] and not exists[b])
    for a, b in itertools.combinations(range(12), 2):
        found = reasons(lines, claims_of([], [condition_of(None, _4=start, _6=[[0, a], [0, b]])]))
        if exists[a] and exists[b]:
            roots = [min(s, P - s) for s in (pow(first(n), (P + 1) // 4, P) for n in (a, b))]
            assert (found == []) == (is_square(roots[0] + 1) != is_square(roots[1] + 1))
        else:
            assert "a root of instruction 4 does not exist" in found[0]


def test_an_argument_that_vanishes_shows_nothing() -> None:
    lines = (*X, "negate %2  : 1 x 2", "add %2 %3  : 1 x 2", "sqrt %4  : 1 x 2")
    assert any("is zero" in text for text in reasons(lines, claims_of([], [condition_of(None, _5=FOUR[:3])])))


def test_each_root_has_its_own_evidence() -> None:
    for roots in ({}, {"_5": FOUR}, {"_6": FOUR, "_7": FOUR}):
        with pytest.raises((Refuted, Refused)):
            places_of_lines(ROOT, claims_of([], [condition_of(None, **roots)]))
    with pytest.raises(Refuted, match="not there"):
        places_of_lines(ROOT, claims_of([], [condition_of(FOUR, _6=FOUR)]))
    with pytest.raises(Refuted, match="not about those"):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(None)]))


@pytest.mark.parametrize("salts", [[1], [1, 0, 0], [0, 0], [1, -1], [1, "1"], [1, 2**64]])
def test_places_have_a_salt_for_each_column_before_a_root(salts: list[Any]) -> None:
    with pytest.raises(Refused):
        places_of_lines(ROOT, claims_of([], [condition_of(None, _6=[[0, 0, *salts]])]))
    with pytest.raises(Refused):
        places_of_lines(ROOT, claims_of([], [condition_of(None, _6=FOUR)], places={"salts": [[0, *salts]], "sum": 0}))


def test_salts_are_in_the_order_of_inputs() -> None:
    for rows in ([[1, 1, 1], [0, 1, 1]], [[1, 1, 1], [1, 1, 1]], [[1]], [3]):
        with pytest.raises(Refused):
            places_of_lines(ROOT, claims_of([], [condition_of(None, _6=FOUR)], places={"salts": rows, "sum": 0}))


def test_residues_after_an_instruction_have_no_salts_in_its_evidence() -> None:
    """The first root is before the exponential, of which the second one is taken."""
    lines = (*ROOT, "exp %2  : 1 x 2", "add %7 %6  : 1 x 2", "sqrt %8  : 1 x 2")
    chosen = spanning(2, below_the_root)
    claims = claims_of([[7, 2, 1, "1"]], [condition_of([], _6=[[*chosen[0], 0, 0, 1, 0], *chosen[1:]], _9=[])])
    assert any("salts of what is not drawn" in text for text in reasons(lines, claims))


# Logarithms


def test_logarithms_of_exponentials_are_refused() -> None:
    """log e^u = u is no new variable."""
    lines = (*X, "exp %2  : 1 x 2", "log %3  : 1 x 2")
    for numbers in itertools.islice(itertools.combinations(range(8), 5), 20):
        claims = claims_of([[3, 2, 1, "1"]], [condition_of(FOUR, _4=[[0, number] for number in numbers])])
        assert any("instruction 4" in text for text in reasons(lines, claims))


def test_exponentials_before_a_logarithm_are_looked_at_with_it() -> None:
    """At three places the characters of e alone span everything."""
    lines = (*X, "exp %2  : 1 x 2", "log %3  : 1 x 2")

    def drawn(number: int) -> list[int]:
        octets = hashlib.shake_256(f"algatt/1/0/exp/2/{number}".encode("ascii")).digest(800)
        words = [int.from_bytes(octets[k : k + 8], "little") for k in range(0, 800, 8)]
        return [word % (P - 1) + 1 for word in words if word < (P - 1) * (2**64 // (P - 1))][:2]

    claims = claims_of([[3, 2, 1, "1"]], [condition_of(FOUR, _4=spanning(2, drawn))])
    assert any("instruction 4" in text for text in reasons(lines, claims))


def test_logarithms_that_differ_by_a_number_are_refused() -> None:
    lines = (*X, "constant [3]  : number", "multiply %2 %3  : 1 x 2", "log %2  : 1 x 2", "log %4  : 1 x 2")
    chosen = spanning(2, arguments)
    for numbers in itertools.islice(itertools.combinations(range(8), 5), 20):
        claims = claims_of([], [condition_of(FOUR, _5=chosen, _6=[[0, number] for number in numbers])])
        assert any("instruction 6" in text for text in reasons(lines, claims))
    claims = claims_of([], [condition_of(FOUR, _5=chosen, _6=chosen)])
    assert any("instruction 6" in text for text in reasons(lines, claims))


# Real points


@pytest.mark.parametrize("function", ["sqrt", "log"])
def test_some_real_input_has_a_value(function: str) -> None:
    """The root of -1 - u^2 has places modulo p, and no real value."""
    lines = (*X, "multiply %2 %2  : 1 x 2", "constant [1]  : number", "add %3 %4  : 1 x 2")
    exponents = FOUR[:3] if function == "log" else None
    claims = claims_of([], [condition_of(exponents, _6=spanning(2, below_the_root))])
    assert reasons((*lines, f"{function} %5  : 1 x 2"), claims) == []
    negated = (*lines, "negate %5  : 1 x 2", f"{function} %6  : 1 x 2")
    chosen = spanning(2, lambda number: [-x % P for x in below_the_root(number)])
    found = reasons(negated, claims_of([], [condition_of(exponents, _7=chosen)]))
    assert found == ["the network has no value at 8 real inputs"]


GATED = ("input  : 8 x 1", "tensor A  : 2 x 8", "tensor B  : 2 x 1", "product %1 %0  : 2 x 1",
         "add %3 %2  : 2 x 1", "positive %4  : 2 x 1", "multiply %4 %5  : 2 x 1",
         "largest %4 1  : 2 x 1", "multiply %6 %7  : 2 x 1")  # fmt: skip


def odd_numbers(label: str, count: int) -> list[int]:
    """Return the real numbers of a label, in units of 2^-23, as the page on certificates says them."""
    octets = hashlib.shake_256(f"algatt/1/0/{label}".encode("ascii")).digest(8 * count)
    words = [int.from_bytes(octets[8 * k : 8 * k + 8], "little") for k in range(count)]
    return [2 * (word >> 40) + 1 - 2**24 for word in words]


def pattern(number: int) -> str:
    """Return the gates of a real input: A, of 8 columns, is divided by 4, and the bias B by 16."""
    weights, x = odd_numbers("weights", 18), odd_numbers(f"input/{number}", 8)
    rows = [weights[:8], weights[8:16]]
    values = [
        4 * sum(a * b for a, b in zip(row, x, strict=True)) + weights[16 + k] * 2**23 for k, row in enumerate(rows)
    ]
    bits = [int(value > 0) for value in values] + [int(values[k] > values[1 - k]) for k in (0, 1)]
    return f"{int(''.join(map(str, bits)), 2):x}"


def test_patterns_are_those_of_real_inputs() -> None:
    true = [pattern(number) for number in range(40)]
    assert len(set(true)) > 3
    assert reasons(GATED, claims_of([], [], gates={"dropped": [], "open": true})) == []
    dropped = claims_of(
        [], [], gates={"dropped": [0, 3], "open": [one for k, one in enumerate(true) if k not in (0, 3)]}
    )
    assert reasons(GATED, dropped) == []
    for k, one in enumerate(true):
        wrong = [*true[:k], "f" if one != "f" else "0", *true[k + 1 :]]
        assert reasons(GATED, claims_of([], [], gates={"dropped": [], "open": wrong})) == [
            f"real input {k} has other gates"
        ]


def test_precision_is_doubled_until_gates_are_decided() -> None:
    """Of 1 + 2^-300 u no ball of 128 or 256 bits knows u."""
    lines = (*X, f"constant [1/{2**300}]  : number", "multiply %2 %3  : 1 x 2", "constant [1]  : number",
             "add %4 %5  : 1 x 2", "negate %5  : number", "add %6 %7  : 1 x 2", "positive %8  : 1 x 2")  # fmt: skip
    weights = odd_numbers("weights", 2)
    true = []
    for number in range(4):
        x = odd_numbers(f"input/{number}", 4)
        bits = [int(weights[0] * x[k] + weights[1] * x[2 + k] > 0) for k in range(2)]
        true.append(str(2 * bits[0] + bits[1]))
    assert reasons(lines, claims_of([], [], gates={"dropped": [], "open": true})) == []


@pytest.mark.parametrize(
    "gates",
    [
        {"dropped": [], "open": []},
        {"dropped": [], "open": ["10"]},
        {"dropped": [], "open": ["g"]},
        {"dropped": [], "open": ["F"]},
        {"dropped": [], "open": [3]},
        {"dropped": [1], "open": ["f"]},
        {"dropped": [1, 0], "open": ["f", "f", "f"]},
        {"dropped": [0, 0], "open": ["f"]},
        {"open": ["f"]},
    ],
    ids=str,
)
def test_patterns_are_written_in_one_way(gates: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        places_of_lines(GATED, claims_of([], [], gates=gates))


def test_without_gates_there_are_no_patterns() -> None:
    with pytest.raises(Refused):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])], gates={"dropped": [], "open": [""]}))


def test_a_gate_that_is_not_decided_is_no_pattern() -> None:
    lines = (*X, "negate %2  : 1 x 2", "add %2 %3  : 1 x 2", "positive %4  : 1 x 2")
    found = reasons(lines, claims_of([], [], gates={"dropped": [], "open": ["0"]}))
    assert "nothing is known of real input 0" in found[0]


def test_conditions_are_shown_for_each_pattern_on_which_they_depend() -> None:
    """Where a gate is closed the exponent vanishes."""
    before = (*X, "positive %2  : 1 x 2", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2")
    exponents = [[5, 4, 1, "1"]]
    both = condition_of(FOUR[:3])
    for opened, expected in ((["3"], []), (["1"], ["2 exponents of an input are not seen to be independent"])):
        found = reasons(before, claims_of(exponents, [both], gates={"dropped": [], "open": opened}))
        assert [text for text in found if "other gates" not in text] == expected
    for count in (0, 1, 3):
        with pytest.raises(Refuted, match="patterns of gates"):
            places_of_lines(
                before, claims_of(exponents, [both] * count, gates={"dropped": [], "open": ["3", "2", "3"]})
            )
    found = reasons(before, claims_of(exponents, [both] * 2, gates={"dropped": [], "open": ["3", "0", "3"]}))
    assert "2 exponents of an input are not seen to be independent" in found
    after = (*X, "positive %2  : 1 x 2", "exp %2  : 1 x 2", "multiply %3 %4  : 1 x 2")
    claims = claims_of([[4, 2, 1, "1"]], [both], gates={"dropped": [], "open": ["3", "0", "3"]})
    assert [text for text in reasons(after, claims) if "other gates" not in text] == []


def test_roots_are_looked_at_with_each_pattern_on_which_they_depend() -> None:
    """Where a gate is closed the root is that of a square."""
    lines = (*X, "positive %2  : 1 x 2", "multiply %2 %2  : 1 x 2", "add %3 %4  : 1 x 2", "sqrt %5  : 1 x 2")
    evidence = condition_of(None, _6=spanning(2, below_the_root))
    for opened, squares in (("3", False), ("1", True), ("0", True)):
        found = reasons(lines, claims_of([], [evidence], gates={"dropped": [], "open": [opened]}))
        assert any("instruction 6" in text for text in found) is squares


def test_sums_are_those_of_all_residues_that_have_salts() -> None:
    lines = (*ROOT, "exp %2  : 1 x 2", "constant [5]  : number", "add %7 %8  : 1 x 2", "sqrt %9  : 1 x 2")
    chosen = spanning(2, below_the_root)
    inputs = sum(sum(stream(f"input/{number}", 4)) for _, number in chosen) % P
    claims = claims_of([[7, 2, 1, "1"]], [condition_of([], _6=chosen, _10=[])])
    for claimed, expected in ((inputs, False), (inputs + 1, True), (0, True)):
        claims["conditions"][0]["roots"][0]["sum"] = claimed
        found = check_conditions(places_of_lines(lines, claims))
        assert any(f"instruction 6 have the sum {inputs}, not" in text for text in found) is expected
    lines = ("input  : 1 x 1", "sqrt %0  : 1 x 1", "negate %0  : 1 x 1", "exp %2  : 1 x 1")
    claims = claims_of([[3, 2, 1, "1"]], [condition_of([], _1=[])])
    squares = [number for number in range(20) if is_square(stream(f"input/{number}", 1)[0])][:2]
    claims["conditions"][0]["exponents"]["places"] = [[0, number] for number in squares]
    total = sum(stream(f"input/{number}", 1)[0] for number in squares) % P
    for claimed in (total, total - 1):
        claims["conditions"][0]["exponents"]["sum"] = claimed
        found = check_conditions(places_of_lines(lines, claims))
        assert any(f"exponents have the sum {total}, not" in text for text in found) is (claimed != total)


# Exponents as the program has them


HALF = (
    *X,
    "constant [1/2]  : number",
    "multiply %3 %2  : 1 x 2",
    "negate %4  : 1 x 2",
    "exp %4  : 1 x 2",
    "exp %5  : 1 x 2",
)


@pytest.mark.parametrize(
    "exponents",
    [
        [[6, 2, 1, "1/2"], [7, 2, -1, "1/2"]],
        [[6, 4, 1, "1"], [7, 4, -1, "1"]],
        [[6, 4, 2, "1/2"], [7, 4, -2, "1/2"]],
        [[6, 2, -1, "-1/2"], [7, 2, 1, "-1/2"]],
    ],
)
def test_exponents_are_multiples_of_their_base(exponents: list[list[Any]]) -> None:
    assert reasons(HALF, claims_of(exponents, [condition_of(FOUR[:3])])) == []
    for row, column, value in [
        (0, 2, 3),
        (1, 2, 3),
        (0, 3, "3"),
        (1, 3, "1/3"),
        (0, 1, 1),
        (0, 1, 3),
        (0, 0, 1),
        (1, 1, 0),
        (0, 2, 0),
        (0, 0, 7),
    ]:
        wrong = [list(one) for one in exponents]
        wrong[row][column] = value
        with pytest.raises(Refuted):
            places_of_lines(HALF, claims_of(wrong, [condition_of(FOUR[:3])]))
    for wrong in (exponents[::-1], exponents[:1], [*exponents, exponents[0]], []):
        with pytest.raises(Refuted):
            places_of_lines(HALF, claims_of(wrong, [condition_of(FOUR[:3])]))


def test_exponents_of_one_base_have_one_scale() -> None:
    with pytest.raises(Refuted, match="have the scales"):
        places_of_lines(HALF, claims_of([[6, 2, 1, "1/2"], [7, 2, 1, "-1/2"]], [condition_of(FOUR[:3])]))


@pytest.mark.parametrize("scale", ["0", "2/4", "01", "1/0", "0.5", 1, "1" * 800, "-0"])
def test_scales_are_fractions_in_lowest_terms(scale: Any) -> None:
    with pytest.raises((Refused, Refuted)):
        places_of_lines(HALF, claims_of([[6, 2, 1, scale], [7, 2, -1, scale]], [condition_of(FOUR[:3])]))


@pytest.mark.parametrize(
    "more",
    [
        ("constant [1 2]  : 1 x 2", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
        ("constant [0]  : number", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
        ("tensor B  : 1 x 1", "multiply %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
        ("constant [1]  : number", "add %2 %3  : 1 x 2", "exp %4  : 1 x 2"),
    ],
    ids=["different numbers", "zero", "a weight", "a sum"],
)
def test_other_products_are_no_multiples(more: tuple[str, ...]) -> None:
    for scale in ("1", "2"):
        with pytest.raises(Refuted, match="is not 1 times"):
            places_of_lines((*X, *more), claims_of([[5, 2, 1, scale]], [condition_of(FOUR[:3])]))


def test_what_is_repeated_by_a_product_is_no_multiple() -> None:
    lines = ("input  : 1 x 1", "constant [2 2]  : 1 x 2", "multiply %0 %1  : 1 x 2", "exp %2  : 1 x 2")
    with pytest.raises(Refuted, match="is not 1 times"):
        places_of_lines(lines, claims_of([[3, 0, 1, "2"]], [condition_of(FOUR[:3])]))


# Ties


SYMMETRIC = ("input  : 2 x 2", "tensor A  : 2 x 2", "product %1 %0  : 2 x 2", "transpose %2  : 2 x 2",
             "product %3 %2  : 2 x 2", "exp %4  : 2 x 2")  # fmt: skip
TIES = {"free": [[4, 0], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]}


def tied(ties: dict[str, Any], places: list[list[int]] = FOUR[:4]) -> list[str]:
    return reasons(SYMMETRIC, claims_of([[5, 4, 1, "1"]], [condition_of(places)], ties=ties))


def test_symmetric_scores_are_tied() -> None:
    assert tied(TIES) == []
    assert tied({"free": [[4, 3], [4, 2], [4, 0]], "tied": [[4, 1, 1, "1"]]}) == []
    assert tied({"free": [], "tied": []}, FOUR) == ["4 exponents of an input are not seen to be independent"]
    assert "differences of 3" in tied(TIES, FOUR)[0]


@pytest.mark.parametrize(
    "row",
    [[4, 2, 0, "1"], [4, 2, 1, "2"], [4, 2, 1, "-1"], [4, 2], [4, 2, 1, "1", 0, "1"], [4, 2, 1, "1", 2, "1/7"]],
    ids=str,
)
def test_false_relations_are_not_proved(row: list[Any]) -> None:
    with pytest.raises(Refuted, match="not proved"):
        tied({**TIES, "tied": [row]})


@pytest.mark.parametrize(
    "ties",
    [
        {"free": TIES["free"], "tied": [[4, 2, 1, "1"], [4, 2, 1, "1"]]},
        {"free": TIES["free"], "tied": [[4, 1, 1, "1"]]},
        {"free": TIES["free"][:2], "tied": [[4, 2, 1, "1"]]},
        {"free": [[4, 0], [4, 1], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]},
        {"free": TIES["free"], "tied": [[4, 2, 1, "1", 1, "1"]]},
        {"free": TIES["free"], "tied": [[4, 2, 1, "1", 0, "0"]]},
        {"free": TIES["free"], "tied": [[4, 2, 1]]},
        {"free": TIES["free"], "tied": [[4, 2, 3, "1"]]},
        {"free": TIES["free"], "tied": []},
        {"free": [[3, 0], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]},
        {"free": [[4], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]},
    ],
    ids=range(11),
)
def test_each_exponent_is_free_or_tied_once(ties: dict[str, Any]) -> None:
    with pytest.raises((Refused, Refuted)):
        tied(ties)


def test_logarithms_are_looked_at_with_what_is_drawn_for_ties() -> None:
    """Three residues for four exponentials, and four arguments."""
    lines = (*SYMMETRIC, "log %2  : 2 x 2")
    found = reasons(lines, claims_of([[5, 4, 1, "1"]], [condition_of([], _6=FOUR)], ties=TIES))
    assert any("4 differences of the characters of 7 arguments at instruction 6" in text for text in found)


# Limits


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claims_of(ONE_EXP, [condition_of(FOUR[:3])])
    monkeypatch.setattr("algatt.certificates.verifier.conditions.MOST_STEPS", 100)
    with pytest.raises(Refused, match="shown in at most 100 steps"):
        reasons(EXP, claims)
    monkeypatch.undo()
    monkeypatch.setattr("algatt.certificates.verifier.conditions.MOST_ORDER", 1)
    with pytest.raises(Refused, match="about at most 1"):
        reasons(EXP, claims)


def test_ties_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, value in (("MOST_TIED", 3), ("LARGEST_POWER", 0), ("MOST_PRODUCTS", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(f"algatt.certificates.verifier.elementary_claims.{limit}", value)
            with pytest.raises(Refused):
                tied(TIES)
    assert tied(TIES) == []


def test_weights_are_held_one_after_the_other() -> None:
    rows = [[w, n] for w in range(1, 6) for n in range(2)]
    places = places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(rows)]))
    for w, n in rows:
        places.place(Salted(w, n, ()), 0)
        assert set(places.interpreters) == {0, w}


def test_networks_that_read_tokens_have_no_exponents_for_each_input() -> None:
    with pytest.raises(Refused, match="no variables"):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])]), tokens=True)


@pytest.mark.parametrize("kind", ["weights", None, 1])
def test_other_kinds_of_claims_are_refused(kind: Any) -> None:
    with pytest.raises(Refused):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])]) | {"kind": kind})
