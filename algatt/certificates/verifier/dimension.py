"""Claims of the dimension of a neuromanifold, verified."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .balls import RealBalls, Undecided, precision
from .claims import Network, check_count_of_families, fields_of, network_of, prime_of, whole_numbers
from .conditions import check_conditions
from .directions import Directions, Tangent, directions_of
from .elementary import Refuted
from .interpreter import Interpreter, NoValue
from .limits import MOST_ORDER, MOST_STEPS, Refused, in_a_line, whole_number
from .modular import Matrix, Residues
from .places import Places
from .program import FUNCTIONS, cost_of
from .stream import residues, words
from .types import MOST_TYPED_TOGETHER
from .verdict import Verdict

__all__ = ["dimension_in_words", "verify_dimension"]

Progress = Callable[[int, int], object]

STRUCTURE = {
    "kind": str,
    "program": list,
    "sha256": str,
    "tensors": list,
    "reads": str,
    "dimension": int,
    "status": str,
    "parameters": int,
    "prime": int,
    "seed": int,
    "lower_bound": dict,
    "upper_bound": dict,
}

FIRST_BITS = 128
"""The precision with which a real minor is enclosed at first; it is doubled until the claimed digits are decided."""

HIGHEST_PRECISION = 4096
"""The highest such precision: a minor whose digits are not known then cannot be verified here."""

DECIMALS = re.compile(r"-?([1-9])\.([0-9]{9})e(0|-?[1-9][0-9]{0,9})")
"""A number that is rounded to ten digits."""


@dataclass(frozen=True)
class DimensionClaim:
    """The claims of a certificate, with values that make sense."""

    network: Network
    families: list[Directions]
    field: Residues
    claims: Any

    @property
    def real(self) -> bool:
        """Whether the lower bound is a real minor."""
        return isinstance(self.claims["lower_bound"]["determinant"], str)

    @property
    def seed(self) -> int:
        """The seed of the point."""
        return int(self.claims["seed"])

    @property
    def in_words(self) -> str:
        """What is claimed."""
        lower, upper = self.claims["lower_bound"]["value"], self.claims["upper_bound"]["value"]
        value = f"dimension {lower}" if lower == upper else f"a dimension from {lower} to {upper}"
        words = f"{self.network.in_words} has a neuromanifold of {value}"
        if any(one.operation in ("positive", "largest") for one in self.network.program):
            words += " around almost all weights of an open set"
        return words[0].upper() + words[1:]


def read_claim(claims: Any) -> DimensionClaim:
    """Return claims of a dimension, if they make sense."""
    fields_of("claims", claims, STRUCTURE, {"elementary": dict, "scales": list})
    network = network_of(claims)
    p = prime_of(claims)
    whole_number("claims.seed", claims["seed"])
    lower = claims["lower_bound"]
    determinant = str if isinstance(lower.get("determinant"), str) else int
    minor = {"value": int, "rows": list, "columns": list}
    fields_of("claims.lower_bound", lower, {**minor, "determinant": determinant})
    fields_of("claims.upper_bound", claims["upper_bound"], {**minor, "determinant": int, "families": list})
    for bound in ("lower", "upper"):
        claim = claims[f"{bound}_bound"]
        for axis in ("rows", "columns"):
            whole_numbers(f"claims.{bound}_bound.{axis}", claim[axis], 0, 2**53)
            if len(claim[axis]) > MOST_ORDER:
                raise Refused(f"claims.{bound}_bound.{axis}", f"of length {len(claim[axis])}", f"at most {MOST_ORDER}")
    real, functions = determinant is str, any(one.operation in (*FUNCTIONS, "largest") for one in network.program)
    if real != ("scales" in claims) or (functions and not real) != ("elementary" in claims):
        should = "'scales' with a real minor, and 'elementary' with functions and a minor modulo a prime"
        raise Refused("claims", in_a_line(sorted(claims)), f"an object with {should}")
    if real:
        whole_numbers("claims.scales", claims["scales"], -1000, 1000)
        if len(claims["scales"]) != len(network.tensors):
            raise Refused("claims.scales", f"of length {len(claims['scales'])}", "an exponent for each tensor")
    steps = cost_of(network.program) * max(1, len(lower["rows"]))
    if steps > MOST_STEPS:
        raise Refused("claims.lower_bound.rows", f"rows that take {steps} steps", f"at most {MOST_STEPS} steps")
    check_count_of_families(network, len(claims["upper_bound"]["families"]))
    listed = enumerate(claims["upper_bound"]["families"])
    families = [directions_of(f"claims.upper_bound.families[{i}]", one, network) for i, one in listed]
    return DimensionClaim(network, families, Residues(p), claims)


def dimension_in_words(claims: Any) -> str:
    """Return what is claimed of a dimension.

    Raises
    ------
    Refused
        If it is too large to be verified.
    """
    return read_claim(claims).in_words


def verify_dimension(claims: Any, progress: Progress | None = None) -> Verdict:
    """Verify claims of a dimension.

    Raises
    ------
    Refused
        If they are none, or too large to be verified.
    """
    claim = read_claim(claims)
    reasons: list[str] = []
    for check in (inconsistencies, misplacements, wrong_families, wrong_upper_bound, wrong_lower_bound):
        reasons += check(claim, progress)
        if reasons:
            break  # what comes next would make no sense
    rests_on = [text for family in claim.families if (text := family.rests_on) is not None]
    rests_on += claims.get("elementary", {}).get("rests_on", []) if not reasons else []
    return Verdict(claim.in_words, tuple(reasons), tuple(dict.fromkeys(rests_on)))


def inconsistencies(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compare the claims with each other."""
    claims, network = claim.claims, claim.network
    lower, upper = claims["lower_bound"], claims["upper_bound"]
    unproven = "numerical" if claim.real else "probable"
    if claims["kind"] != "dimension":
        yield f"the kind is {in_a_line(claims['kind'])}, not 'dimension'"
    if claims["parameters"] != network.parameters:
        yield f"the network has {network.parameters} parameters, not {in_a_line(claims['parameters'])}"
    if claims["dimension"] != lower["value"]:
        yield f"the dimension {in_a_line(claims['dimension'])} is not the lower bound {in_a_line(lower['value'])}"
    if claims["status"] != ("proven" if lower["value"] == upper["value"] else unproven):
        bounds = f"the bounds {lower['value']} and {upper['value']}"
        yield f"{bounds} do not make the dimension {in_a_line(claims['status'])}"
    if lower["value"] != len(lower["rows"]):
        yield f"a minor of order {len(lower['rows'])} does not prove the lower bound {in_a_line(lower['value'])}"
    removed = sum(family.removes for family in claim.families)
    if upper["value"] != network.parameters - removed:
        yield f"families that remove {removed} do not make the upper bound {in_a_line(upper['value'])}"
    moving = [family for family in claim.families if not family.ambient]
    if len(upper["rows"]) != sum(family.removes for family in moving):
        yield f"a minor of order {len(upper['rows'])} does not show what the families remove"
    for family in moving:
        if family.rows < family.removes or (not family.whole and family.rows > family.removes):
            yield f"the family {in_a_line(family.name)} has {family.rows} directions, not {family.removes}"
    if any(family.ambient for family in claim.families[:-1]):
        yield "the ambient space is not the last family"


def misplacements(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Say what is wrong with the rows and columns of the minors."""
    rows = sum(family.rows for family in claim.families)
    for bound, most in (("lower", None), ("upper", rows)):
        minor = claim.claims[f"{bound}_bound"]
        if len(minor["rows"]) != len(minor["columns"]):
            yield f"the minor of the {bound} bound has {len(minor['rows'])} rows and {len(minor['columns'])} columns"
        for axis, size in (("rows", most), ("columns", claim.network.parameters)):
            if size is not None and any(entry >= size for entry in minor[axis]):
                yield f"the minor of the {bound} bound has {axis} outside 0..{size - 1}"
            if len(set(minor[axis])) < len(minor[axis]):
                yield f"the minor of the {bound} bound has {axis} twice"


def wrong_families(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Check that the function does not change along each family."""
    budget = [MOST_TYPED_TOGETHER]
    for family in claim.families:
        reason = family.refutation(claim.network, budget)
        if reason is not None:
            yield f"the family {in_a_line(family.name)}: {reason}"


def tensors_of(claim: DimensionClaim) -> dict[str, Matrix]:
    """Return the weights modulo the prime."""
    weights = claim.field.weights(claim.seed, list(claim.network.tensors.values()))
    return dict(zip(claim.network.tensors, weights, strict=True))


def wrong_upper_bound(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compute the minor of the tangents, and how many of its rows belong to each family."""
    upper, tensors = claim.claims["upper_bound"], tensors_of(claim)
    place = {column: j for j, column in enumerate(upper["columns"])}
    wanted = {row: i for i, row in enumerate(upper["rows"])}
    minor = claim.field.zeros(len(wanted), len(place))
    start = 0
    for family in claim.families:
        here = [row - start for row in wanted if start <= row < start + family.rows]
        if len(here) != family.removes and not family.ambient:
            yield f"the minor has {len(here)} rows of the family {in_a_line(family.name)}, not {family.removes}"
        for row, tangent in family.tangents(claim.network, claim.field, tensors, set(here)):
            for column, value in tangent.items():
                if column in place:
                    minor[wanted[start + row], place[column]] = value
        start += family.rows
    yield from wrong_determinant("upper", upper, minor)


def wrong_determinant(bound: str, claim: Any, minor: Matrix) -> Iterator[str]:
    """Compare a determinant modulo the prime with the claimed one, and with zero."""
    value = int(minor.det()) if minor.nrows() else 1
    if value == 0:
        yield f"the minor of the {bound} bound vanishes"
    elif value != claim["determinant"]:
        yield f"the minor of the {bound} bound is {value}, not {in_a_line(claim['determinant'])}"


def wrong_lower_bound(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compute the minor of the Jacobian."""
    theorems = [tangent for family in claim.families for tangent in family.claimed_tangents]
    if claim.field.p < LEAST_PRIME_OF_TESTS and (theorems or any(family.ambient for family in claim.families)):
        yield f"what is not proven is tested modulo primes of at least {LEAST_PRIME_OF_TESTS}, not {claim.field.p}"
        return
    if claim.real:
        if theorems:
            yield "families that are claimed by theorems are not tested beside a real minor"
        yield from wrong_digits(claim, progress)
        yield from wrong_ambient_space(claim)
        return
    tensors = tensors_of(claim)
    network, field, seed = claim.network, claim.field, claim.seed
    places = None
    if "elementary" in claim.claims:
        try:
            places = Places(network, field, seed, claim.claims["elementary"], tensors)
        except Refuted as error:
            yield str(error)
            return
        yield from check_conditions(places)
    lower = claim.claims["lower_bound"]
    minor = field.zeros(len(lower["rows"]), len(lower["columns"]))
    interpreter = Interpreter(network.program, field, tensors)
    before: Any = None
    for done, row in enumerate(lower["rows"]):
        number, output = divmod(row, network.outputs)
        if before is None or before[0] != number:
            try:
                before = number, *evaluated(interpreter, network, field, seed, number, places)
            except (NoValue, Refuted) as error:
                yield f"the input {number} of the lower bound's minor has no value modulo the prime: {error}"
                return
        gradient = gradient_of(interpreter, network, field, before[1], before[2], output)
        for j, column in enumerate(lower["columns"]):
            minor[done, j] = gradient[column]
        if progress is not None:
            progress(done + 1, len(lower["rows"]))
    yield from wrong_determinant("lower", lower, minor)
    if places is not None:
        yield from places.reasons()
    if theorems:
        yield from wrong_theorems(claim, interpreter, places, theorems)
    yield from wrong_ambient_space(claim)


LEAST_PRIME_OF_TESTS = 2**20
"""Modulo small primes different functions have equal values, as x and x^2 modulo 2."""

FRESH = 4
"""So many inputs that nobody chose are looked at along families that are claimed by theorems."""

TRIED = 4096
"""So many inputs are tried for these, where roots have to exist."""


def wrong_theorems(
    claim: DimensionClaim, interpreter: Interpreter, places: Any, theorems: Sequence[Tangent]
) -> Iterator[str]:
    """Look at the derivatives of random linear forms of the value along what is claimed by theorems, at inputs that a
    hash of all claims names, so that nobody could choose them: where the value changes, they vanish with a probability
    of about one in the prime.
    """
    network, field, p = claim.network, claim.field, claim.field.p
    seed = int(hashlib.sha256(json.dumps(claim.claims, sort_keys=True).encode("ascii")).hexdigest()[:12], 16)
    height, width = network.output_shape
    found = 0
    tried = max(FRESH, min(TRIED, MOST_STEPS // cost_of(network.program)))
    for number in range(seed, seed + tried):
        try:
            results, slopes = fresh(interpreter, network, field, claim.seed, number, places)
        except NoValue:
            continue
        form = field.matrix(height, width, residues(seed, f"form/{number}", height * width, p))
        by = interpreter.backward(results, form, slopes)
        gradient = gradient_in_order(network, by)
        if any(sum(gradient[column] * value for column, value in tangent.items()) != 0 for tangent in theorems):
            yield f"the value changes along a family that is claimed by a theorem, at the input {number}"
            return
        found += 1
        if found == FRESH:
            return
    yield f"families that are claimed by theorems are not tested, as {tried} inputs have no value"


def fresh(interpreter: Interpreter, network: Network, field: Any, seed: int, number: int, places: Any) -> Any:
    """Return the results at an input for which nothing was drawn anew, and the derivatives of functions there."""
    if places is None:
        return interpreter.forward(input_of(network, field, seed, number)), {}
    return places.fresh(number)


def evaluated(interpreter: Interpreter, network: Network, field: Any, seed: int, number: int, places: Any) -> Any:
    """Return the results at an input, and the derivatives of functions there."""
    if places is not None:
        return places.at(number)
    results = interpreter.forward(input_of(network, field, seed, number))
    return results, interpreter.slopes(results) if isinstance(field, RealBalls) else {}


def input_of(network: Network, field: Any, seed: int, number: int) -> Matrix | None:
    """Return the input of a number: random vectors, or unit vectors of random tokens."""
    if network.input_shape is None:
        return None
    height, width = network.input_shape
    if not network.tokens:
        return field.vectors(seed, number, height, width)
    tokens = [word % height for word in words(seed, f"input/{number}", width)]
    return field.matrix(height, width, [int(tokens[j] == i) for i in range(height) for j in range(width)])


def gradient_of(
    interpreter: Interpreter, network: Network, field: Any, results: Any, slopes: Any, output: int
) -> list[Any]:
    """Return the derivative of one entry of the value by all parameters."""
    height, width = network.output_shape
    unit = field.matrix(height, width, [int(k == output) for k in range(height * width)])
    return gradient_in_order(network, interpreter.backward(results, unit, slopes))


def gradient_in_order(network: Network, by: Mapping[str, Matrix]) -> list[Any]:
    """Return derivatives by tensors as those by all parameters."""
    gradient: list[Any] = []
    for name, (rows, columns) in network.tensors.items():
        gradient += by[name].entries() if name in by else [0] * (rows * columns)
    return gradient


def wrong_digits(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Enclose the lower bound's minor until it is decided whether it is the claimed number, which is not zero."""
    lower = claim.claims["lower_bound"]
    text, bits = lower["determinant"], FIRST_BITS
    if DECIMALS.fullmatch(text) is None:
        yield f"the determinant {in_a_line(text)} is not a number of ten digits, such as 1.234567890e-12"
        return
    while bits <= HIGHEST_PRECISION:
        try:
            value = enclosed_minor(claim, bits, progress)
            with precision(bits):
                off = units_apart(value, text)
        except (Undecided, NoValue):
            off = None
        if off is not None and off < 0.5:
            return
        if off is not None and off > 0.5:
            yield f"the minor of the lower bound is {value.str(10)}, not {text}"
            return
        bits *= 2
    yield f"the minor of the lower bound is not told from other numbers than {text} with {HIGHEST_PRECISION} bits"


def units_apart(value: Any, text: str) -> Any:
    """Enclose how many units of the last of ten digits a ball is apart from a number."""
    import flint

    digits, exponent = text.split("e")
    return abs(value / flint.arb(10) ** (int(exponent) - 9) - int(digits.replace(".", "")))


def enclosed_minor(claim: DimensionClaim, bits: int, progress: Progress | None) -> Any:
    """Return a ball around the minor of the Jacobian at the real point, computed with so many bits; progress is told
    while others may set their precision.
    """
    import flint

    network, field, lower = claim.network, RealBalls(), claim.claims["lower_bound"]
    with precision(bits):
        weights = field.weights(claim.seed, list(network.tensors.values()), claim.claims["scales"])
    interpreter = Interpreter(network.program, field, dict(zip(network.tensors, weights, strict=True)))
    entries: list[Any] = []
    before: Any = None
    for done, row in enumerate(lower["rows"]):
        number, output = divmod(row, network.outputs)
        with precision(bits):
            if before is None or before[0] != number:
                before = number, *evaluated(interpreter, network, field, claim.seed, number, None)
            gradient = gradient_of(interpreter, network, field, before[1], before[2], output)
        entries += [gradient[column] for column in lower["columns"]]
        if progress is not None:
            progress(done + 1, len(lower["rows"]))
    if not lower["rows"]:
        return flint.arb(1)
    with precision(bits):
        return field.matrix(len(lower["rows"]), len(lower["columns"]), entries).det()


SPARE = 8
"""Values at so many more weights than the ambient space has dimensions are looked at."""


def wrong_ambient_space(claim: DimensionClaim) -> Iterator[str]:
    """Compare the span of the values at random weights with the dimension of the space in which all are claimed to lie,
    up to one of them, if there is such a claim.

    Raises
    ------
    Refused
        If this takes too many steps.
    """
    if not any(family.ambient for family in claim.families):
        return
    network, field, dimension = claim.network, claim.field, int(claim.claims["upper_bound"]["value"])
    start = int(network.sha256[:15], 16)  # weights that nobody chose
    count = dimension + SPARE
    inputs = -(-count // network.outputs) + 1
    steps = (count + 1) * (inputs * cost_of(network.program) + network.parameters)
    if count > MOST_ORDER or steps > MOST_STEPS:
        raise Refused("the ambient space", f"one that takes {steps} steps", f"one of at most {MOST_STEPS} steps")
    shapes = list(network.tensors.values())
    rows: list[list[int]] = []
    for number in range(count + 1):
        tensors = dict(zip(network.tensors, field.weights(start + number, shapes), strict=True))
        interpreter = Interpreter(network.program, field, tensors)
        values: list[int] = []
        for k in range(inputs):
            results = interpreter.forward(input_of(network, field, start, k))
            values += [int(entry) for entry in results[len(network.program) - 1].entries()]
        rows.append(values)
    differences = [entry - first for row in rows[1:] for entry, first in zip(row, rows[0], strict=True)]
    rank = field.matrix(count, len(rows[0]), differences).rank()
    if rank > dimension:
        yield f"values at random weights span {rank} dimensions, more than the ambient space of {dimension}"
