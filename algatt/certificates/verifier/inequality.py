"""Claims that two weights of a network are two functions, verified by their values at an input."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .balls import RealBalls, Undecided, precision
from .claims import Network, fields_of, network_of, prime_of, whole_numbers
from .inputs import entries_of_tokens
from .interpreter import Interpreter, NoValue
from .limits import MOST_STEPS, Refused, in_a_line
from .modular import Matrix, Residues
from .program import cost_of, fraction
from .verdict import Verdict

__all__ = ["hash_of_input", "hash_of_weights", "inequality_in_words", "verify_inequality"]

Numbers = list[Any]
"""Residues, or fractions."""

PRECISIONS = (128, 256, 512, 1024, 2048, 4096)
"""With so many bits values are enclosed, until they are told apart."""

HAS = {
    "kind": str,
    "program": list,
    "sha256": str,
    "tensors": list,
    "reads": str,
    "first": dict,
    "second": dict,
    "input": dict,
    "entry": list,
}
"""What claims over the reals have; modulo a prime they also have the prime, and both values."""


@dataclass(frozen=True)
class InequalityClaim:
    """The claims of a certificate, with values that make sense.

    Parameters
    ----------
    network : Network
        The network.
    prime : int or None
        Modulo what its values are computed; None over the reals.
    weights : tuple of two lists
        The entries of all tensors in the order of the parameters.
    entries : list
        The input row by row, or the numbers of its tokens.
    row, column : int
        At which entry of the value the two functions differ.
    values : list of int
        The two values modulo the prime; empty over the reals.
    hashes : tuple of str
        Of the first weights, the second ones, and the input.
    """

    network: Network
    prime: int | None
    weights: tuple[Numbers, Numbers]
    entries: Numbers
    row: int
    column: int
    values: list[int]
    hashes: tuple[str, str, str]

    @property
    def in_words(self) -> str:
        """What is claimed."""
        first, second, third = (text[:16] for text in self.hashes)
        where = f"in row {self.row} and column {self.column}, counted from 0, of the value"
        if self.prime is None:
            over, differ = "over the reals", f"the entries {where} differ"
        else:
            over, differ = f"modulo {self.prime}", f"the entry {where} is {self.values[0]} and {self.values[1]}"
            if any(one.operation == "rotate" for one in self.network.program):
                over += ", where points of the circle stand for angles"
        words = (
            f"{self.network.in_words} is {over} another function with the weights {first} than with the weights "
            f"{second}: at the input {third} {differ}"
        )
        return words[0].upper() + words[1:]


def verify_inequality(claims: Any, progress: Callable[[int, int], object] | None = None) -> Verdict:
    """Verify claims that two weights are two functions.

    Raises
    ------
    Refused
        If they are none, or too large to be verified.
    """
    claim = inequality_claim(claims)
    check = wrong_balls(claim) if claim.prime is None else wrong_residues(claim, claim.prime)
    return Verdict(claim.in_words, tuple(check), ())


def inequality_claim(claims: Any) -> InequalityClaim:
    """Return what is claimed.

    Raises
    ------
    Refused
        If it makes no sense, or is too large to be verified.
    """
    modular = isinstance(claims, dict) and "prime" in claims
    fields_of("claims", claims, {**HAS, "prime": int, "values": list} if modular else HAS)
    if claims["kind"] != "inequality":
        raise Refused("claims.kind", in_a_line(claims["kind"]), "'inequality'")
    network = network_of(claims)
    p = prime_of(claims) if modular else None
    steps = 2 * len(PRECISIONS) * cost_of(network.program)
    if steps > MOST_STEPS:
        raise Refused("claims.program", f"one that takes {steps} steps at two weights", f"one of at most {MOST_STEPS}")
    one, two = (weights_of(f"claims.{name}", claims[name], network, p) for name in ("first", "second"))
    entries = input_entries("claims.input", claims["input"], network, p)
    place = whole_numbers("claims.entry", claims["entry"], 0, 2**31)
    height, width = network.output_shape
    if len(place) != 2 or place[0] >= height or place[1] >= width:
        raise Refused("claims.entry", in_a_line(place), f"a row and a column of a value of shape {height} x {width}")
    values = [] if p is None else whole_numbers("claims.values", claims["values"], 0, p - 1)
    if p is not None and len(values) != 2:
        raise Refused("claims.values", in_a_line(values), "two residues")
    hashes = tuple(claims[name]["sha256"] for name in ("first", "second", "input"))
    return InequalityClaim(network, p, (one, two), entries, place[0], place[1], values, hashes)


def weights_of(where: str, claim: Any, network: Network, p: int | None) -> Numbers:
    """Return the entries of all tensors."""
    numbers = listed_numbers(where, claim, network.parameters, p)
    check_hash(where, claim, hash_of_weights(network.tensors, claim["entries"]))
    return numbers


def input_entries(where: str, claim: Any, network: Network, p: int | None) -> Numbers:
    """Return the entries of an input, or the numbers of its tokens."""
    height, width = network.input_shape or (0, 0)
    if network.tokens and network.source is None:
        fields_of(where, claim, {"entries": list, "sha256": str})
        numbers = whole_numbers(f"{where}.entries", claim["entries"], 0, height - 1)
        if len(numbers) != width:
            raise Refused(f"{where}.entries", f"of length {len(numbers)}", f"of length {width}")
    else:
        numbers = listed_numbers(where, claim, height * width, p)
        if network.source is not None:
            check_blocks(where, numbers, network.source, width)
    check_hash(where, claim, hash_of_input(claim["entries"]))
    return numbers


def check_blocks(where: str, entries: Numbers, source: tuple[int, int], width: int) -> None:
    """Raise `Refused` unless a matrix has numbers and unit vectors as blocks, and zeros beside them."""
    rows = [entries[start : start + width] for start in range(0, len(entries), width)]
    beside = [entry for row in rows[: source[0]] for entry in row[source[1] :]]
    beside += [entry for row in rows[source[0] :] for entry in row[: source[1]]]
    columns = list(zip(*(row[source[1] :] for row in rows[source[0] :]), strict=True))
    if any(beside) or any(sorted(column) != [0] * (len(column) - 1) + [1] for column in columns):
        raise Refused(
            f"{where}.entries", "others", "a block of numbers and one of unit vectors, with zeros beside them"
        )


def listed_numbers(where: str, claim: Any, count: int, p: int | None) -> Numbers:
    """Return so many residues, or fractions."""
    fields_of(where, claim, {"entries": list, "sha256": str})
    entries = claim["entries"]
    if len(entries) != count:
        raise Refused(f"{where}.entries", f"of length {len(entries)}", f"of length {count}")
    if p is not None:
        return whole_numbers(f"{where}.entries", entries, 0, p - 1)
    found: list[Fraction] = []
    for entry in entries:
        try:
            if not isinstance(entry, str):
                raise ValueError("no text")
            found.append(fraction(entry))
        except ValueError:
            raise Refused(f"{where}.entries", in_a_line(entry), "made of fractions as text") from None
    return found


def check_hash(where: str, claim: Any, sha256: str) -> None:
    """Raise `Refused` unless a hash is the one that is claimed."""
    if claim["sha256"] != sha256:
        raise Refused(f"{where}.sha256", in_a_line(claim["sha256"]), f"{sha256}, the hash of the entries")


def hash_of_weights(tensors: dict[str, tuple[int, int]], entries: Numbers) -> str:
    """Return the SHA-256 of weights: for each tensor a line with its name, its numbers of rows and columns, and its
    entries row by row.
    """
    lines, start = [], 0
    for name, (height, width) in tensors.items():
        end = start + height * width
        lines.append(" ".join([name, str(height), str(width), *map(str, entries[start:end])]))
        start = end
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def hash_of_input(entries: Numbers) -> str:
    """Return the SHA-256 of the entries of an input, with spaces between them."""
    return hashlib.sha256(" ".join(map(str, entries)).encode("utf-8", "surrogatepass")).hexdigest()


def values_at(claim: InequalityClaim, field: Any) -> list[Any]:
    """Return the entry of both values.

    Raises
    ------
    NoValue, Undecided
        If something is divided by zero, or not told from what has no value.
    """
    network = claim.network
    number: Callable[[Any], Any] = int if claim.prime is not None else field.number
    X: Matrix | None = None
    if network.input_shape is not None:
        height, width = network.input_shape
        if network.tokens and network.source is None:
            numbers = entries_of_tokens(height, tuple(claim.entries))
        else:
            numbers = list(map(number, claim.entries))
        X = field.matrix(height, width, numbers)
    found = []
    for weights in claim.weights:
        drawn = iter(map(number, weights))
        tensors = {
            name: field.matrix(height, width, [next(drawn) for _ in range(height * width)])
            for name, (height, width) in network.tensors.items()
        }
        results = Interpreter(network.program, field, tensors).forward(X)
        found.append(results[len(network.program) - 1][claim.row, claim.column])
    return found


def wrong_residues(claim: InequalityClaim, p: int) -> Iterator[str]:
    """Compute both values modulo the prime."""
    try:
        values = [int(value) for value in values_at(claim, Residues(p))]
    except NoValue:
        yield "something is divided by zero at the input"
        return
    for name, value, claimed in zip(("first", "second"), values, claim.values, strict=True):
        if value != claimed:
            yield f"the value with the {name} weights is {value}, not {claimed}"
    if values[0] == values[1]:
        yield "the values are the same"


def wrong_balls(claim: InequalityClaim) -> Iterator[str]:
    """Enclose both values until they are told apart."""
    for bits in PRECISIONS:
        with precision(bits):
            try:
                one, two = values_at(claim, RealBalls())
            except (NoValue, Undecided):
                continue
            if one.is_finite() and two.is_finite() and not one.overlaps(two):
                return
    yield f"the values are not told apart, or from what has none, with {PRECISIONS[-1]} bits"


def inequality_in_words(claims: Any) -> str:
    """Return what is claimed of two weights.

    Raises
    ------
    Refused
        If it makes no sense, or is too large to be verified.
    """
    return inequality_claim(claims).in_words
