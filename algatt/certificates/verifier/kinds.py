"""Certificates of all kinds, verified: dimensions, symmetries, and that two weights are two functions."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import flint

from .directions import check_columns, check_steps, dependence, families_in, pair_of, wrong_families
from .fields import NoValue, RealBalls, Residues, Undecided, is_prime, precision, prime_of
from .limits import MOST_BYTES, Refused, fields_of, in_a_line, parse_document, printable, too_large, whole_numbers
from .network import Interpreter, Network, Progress, jacobian, network_of, number_of
from .pieces import copies_of, cut_of
from .program import FUNCTIONS, cost_of

FORMAT, VERSION = "algatt certificate", 4
MOST_STEPS, MOST_REAL_STEPS = 5 * 10**7, 10**7  # for a minor modulo a prime, a million in about a second; a real one
MOST_ORDER, MOST_REAL_ORDER = 4000, 600  # rows of a minor modulo a prime, and of a real one
BITS = (128, 256, 512, 1024, 2048, 4096)  # with which real numbers are enclosed, until they are known well enough
MOST_BITS_OF_MINOR = 10**11  # the third power of the order of a real minor times the sum of the precisions
POINTS = 8  # at which a program is evaluated, until it has a value


@dataclass(frozen=True)
class Verdict:
    """What is claimed, in words that are made of what was checked, and why it is not accepted: nothing if it is."""

    claim: str
    reasons: tuple[str, ...]


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
        claim, reasons = verify(network_of(claims), claims, key, progress or (lambda done, total: None))
    except RecursionError:
        raise too_large("words", "of results that open in too many others", "of fewer") from None
    claim = printable(claim)
    return Verdict(claim[0].upper() + claim[1:], tuple(printable(reason, 1000) for reason in reasons))


def is_real(network: Network) -> bool:
    """Return whether a program has values over the reals alone."""
    return not network.operations.isdisjoint((*FUNCTIONS, "largest", "cos"))


def wrong_directions(
    network: Network, claims: Any, key: str, progress: Progress, *, small: bool
) -> tuple[list[Any], list[str]]:
    """Return the families of claims, and why the value moves along them or they are not known to be independent."""
    families = families_in(claims, network)
    check_columns(network, sum(len(family.entries) for family in families), claims["directions"])
    check_steps(families)
    reasons, field = list(wrong_families(network, families, small=small, progress=progress)), Residues(prime_of(key))
    return families, reasons or dependence(network, families, claims["directions"], field, network.random(field, key))


def verify_dimension(network: Network, claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify bounds of a dimension: a minor of the Jacobian, and families with a minor of their directions."""
    rows, columns = (whole_numbers(f"claims.{name}", claims[name], 0, 2**40) for name in ("rows", "columns"))
    check_minor(network, rows, columns, real="point" in claims)
    inputs, drawn = inputs_of(network, claims), weights_of(network, claims, key)
    stream = f"algatt/1/{claims['point']['seed']}" if "point" in claims else key
    families, reasons = wrong_directions(network, claims, key, progress, small=True)
    if not reasons and rows:
        reasons = wrong_minor(network, rows, columns, inputs, drawn, stream, progress, real="point" in claims)
    elif not reasons:
        reasons = lacking_value(network, key)
    removed = sum(len(family.entries) for family in families)
    return told_of(network, len(rows), network.parameters - removed), reasons


def told_of(network: Network, least: int, most: int) -> str:
    """Return what two bounds say of the dimension of a network."""
    known = f"of dimension {least}" if least == most else f"whose dimension is at least {least} and at most {most}"
    told = f"{network.in_words} has a neuromanifold {known}"
    if not network.operations.isdisjoint(("positive", "largest")):
        told += " around almost all weights of an open set"
    return told


def check_minor(network: Network, rows: list[int], columns: list[int], *, real: bool, share: int = 1) -> None:
    """Check the rows and columns of a minor of the Jacobian, one of `share` minors, and that it is not too large,
    before work is done.
    """
    if len(rows) != len(columns) or len(set(rows)) < len(rows) or len(set(columns)) < len(columns):
        raise Refused("claims.rows", f"{len(rows)} beside {len(columns)} columns", "as many as columns, all different")
    if columns and max(columns) >= network.parameters:
        raise Refused("claims.columns", f"up to {max(columns)}", f"below {network.parameters}")
    if rows and not real and is_real(network):
        raise Refused("claims", "without a point", "one with a real point, since the program has functions")
    most, most_order = (MOST_REAL_STEPS, MOST_REAL_ORDER) if real else (MOST_STEPS, MOST_ORDER)
    steps, most = cost_of(network.program) * max(1, len(rows)), most // share
    if len(rows) > most_order or steps > most:
        was = f"{len(rows)} rows, which take {steps} steps"
        raise too_large("claims.rows", was, f"at most {most_order} rows and {most} steps")


def verify_pieces(network: Network, claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify bounds of a dimension by three pieces, each with a minor of the Jacobian and one of directions."""
    cut = cut_of(network, claims)
    families = families_in(claims, network, cut=True)
    for family in families:
        orders = [order for program in family.moves.values() for order in cut.check_orders(program, 1)]
        if family.free is not None and not cut.sizes.keys().isdisjoint(family.free) and not all(orders):
            raise Refused("claims.families", "with one that moves all parts", "of those that move what S reaches")
    real, small, least, most, pieces = "point" in claims, cut.network(network, 1), 0, network.parameters, []
    for piece, times in enumerate(cut.times):
        part = cut.network(network, copies_of(piece))
        rows, columns, others = (numbers_of(claims, name, piece) for name in ("rows", "columns", "directions"))
        check_minor(part, rows, columns, real=real, share=3)
        count = sum(cut.count(piece, family.free) if family.free else piece == 0 for family in families)
        check_columns(part, count, others)
        own = [cut.directions(family, piece) for family in families]
        places = [part.place(column) for column in (*columns, *others)]
        if not all(cut.owns(piece, network.tensors[name], i, j) for name, i, j in places):
            raise Refused("claims.columns", f"with others in piece {piece}", "of parameters of the piece alone")
        least, most = least + times * len(rows), most - times * len(others)
        pieces.append((part, own, rows, columns, others))
    check_steps([family for _, own, *_ in pieces for family in own])
    if not claims["rows"][0]:
        raise Refused("claims.rows", "without any of the hub", "with some, at which the program has a value")
    drawn, field = weights_of(small, claims, key), Residues(prime_of(key))
    reasons = list(wrong_families(network, families, small=True, progress=progress))
    for piece, (part, own, rows, columns, others) in enumerate(pieces if not reasons else ()):
        tensors = cut.weights(network, partial(small.random, key=key), copies_of(piece), field)
        wrong = dependence(part, own, others, field, tensors)
        if piece and not wrong and cut.strays(piece, network, own, field, tensors):
            wrong.append("directions leave the piece")
        at = partial(cut.weights, network, drawn, copies_of(piece))
        wrong += wrong_minor(part, rows, columns, [], at, f"{key}/{piece}", progress, real=real, share=3)
        reasons += [f"piece {piece}: {reason}" for reason in wrong]
    return told_of(network, least, most), reasons


def inputs_of(network: Network, claims: Any) -> list[Any]:
    """Return the inputs of claims, which are there if tokens are read: those of the rows of the minor."""
    if network.reads_tokens != ("inputs" in claims):
        raise Refused("claims", "with or without inputs", "one with inputs if tokens are read, and without if not")
    inputs = [network.check_input(f"claims.inputs[{k}]", one) for k, one in enumerate(claims.get("inputs", ()))]
    if network.reads_tokens and max(claims["rows"], default=-1) >= math.prod(network.program[-1].sizes) * len(inputs):
        raise Refused("claims.rows", f"up to {max(claims['rows'])}", "rows of the inputs that are there")
    return inputs


def numbers_of(claims: Any, name: str, piece: int) -> list[int]:
    """Return rows or columns of a piece."""
    if len(claims[name]) != 3:
        raise Refused(f"claims.{name}", in_a_line(claims[name]), "three lists, one for each piece")
    return whole_numbers(f"claims.{name}[{piece}]", claims[name][piece], 0, 2**40)


def weights_of(network: Network, claims: Any, key: str) -> Callable[[Any], dict[str, Any]]:
    """Return what draws the weights of claims over a field: those that a hash names, or those of a real point, which
    are drawn from one stream, each tensor multiplied by a power of two.
    """
    if "point" not in claims:
        return lambda field: network.random(field, key)
    fields_of("claims.point", claims["point"], {"seed": int, "scales": list})
    (seed,) = whole_numbers("claims.point.seed", [claims["point"]["seed"]], 0, 2**63 - 1)
    scales = whole_numbers("claims.point.scales", claims["point"]["scales"], -1000, 1000)
    if len(scales) != len(network.tensors):
        raise Refused("claims.point.scales", f"{len(scales)} exponents", "an exponent for each tensor")

    def drawn(field: Any) -> dict[str, Any]:
        found = network.tensors_of(field, field.random(f"algatt/1/{seed}/weights", 1, network.parameters).entries())
        return {name: found[name] * flint.arb((1, scale)) for name, scale in zip(found, scales, strict=True)}

    return drawn


def wrong_minor(
    network: Network,
    rows: Any,
    columns: Any,
    inputs: Any,
    drawn: Any,
    key: str,
    progress: Progress,
    *,
    real: bool,
    share: int = 1,
) -> list[str]:
    """Return that a minor of the Jacobian is zero modulo a prime, or not known to be regular at a real point."""
    try:
        if not real:
            field = Residues(prime_of(key))
            found = jacobian(network, field, drawn(field), rows, inputs, key, 64, progress)
            return [] if int(network.minor(field, columns, found).det()) else ["the minor of the Jacobian is zero"]
        left, reason = MOST_BITS_OF_MINOR // share, "the minor takes too long"
        for bits in BITS:
            left -= bits * len(rows) ** 3
            if left < 0:
                break
            try:
                reason = "the minor is not known to be regular"
                with precision(bits):
                    tensors = drawn(RealBalls())
                found = jacobian(network, RealBalls(), tensors, rows, inputs, key, bits, progress)
                if is_regular(network.minor(RealBalls(), columns, found), bits):
                    return []
            except (Undecided, ZeroDivisionError):
                continue
        return [f"{reason} with at most {BITS[-1]} bits"]
    except NoValue as error:
        return [f"the program has no value at a row of the minor: {error}"]


def is_regular(M: Any, bits: int) -> bool:
    """Return whether a real matrix M is known to be regular: an exact matrix R is near enough to its inverse that the
    rows of R M - I add up to less than one.
    """
    order = M.nrows()
    with precision(bits):
        unit = flint.arb_mat(order, order, [int(k % (order + 1) == 0) for k in range(order * order)])
        parts = (M.mid().solve(unit, algorithm="approx").mid() * M - unit).entries()
        return all(sum(abs(x) for x in parts[k : k + order]) < 1 for k in range(0, order * order, order))


def lacking_value(network: Network, key: str) -> list[str]:
    """Return that a program has no value at random weights and inputs; nothing if it has one."""
    steps = cost_of(network.program)
    if steps > MOST_REAL_STEPS:
        raise too_large("program", f"one whose value takes {steps} steps", f"one of at most {MOST_REAL_STEPS} steps")
    field = RealBalls() if is_real(network) else Residues(prime_of(key))
    scales = [-(width.bit_length() // 2) for _, width in network.tensors.values()]
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


def verify_symmetry(network: Network, claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify that the value does not change along families of independent directions."""
    if not claims["families"]:
        raise Refused("claims.families", "empty", "a list of families")
    families, reasons = wrong_directions(network, claims, key, progress, small=False)
    reasons = reasons or lacking_value(network, key)
    told = ", ".join(family.in_words for family in families[:6])
    more = f" and {len(families) - 6} other families" if len(families) > 6 else ""
    return (
        f"at almost all weights, and for almost all inputs, the value of {network.in_words} does not change along "
        f"{told}{more}, which are independent; the file has the SHA-256 {key[:16]}"
    ), reasons


def verify_inequality(network: Network, claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify that the values of two weights differ at an input."""
    p = claims.get("prime")
    if p is not None and not is_prime(p):
        raise Refused("claims.prime", in_a_line(p), "a prime below 2^63")
    if p is not None and is_real(network):
        raise Refused("claims.prime", "given", "given for programs of ring operations alone")
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
    claim = (
        f"the functions of {network.in_words} with the weights {hashes[0]} and {hashes[1]} {where} differ: values "
        f"at the input {hashes[2]} do in row {entry[0]} and column {entry[1]}"
    )
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


KINDS: dict[str, tuple[dict[str, Any], dict[str, Any], Callable[..., tuple[str, list[str]]]]] = {
    "dimension": (
        {"rows": list, "columns": list, "families": list, "directions": list},
        {"inputs": list, "point": dict},
        verify_dimension,
    ),
    "pieces": (
        {"copies": int, "cuts": list, "rows": list, "columns": list, "families": list, "directions": list},
        {"point": dict},
        verify_pieces,
    ),
    "symmetry": ({"families": list, "directions": list}, {}, verify_symmetry),
    "inequality": ({"first": list, "second": list, "input": list, "entry": list}, {"prime": int}, verify_inequality),
}
"""What claims of each kind have and may have, and what verifies them."""


def main(arguments: Sequence[str]) -> int:
    """Verify the certificate in a file, print the verdict, and return the exit code."""
    try:
        if len(arguments) != 1:
            codes = "0: verified; 1: refuted; 2: no certificate; 3: too large"
            raise Refused(
                "the command", f"one with {len(arguments)} files", f"'verify.py FILE'; exit codes are {codes}"
            )
        try:
            with Path(arguments[0]).open("rb") as stream:
                content = stream.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            raise Refused(in_a_line(arguments[0]), f"what cannot be read ({error})", "a certificate") from None
        verdict = verify_bytes(content)
    except Refused as error:
        sys.stderr.write(f"{error}\n")
        return error.code
    print("refuted:" if verdict.reasons else "verified:", verdict.claim)
    for reason in verdict.reasons or ("assumptions: none",):
        print(f"  {reason}")
    return 1 if verdict.reasons else 0
