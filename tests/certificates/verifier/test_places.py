"""Places of the verifier against those of the package, and each rule for itself."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights
from algatt.certificates.verifier.elementary import ERF, Refuted, Salted
from algatt.certificates.verifier.interpreter import NoValue
from algatt.certificates.verifier.limits import Refused
from algatt.geometry.dimensions.elementary.dimension import places_of as drawn_places
from algatt.geometry.dimensions.elementary.gates import reading_of
from elementary_networks import (
    NETWORKS,
    P,
    claims_of,
    condition_of,
    places_of,
    places_of_lines,
    report_of,
    true_claims,
)


def integers(raw: Any, shape: tuple[int, ...]) -> list[int]:
    return [int(x) for x in np.broadcast_to(raw, shape).ravel()]


@pytest.mark.parametrize("name", NETWORKS)
def test_results_and_derivatives_are_those_of_the_package(name: str) -> None:
    """At all inputs of the minor, those at which residues were drawn anew among them."""
    arch, evidence = NETWORKS[name], report_of(name).evidence
    places = places_of(arch, true_claims(name), evidence.seed, evidence.prime.p)
    numbers = sorted({row // arch.outputs for row in evidence.lower.minor.rows})
    theta = algatt.sample(arch, Weights, field=evidence.prime, seed=evidence.seed)
    drawing = drawn_places(arch, theta, evidence.seed, np.array(numbers))
    functions = drawing.functions()
    program = reading_of(arch).program.instructions
    for row, number in enumerate(numbers):
        results, slopes = places.at(number)
        for k, one in enumerate(program):
            raw = drawing.results[k][row] if k in drawing.varying else drawing.results[k]
            assert [int(x) for x in results[k].entries()] == integers(raw, one.shape), (number, k, one.operation)
        for k, function in functions.items():
            if function.derivative is None:
                assert k not in slopes
            else:
                found = [int(x) for x in slopes[k].entries()]
                assert found == integers(function.derivative[row], program[k].shape), (number, k)
    assert places.reasons() == []


def stream(label: str, p: int, count: int = 1) -> list[int]:
    """Return residues of a label of seed 0, as the page on the stream says it."""
    octets = hashlib.shake_256(f"algatt/1/0/{label}".encode("ascii")).digest(800)
    words = [int.from_bytes(octets[k : k + 8], "little") for k in range(0, 800, 8)]
    return [word % p for word in words if word < p * (2**64 // p)][:count]


def results_at(lines: tuple[str, ...], claims: dict[str, Any], *salts: int, p: int = P, weights: int = 0) -> list[Any]:
    """Return the entries of all results at input 4."""
    place = places_of_lines(lines, claims, p=p).place(Salted(weights, 4, salts), 0)
    return [[int(x) for x in one.entries()] for _, one in sorted(place.results.items())]


READ = ("tensor A  : 1 x 2", "input  : 2 x 2", "product %0 %1  : 1 x 2")


def test_inputs_and_weights_are_drawn() -> None:
    lines = (*READ, "exp %2  : 1 x 2")
    claims = claims_of([[3, 2, 1, "1"]], [condition_of([])])
    found = results_at(lines, claims)
    assert found[0] == stream("weights", P, 2)
    assert found[1] == stream("input/4", P, 4)
    assert results_at(lines, claims, weights=3)[0] == stream("condition/3/A", P, 2)


@pytest.mark.parametrize(("power", "scale"), [(1, "-3"), (-3, "1"), (6, "-1/2")])
def test_exponentials_are_powers_of_what_is_drawn(power: int, scale: str) -> None:
    lines = (*READ, "constant [3]  : number", "negate %2  : 1 x 2", "multiply %3 %4  : 1 x 2", "exp %5  : 1 x 2")
    found = results_at(lines, claims_of([[6, 2, power, scale]], [condition_of([])]))
    z = [x + 1 for x in stream("exp/2/4", P - 1, 2)]
    assert found[6] == [pow(x, power, P) for x in z]


def test_logistic_functions_and_exponentials_of_one_exponent_fit_together() -> None:
    lines = (*READ, "exp %2  : 1 x 2", "negate %2  : 1 x 2", "sigmoid %4  : 1 x 2")
    found = results_at(lines, claims_of([[3, 2, 1, "1"], [5, 2, -1, "1"]], [condition_of([])]))
    assert [share * (1 + e) % P for share, e in zip(found[5], found[3], strict=True)] == [1, 1]


ROOT = (*READ, "sqrt %2  : 1 x 2")
ROOTED = claims_of([], [condition_of(None, _3=[])])


def test_roots_are_the_smaller_ones_and_exist_or_there_is_no_place() -> None:
    """Which salts have roots is Euler's criterion; residues of inputs are drawn anew column by column."""
    a, b = stream("weights", P, 2)
    for salts in itertools.product(range(4), repeat=2):
        columns = [stream(f"input/4/{salt}" if salt else "input/4", P, 4)[k::2] for k, salt in enumerate(salts)]
        arguments = [(a * x + b * y) % P for x, y in columns]
        if all(pow(x, (P - 1) // 2, P) == 1 for x in arguments):
            found = results_at(ROOT, ROOTED, *salts)
            assert found[1] == [columns[0][0], columns[1][0], columns[0][1], columns[1][1]]
            assert [x * x % P for x in found[3]] == arguments
            assert max(found[3]) <= P // 2
        else:
            with pytest.raises(NoValue, match="a root of instruction 3 does not exist"):
                results_at(ROOT, ROOTED, *salts)


def test_there_is_no_root_of_zero() -> None:
    lines = (*READ, "negate %2  : 1 x 2", "add %2 %3  : 1 x 2", "sqrt %4  : 1 x 2")
    with pytest.raises(NoValue, match="root"):
        results_at(lines, claims_of([], [condition_of(None, _5=[])]))


def test_roots_are_taken_modulo_primes_that_are_three_modulo_four() -> None:
    with pytest.raises(Refuted, match="3 modulo 4"):
        results_at(ROOT, ROOTED, p=8388593)


def test_denominators_that_vanish_have_no_place() -> None:
    lines = (*READ, "exp %2  : 1 x 2", "negate %3  : 1 x 2", "add %3 %4  : 1 x 2", "reciprocal %5  : 1 x 2")
    with pytest.raises(NoValue):
        results_at(lines, claims_of([[3, 2, 1, "1"]], [condition_of([])]))


def test_a_logistic_function_of_minus_one_has_no_place() -> None:
    """Modulo 3 the residues are 1 and 2, and 1 + 2 is 0."""
    lines = (*READ, "sigmoid %2  : 1 x 2")
    claims = claims_of([[3, 2, 1, "1"]], [condition_of([])])
    z = [x + 1 for x in stream("exp/2/4", 2, 2)]
    if 2 in z:
        with pytest.raises(NoValue):
            results_at(lines, claims, p=3)
    else:
        assert results_at(lines, claims, p=3)[3] == [2, 2]


def test_logarithms_and_error_functions_are_drawn_and_zero_has_none() -> None:
    lines = (*READ, "log %2  : 1 x 2", "erf %2  : 1 x 2")
    claims = claims_of([], [condition_of([], _3=[])], rests_on=["erf not being elementary (Liouville; Ostrowski 1946)"])
    found = results_at(lines, claims)
    assert found[3] == [x + 1 for x in stream("function/3/4", P - 1, 2)]
    assert found[4] == [x + 1 for x in stream("function/4/4", P - 1, 2)]
    lines = (*READ, "negate %2  : 1 x 2", "add %2 %3  : 1 x 2", "log %4  : 1 x 2")
    with pytest.raises(NoValue, match="logarithm of zero"):
        results_at(lines, claims_of([], [condition_of([], _5=[])]))


def test_derivatives_are_those_of_calculus() -> None:
    lines = (*READ, "exp %2  : 1 x 2", "sigmoid %2  : 1 x 2", "log %2  : 1 x 2", "erf %2  : 1 x 2")
    claims = claims_of([[3, 2, 1, "1"], [4, 2, 1, "1"]], [condition_of([], _5=[])], rests_on=[ERF])
    places = places_of_lines(lines, claims)
    results, slopes = places.at(4)
    entries = {k: [int(x) for x in one.entries()] for k, one in results.items()}
    found = {k: [int(x) for x in one.entries()] for k, one in slopes.items()}
    assert found[3] == entries[3]
    assert [d * pow(1 + e, 2, P) % P for d, e in zip(found[4], entries[3], strict=True)] == entries[3]
    assert [d * v % P for d, v in zip(found[5], entries[2], strict=True)] == [1, 1]
    assert found[6] == [x + 1 for x in stream("density/6/4", P - 1, 2)]
    assert set(found) == {3, 4, 5, 6}


def test_the_derivative_of_a_root() -> None:
    places = places_of_lines(ROOT, ROOTED | {"places": {"salts": [[4, *FOUND]], "sum": 0}})
    results, slopes = places.at(4)
    for root, slope in zip(results[3].entries(), slopes[3].entries(), strict=True):
        assert int(2 * root * slope) == 1


def rooted_salts() -> tuple[int, ...]:
    """Return salts with which input 4 has roots."""
    a, b = stream("weights", P, 2)
    found = []
    for column in range(2):
        for salt in itertools.count(1):
            x, y = stream(f"input/4/{salt}", P, 4)[column::2]
            if pow(a * x + b * y, (P - 1) // 2, P) == 1:
                found.append(salt)
                break
    return tuple(found)


FOUND = rooted_salts()


def test_sums_and_salts_of_the_minor_are_checked() -> None:
    columns = [stream(f"input/4/{salt}", P, 4)[k::2] for k, salt in enumerate(FOUND)]
    total = sum(map(sum, columns)) % P
    for claimed, salts, asked, reason in [
        (total, FOUND, True, None),
        (total + 1, FOUND, True, "have the sum"),
        (total, FOUND, False, "no row of the minor"),
    ]:
        places = places_of_lines(ROOT, ROOTED | {"places": {"salts": [[4, *salts]], "sum": claimed}})
        if asked:
            places.at(4)
        reasons = places.reasons()
        assert reasons == [] if reason is None else reason in reasons[0]


GATED = (*READ, "positive %2  : 1 x 2", "largest %1 1  : 2 x 2", "multiply %2 %3  : 1 x 2", "product %5 %4  : 1 x 2")


@pytest.mark.parametrize("pattern", [0b101001, 0b011100])
def test_gates_are_the_bits_of_a_pattern(pattern: int) -> None:
    """Input 5 has the pattern number 5 modulo 3; the bits are those of the first gate, row by row, then of the next."""
    patterns = ["00", "3f", f"{pattern:02x}"]
    places = places_of_lines(GATED, claims_of([], [], gates={"dropped": [], "open": patterns}))
    results, slopes = places.at(5)
    bits = [int(bit) for bit in f"{pattern:06b}"]
    assert [int(x) for x in results[3].entries()] + [int(x) for x in results[4].entries()] == bits
    assert slopes == {}


@pytest.mark.parametrize("text", ["40", "80", "ff", "3", "03f"])
def test_a_pattern_has_as_many_bits_as_gates(text: str) -> None:
    with pytest.raises(Refused, match="6 bits as 2 hexadecimal digits"):
        places_of_lines(GATED, claims_of([], [], gates={"dropped": [], "open": [text]}))


def test_tokens_have_their_own_gates() -> None:
    """A score of a token is positive or not by the real weights, and the same modulo p."""
    lines = (
        "tensor A  : 1 x 3",
        "input  : 3 x 2",
        "product %0 %1  : 1 x 2",
        "positive %2  : 1 x 2",
        "multiply %2 %3  : 1 x 2",
    )
    octets = hashlib.shake_256(b"algatt/1/0/weights").digest(24)
    positive = [int.from_bytes(octets[k : k + 8], "little") >= 2**63 for k in range(0, 24, 8)]
    places = places_of_lines(lines, claims_of([], []), tokens=True)
    for number in range(12):
        octets = hashlib.shake_256(f"algatt/1/0/input/{number}".encode()).digest(16)
        tokens = [int.from_bytes(octets[k : k + 8], "little") % 3 for k in (0, 8)]
        results, _ = places.at(number)
        assert [int(x) for x in results[1].entries()] == [int(token == row) for row in range(3) for token in tokens]
        assert [int(x) for x in results[3].entries()] == [int(positive[token]) for token in tokens]


def test_tied_exponentials_are_products_of_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    """With u_2 = u_0 - u_1 / 4, all doubled: y_0 = exp(u_0) and y_1 = exp(u_1 / 2)."""
    quarter = ("constant [-1/4]  : number", "multiply %4 %5  : 1 x 1")
    lines = (
        *READ,
        "take %2 [[0] [0]]  : 1 x 1",
        "take %2 [[0] [1]]  : 1 x 1",
        *quarter,
        "add %3 %6  : 1 x 1",
        "concatenate %3 %4 %7 1  : 1 x 3",
        "constant [2]  : number",
        "multiply %8 %9  : 1 x 3",
        "exp %10  : 1 x 3",
    )
    ties = {"free": [[8, 0], [8, 1]], "tied": [[8, 2, 0, "1", 1, "-1/4"]]}
    found = results_at(lines, claims_of([[11, 8, 1, "2"]], [condition_of([])], ties=ties))
    y = [x + 1 for x in stream("exp/8/4", P - 1, 2)]
    assert found[11] == [pow(y[0], 2, P), pow(y[1], 4, P), y[0] ** 2 * pow(y[1], -1, P) % P]
    monkeypatch.setattr("algatt.certificates.verifier.elementary_claims.LARGEST_POWER", 3)
    with pytest.raises(Refused, match="powers that are too large"):
        results_at(lines, claims_of([[11, 8, 1, "2"]], [condition_of([])], ties=ties))
