"""Certificates of all kinds, verified: dimensions, symmetries, and that two weights are two functions."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import flint

from .directions import Directions, check_directions, dependence, families_in, pair_of, wrong_families
from .fields import NoValue, RealBalls, Residues, Undecided, precision, prime_of
from .limits import MOST_BYTES, Refused, fields_of, in_a_line, parse_document, printable, too_large, whole_numbers
from .network import Interpreter, Network, Progress, network_of, number_of
from .pieces import cut_of
from .program import FUNCTIONS, cost_of
from .side_by_side import ASSUMED, verify_transformer

FORMAT, VERSION = "algatt certificate", 4
MOST_STEPS, MOST_REAL_STEPS = 5 * 10**7, 10**7  # for a minor modulo a prime, a million in about a second; a real one
MOST_ORDER, MOST_REAL_ORDER = 4000, 600  # rows of a minor modulo a prime, and of a real one
BITS = (128, 256, 512, 1024, 2048, 4096)  # with which real numbers are enclosed, until they are known well enough
MOST_BITS_OF_MINOR = 10**11  # the third power of the order of a real minor times the sum of the precisions
POINTS = 8  # at which a program is evaluated, until it has a value


class Verdict(NamedTuple):
    """What is claimed, in words that are made of what was checked, why it is not accepted: nothing if it is; and what
    is assumed and not checked.
    """

    claim: str
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...]


def verify_bytes(content: bytes, progress: Progress | None = None) -> Verdict:
    """Verify a certificate, given as the content of its file; refuse what is none, or too large to be verified."""
    document = parse_document(content)
    if document.get("format") != FORMAT or document.get("version") != VERSION or document["version"] is True:
        raise Refused("the file", "of another format or version", f"of the format {FORMAT!r}, version {VERSION}")
    fields_of("the file", document, {"format": str, "version": int, "made_with": str, "network": str, "claims": dict})
    claims, key = document["claims"], hashlib.sha256(content).hexdigest()
    kind = claims.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused("claims.kind", in_a_line(kind), f"one of {', '.join(KINDS)}")
    required, optional, verify = KINDS[kind]
    fields_of("claims", claims, {"kind": str, "program": list, "tensors": list, "reads": str, **required}, optional)
    try:
        claim, reasons = verify(claims, key, progress or (lambda done, total: None))
    except RecursionError:
        raise too_large("words", "of results that open in too many others", "of fewer") from None
    claim = printable(claim)
    assumptions = (ASSUMED,) if kind == "transformer" else ()
    return Verdict(claim[0].upper() + claim[1:], tuple(printable(reason, 1000) for reason in reasons), assumptions)


def is_real(network: Network) -> bool:
    """Return whether a program has values over the reals alone."""
    return any(one.operation in (*FUNCTIONS, "largest", "cos") for one in network.program)


@dataclass(frozen=True)
class Piece:
    """A network with a minor of its Jacobian, in rows and columns, and one of the directions of families: modulo a
    prime or at a real point, with weights that are made of others.
    """

    network: Network
    families: Sequence[Directions]
    rows: Sequence[int]
    columns: Sequence[int]
    directions: Sequence[int]
    inputs: Sequence[Any]
    real: bool
    spread: Callable[[Any, Any], Any]

    def check(self) -> None:
        """Check that the minors have rows and columns, and that they are not too large, before work is done."""
        rows, columns, network = self.rows, self.columns, self.network
        check_directions(network, self.families, self.directions)
        if len(rows) != len(columns) or len(set(rows)) < len(rows) or len(set(columns)) < len(columns):
            was = f"{len(rows)} beside {len(columns)} columns"
            raise Refused("claims.rows", was, "as many as columns, all different")
        list(map(network.place, columns))
        count = math.prod(network.program[-1].sizes) * len(self.inputs)
        if network.reads_tokens and max(rows, default=-1) >= count:
            raise Refused("claims.rows", f"up to {max(rows)}", "rows of the inputs that are there")
        if rows and not self.real and is_real(network):
            raise Refused("claims", "without a point", "one with a real point, since the program has functions")
        small = self.real or not rows  # without rows the program has a value, perhaps over the reals
        most, most_order = (MOST_REAL_STEPS, MOST_REAL_ORDER) if small else (MOST_STEPS, MOST_ORDER)
        steps = cost_of(network.program) * max(1, len(rows))
        if len(rows) > most_order or steps > most:
            was = f"{len(rows)} rows, which take {steps} steps"
            raise too_large("claims.rows", was, f"at most {most_order} rows and {most} steps")

    def wrong_minor(self, field: Residues, drawn: Callable[[Any], Any], key: str, progress: Progress) -> list[str]:
        """Return that the minor of the Jacobian is zero in a field, or not known to be regular at a real point, at
        inputs that a key names, unless some are given.
        """
        try:
            if not self.real:
                minor = self.network.minor(field, self.columns, self.derivatives(field, drawn, key, 64, progress))
                return [] if int(minor.det()) else ["the minor of the Jacobian is zero"]
            for bits in BITS:
                if (2 * bits - BITS[0]) * len(self.rows) ** 3 > MOST_BITS_OF_MINOR:
                    return [f"the minor takes too long with {bits} bits, and is not known to be regular with fewer"]
                try:
                    rows = self.derivatives(RealBalls(), drawn, key, bits, progress)
                    if is_regular(self.network.minor(RealBalls(), self.columns, rows), bits):
                        return []
                except (Undecided, ZeroDivisionError):
                    continue
            return [f"the minor is not known to be regular with {BITS[-1]} bits"]
        except NoValue as error:
            return [f"the program has no value at a row of the minor: {error}"]

    def derivatives(self, field: Any, drawn: Any, key: str, bits: int, progress: Progress) -> Iterator[dict[str, Any]]:
        """Iterate over rows of the Jacobian, by tensors; others may set the precision while progress is reported."""
        network, (height, width) = self.network, self.network.program[-1].sizes
        with precision(bits):
            tensors, before, results = self.spread(field, drawn(field)), -1, list[Any]()
        interpreter = Interpreter(network.program, field, tensors)
        for k, row in enumerate(self.rows):
            number, output = divmod(row, height * width)
            with precision(bits):
                if before != number:
                    entries = self.inputs[number] if self.inputs else ()
                    X = network.input_at(field, f"{key}/input/{number}", entries)
                    before, results = number, interpreter.forward(X)
                one = field.matrix(height, width, [int(n == output) for n in range(height * width)])
                yield interpreter.backward(results, one)
            progress(k + 1, len(self.rows))


def verify_families(claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify that directions of families are independent and do not move the value; and bounds of a dimension by these
    and by a minor of the Jacobian, or by two minors of each of three pieces.
    """
    network = network_of(claims)
    symmetry, families, least, most = "rows" not in claims, families_in(claims, network), 0, network.parameters
    if symmetry and not families:
        raise Refused("claims.families", "empty", "a list of families")
    if ("rows" in claims and network.reads_tokens) != ("inputs" in claims):
        raise Refused("claims", "with or without inputs", "one with inputs if tokens are read, and without if not")
    inputs = [network.check_input(f"claims.inputs[{k}]", one) for k, one in enumerate(claims.get("inputs", ()))]
    cut = cut_of(network, claims, families) if "cuts" in claims else None
    small = cut.network(network, 1) if cut else network
    field, pieces = Residues(prime_of(key)), list[Piece]()
    for k, times in enumerate(cut.times if cut else (1,)):
        rows, columns, others = (numbers_of(claims, name, k) for name in ("rows", "columns", "directions"))
        whole = network, families, lambda field, drawn: drawn
        part, own, spread = cut.piece(k, network, families, (*columns, *others)) if cut else whole
        pieces.append(Piece(part, own, rows, columns, others, inputs, "point" in claims, spread))
        pieces[-1].check()
        least, most = least + times * len(rows), most - times * len(others)
    if cut and not pieces[0].rows:
        raise Refused("claims.rows", "without any of the hub", "with some, at which the program has a value")
    drawn = weights_of(small, claims, key)
    reasons = list(wrong_families(network, families, small=not symmetry, progress=progress))
    for k, piece in enumerate(pieces if not reasons else ()):
        tensors = piece.spread(field, small.random(field, key))
        wrong = dependence(piece.network, piece.families, piece.directions, field, tensors)
        if not wrong:
            stream = f"{key}/{k}" if cut else drawn.keywords["key"]
            minor = cut or piece.rows
            wrong = piece.wrong_minor(field, drawn, stream, progress) if minor else lacking_value(network, key)
        reasons += [f"piece {k}: {reason}" if cut else reason for reason in wrong]
    return symmetry_in_words(network, families, key) if symmetry else bounds_in_words(network, least, most), reasons


def symmetry_in_words(network: Network, families: Sequence[Directions], key: str) -> str:
    """Return what families say of a network."""
    told = ", ".join(family.in_words for family in families[:6])
    told += f" and {len(families) - 6} other families" if len(families) > 6 else ""
    where = f"at almost all weights, and for almost all inputs, the value of {network.in_words}"
    return f"{where} does not change along {told}, which are independent; the file has the SHA-256 {key[:16]}"


def bounds_in_words(network: Network, least: int, most: int) -> str:
    """Return what two bounds say of the dimension of a network."""
    known = f"of dimension {least}" if least == most else f"whose dimension is at least {least} and at most {most}"
    gates = any(one.operation in ("positive", "largest") for one in network.program)
    return f"{network.in_words} has a neuromanifold {known}{' around almost all weights of an open set' * gates}"


def numbers_of(claims: Any, name: str, piece: int) -> list[int]:
    """Return rows or columns of the network, or of a piece; none if nothing is claimed of them."""
    listed = claims.get(name, [])
    if "cuts" in claims and len(listed) != 3:
        raise Refused(f"claims.{name}", in_a_line(listed), "three lists, one for each piece")
    return whole_numbers(f"claims.{name}", listed[piece] if "cuts" in claims else listed, 0, 2**40)


def weights_of(network: Network, claims: Any, key: str) -> partial[dict[str, Any]]:
    """Return what draws the weights of claims over a field: those that a hash names, or those of a real point."""
    if "point" not in claims:
        return partial(network.random, key=key)
    fields_of("claims.point", claims["point"], {"seed": int, "scales": list})
    (seed,) = whole_numbers("claims.point.seed", [claims["point"]["seed"]], 0, 2**63 - 1)
    scales = whole_numbers("claims.point.scales", claims["point"]["scales"], -1000, 1000)
    if len(scales) != len(network.tensors):
        raise Refused("claims.point.scales", f"{len(scales)} exponents", "an exponent for each tensor")
    return partial(network.random, key=f"algatt/1/{seed}", scales=scales)


def is_regular(M: Any, bits: int) -> bool:
    """Return whether a real M is known to be regular: for an exact R the rows of R M - I add up to less than one."""
    order = M.nrows()
    with precision(bits):
        unit = flint.arb_mat(order, order, [int(k % (order + 1) == 0) for k in range(order * order)])
        parts = (M.mid().solve(unit, algorithm="approx").mid() * M - unit).entries()
        return all(sum(abs(x) for x in parts[k : k + order]) < 1 for k in range(0, order * order, order or 1))


def lacking_value(network: Network, key: str) -> list[str]:
    """Return that a program has no value at random weights and inputs; nothing if it has one."""
    field = RealBalls() if is_real(network) else Residues(prime_of(key))
    scales = [-(width.bit_length() // 2) for _, width in network.tensors.values()] if is_real(network) else []
    for point in range(POINTS):
        here, (height, width), (rows, columns) = f"{key}/{point}", network.input_shape, network.units
        entries = [*range(1, rows * columns + 1), *((point + 7 * j) % (height - rows) for j in range(width - columns))]
        with precision(BITS[0]):
            try:
                X = network.input_at(field, f"{here}/input", entries)
                value = Interpreter(network.program, field, network.random(field, here, scales)).forward(X)[-1]
            except (NoValue, Undecided):
                continue
            if not is_real(network) or all(entry.is_finite() for entry in value.entries()):
                return []
    return [f"the program has no value at {POINTS} random points"]


def verify_inequality(claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify that the values of two weights differ at an input."""
    network, p = network_of(claims), claims.get("prime")
    if p is not None and (is_real(network) or not (2 <= p < 2**63 and flint.fmpz(p).is_prime())):
        raise Refused("claims.prime", in_a_line(p), "a prime below 2^63, given for programs of ring operations alone")
    if cost_of(network.program) > MOST_REAL_STEPS:
        raise too_large("program", f"one of {cost_of(network.program)} steps", f"of at most {MOST_REAL_STEPS}")
    weights = []
    for name in ("first", "second"):
        if len(claims[name]) != network.parameters:
            raise Refused(f"claims.{name}", f"of length {len(claims[name])}", f"of length {network.parameters}")
        weights.append([number_of(f"claims.{name}", entry) for entry in claims[name]])
    entries = network.check_input("claims.input", claims["input"])
    height, width = network.program[-1].sizes
    entry = pair_of("claims.entry", claims["entry"], (0, 0), (height - 1, width - 1))
    where = "over the reals" if p is None else f"modulo {p}"
    hashes = [hashlib.sha256(" ".join(map(str, part)).encode("ascii")).hexdigest()[:16] for part in (*weights, entries)]
    claim = f"the functions of {network.in_words} with the weights {hashes[0]} and {hashes[1]} {where} differ: "
    claim += f"values at the input {hashes[2]} do in row {entry[0]} and column {entry[1]}"
    for bits in BITS if p is None else BITS[:1]:
        field = RealBalls() if p is None else Residues(p)
        with precision(bits):
            try:
                drawn = [network.tensors_of(field, map(field.number, part)) for part in weights]
                X = network.input_of(field, entries)
                one, two = (Interpreter(network.program, field, one).forward(X)[-1][entry] for one in drawn)
            except NoValue as error:
                return claim, [f"there is no value at the input: {error}"]
            except Undecided:
                continue
            if one != two and (p is not None or (one.is_finite() and two.is_finite())):  # balls, if they are disjoint
                return claim, []
    return claim, ["the values are not told apart" if p is None else "the values are the same"]


BOUNDS = {"rows": list, "columns": list, "families": list, "directions": list}
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any], Callable[..., tuple[str, list[str]]]]] = {
    "dimension": (BOUNDS, {"inputs": list, "point": dict}, verify_families),
    "pieces": ({"copies": int, "cuts": list, **BOUNDS}, {"point": dict}, verify_families),
    "symmetry": ({"families": list, "directions": list}, {}, verify_families),
    "transformer": ({"transformer": dict, "parts": list}, {}, verify_transformer),
    "inequality": ({"first": list, "second": list, "input": list, "entry": list}, {"prime": int}, verify_inequality),
}
"""What claims of each kind have and may have, and what verifies them."""


def main(arguments: Sequence[str]) -> int:
    """Verify the certificate in a file, print the verdict, and return the exit code."""
    try:
        if len(arguments) != 1:
            should = "'verify.py FILE'; exit codes are 0: verified; 1: refuted; 2: no certificate; 3: too large"
            raise Refused("the command", f"one with {len(arguments)} files", should)
        with Path(arguments[0]).open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        verdict = verify_bytes(content)
    except (OSError, ValueError, Refused) as error:
        sys.stderr.write(f"{printable(str(error), 1000)}\n")
        return getattr(error, "code", 2)
    print("refuted:" if verdict.reasons else "verified:", verdict.claim)
    for reason in verdict.reasons or (f"assumptions: {'; '.join(verdict.assumptions) or 'none'}",):
        print(f"  {reason}")
    return 1 if verdict.reasons else 0
