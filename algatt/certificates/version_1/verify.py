"""Verifying certificates: every number that is claimed is computed again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from algatt import verbs
from algatt.certificates.report import VerificationReport
from algatt.certificates.version_1 import recompute
from algatt.certificates.version_1.certificate import DimensionCertificate, has_exponentials, has_real_minor, in_a_line
from algatt.errors import CertificateError
from algatt.files import shorten

__all__: list[str] = []

Progress = Callable[[int, int], object]


@verbs.verify.method
def verify_dimension_certificate(
    source: DimensionCertificate, *, progress: Progress | None = None
) -> VerificationReport:
    claims = source.claims
    check_structure(claims, structure_of(claims))
    reasons = tuple(refutations(claims, progress))
    network = name_of(claims["architecture"])
    if claims["status"] == "proven":
        claim = f"the neuromanifold of {network} has dimension {claims['dimension']}"
    else:
        low, high = claims["lower_bound"]["value"], claims["upper_bound"]["value"]
        claim = f"the neuromanifold of {network} has dimension at least {low} and at most {high}"
    return VerificationReport(not reasons, reasons, claim, () if reasons else (RESTS_ON,))


RESTS_ON = (
    "that the symmetries of lightning and of normalised attention leave the function unchanged, which is proven in the "
    "documentation and not by the certificate"
)
"""What is not checked: these verifiers know the architectures, and recompute the tangents of their symmetries."""


ARCHITECTURE: dict[str, Any] = {"name": str, "dims": list, "ranks": list, "tokens": int}

MINOR: dict[str, Any] = {"value": int, "determinant": int, "rows": list, "columns": list}

STRUCTURE: dict[str, Any] = {
    "architecture": ARCHITECTURE,
    "dimension": int,
    "status": str,
    "parameters": int,
    "prime": int,
    "seed": int,
    "inputs": int,
    "lower_bound": MINOR,
    "upper_bound": {**MINOR, "symmetries": dict},
}
"""The claims and their types; a list is one of integers, and `symmetries` is a list of names and numbers."""


def structure_of(claims: dict[str, Any]) -> dict[str, Any]:
    """Return the claims that there should be: normalised networks have a score, and the determinants of real minors are
    texts.
    """
    arch = claims.get("architecture")
    structure = dict(STRUCTURE)
    if isinstance(arch, dict) and arch.get("name") == "Normalized":
        score = arch.get("score")
        name = score.get("name") if isinstance(score, dict) else None
        structure["architecture"] = {
            **ARCHITECTURE,
            "score": recompute.SCORES.get(name if isinstance(name, str) else "", {"name": str}),
        }
    if has_real_minor(claims):
        structure["lower_bound"] = {**MINOR, "determinant": str}
    if has_exponentials(claims):
        structure["exponentials"] = {"lines": list, "inputs": int}
    return structure


LARGEST = 10**7
"""The largest number of entries of a matrix of weights, inputs or tangents: a forged certificate must not fill the
memory.
"""

MOST_SCORES = 10**6
"""The largest number of operations that the scores of an input may take."""

MOST_DERIVATIVES = 10**9
"""The largest number of derivatives in all rows of the Jacobian that the minor reaches into."""

MOST_BITS = 2048
"""The longest integer: a forged one must not take forever."""

FIRST_BITS = 128
"""The precision with which a real minor is enclosed at first; it is doubled until the claimed digits are decided."""

HIGHEST_PRECISION = 4096
"""The highest such precision, in bits: a minor whose digits are not known then is none that can be verified here."""


LEAST_PRIME = 2**20
"""Below it residues that stand for exponentials are too few."""

MOST_EXPONENTS = 10**8
"""The largest number of scores at all inputs whose rank is taken, and of its square root times their number."""


def name_of(arch: dict[str, Any]) -> str:
    """Return the name of a network, as in the package."""
    score = arch.get("score")
    if score is not None:
        values = (
            f"{key}={in_a_line(tuple(entry)) if isinstance(entry, list) else shorten(str(entry))}"
            for key, entry in score.items()
            if key != "name"
        )
        score = f", score={shorten(score['name'])}({', '.join(values)})"
    return (
        f"{shorten(arch['name'])}(dims={tuple(arch['dims'])}, ranks={tuple(arch['ranks'])}, "
        f"tokens={arch['tokens']}{score or ''})"
    )


def check_structure(value: Any, structure: Any, name: str = "claims") -> None:
    """Raise `CertificateError` unless all claims are there, and of the right types."""
    if structure is dict:
        if not isinstance(value, list):
            raise CertificateError(name, in_a_line(value), "a list of symmetries")
        for i, family in enumerate(value):
            check_structure(family, {"name": str, "removes": int}, f"{name}[{i}]")
    elif isinstance(structure, dict):
        if not isinstance(value, dict) or set(value) != set(structure):
            found = sorted(value) if isinstance(value, dict) else value
            raise CertificateError(name, in_a_line(found), f"an object with {', '.join(sorted(structure))}")
        for key, kind in structure.items():
            check_structure(value[key], kind, f"{name}.{key}")
    elif structure is list:
        if not isinstance(value, list | tuple) or not all(type(entry) is int and readable(entry) for entry in value):
            raise CertificateError(name, in_a_line(value), f"a list of integers of at most {MOST_BITS} bits")
    elif type(value) is not structure:
        raise CertificateError(name, in_a_line(value), f"of type {structure.__name__}")
    elif structure is int and not readable(value):
        raise CertificateError(name, in_a_line(value), f"an integer of at most {MOST_BITS} bits")


def readable(number: int) -> bool:
    """Return whether a number is short enough to be computed with and written down."""
    return number.bit_length() <= MOST_BITS


def refutations(claims: dict[str, Any], progress: Progress | None) -> Iterator[str]:
    """Iterate over what is wrong with the claims; stop where the next check would make no sense."""
    for check in (impossible, beyond_reach, inconsistencies):
        wrong = list(check(claims))
        yield from wrong
        if wrong:
            return  # before anything as large as a wrong number says is drawn
    network, lower, upper = network_of(claims["architecture"]), claims["lower_bound"], claims["upper_bound"]
    families = [family["name"] for family in upper["symmetries"]]
    lines = claims["exponentials"]["lines"] if has_exponentials(claims) else None
    where = recompute.modular_point(network, claims["prime"], claims["seed"], lines)
    labels = [family for family, _ in recompute.tangent_rows(where, families)]
    rows = network.outputs * claims["inputs"]
    broken = [
        *misplacements("lower", lower, rows, network.parameters),
        *misplacements("upper", upper, len(labels), network.parameters),
    ]
    yield from broken
    if not broken:
        counted = Counter(labels[row] for row in upper["rows"])
        for family in upper["symmetries"]:
            if family["removes"] != counted[family["name"]]:
                yield (
                    f"the minor has {counted[family['name']]} rows of the {family['name']} symmetry, not "
                    f"{family['removes']}"
                )
        yield from wrong_determinant(
            "upper", upper, recompute.tangent_minor(where, families, upper["rows"], upper["columns"])
        )
        if has_exponentials(claims):
            yield from wrong_rank_of_exponents(claims["exponentials"]["inputs"], where)
        yield from (
            wrong_digits(claims, network, progress) if has_real_minor(claims) else wrong_residue(lower, where, progress)
        )


def impossible(claims: dict[str, Any]) -> Iterator[str]:
    """Say why there is no such network, or no such point."""
    import flint

    arch, p = claims["architecture"], claims["prime"]
    dims, ranks, tokens = arch["dims"], arch["ranks"], arch["tokens"]
    if arch["name"] not in ("Lightning", "Normalized"):
        yield f"the architecture {in_a_line(arch['name'])} is not known"
    elif len(dims) < 2 or len(ranks) != len(dims) - 1 or min([*dims, *ranks, tokens]) < 1:
        yield f"there is no architecture with dims {in_a_line(dims)}, ranks {in_a_line(ranks)} and tokens {tokens}"
    elif "score" in arch:
        yield from impossible_score(claims)
    elif has_exponentials(claims):
        yield "lightning attention has no exponentials"
    if not 2 <= p < 2**63 or not flint.fmpz(p).is_prime():
        yield f"{p} is not a prime below 2^63"
    if claims["seed"] < 0:
        yield f"the seed {claims['seed']} is negative"


def impossible_score(claims: dict[str, Any]) -> Iterator[str]:
    """Say why there is no such score, or no minor of it modulo a prime."""
    description = claims["architecture"]["score"]
    if description["name"] not in recompute.SCORES:
        yield f"the score {in_a_line(description['name'])} is not known"
        return
    try:
        score = recompute.score_of(description)
    except ValueError as error:
        yield str(error)
        return
    if has_exponentials(claims):
        yield from impossible_exponentials(claims, score)
    elif not score.algebraic and not has_real_minor(claims):
        yield f"the score {description['name']} has no values modulo a prime"


def impossible_exponentials(claims: dict[str, Any], score: recompute.Score) -> Iterator[str]:
    """Say why no residues stand for the exponentials of a network in this way."""
    lines, inputs = claims["exponentials"]["lines"], claims["exponentials"]["inputs"]
    if score.algebraic or has_real_minor(claims):
        yield "there are no exponentials for which residues stand"
    if len(lines) != len(claims["architecture"]["ranks"]) or len(set(lines)) < len(lines) or min(lines) < 0:
        yield f"the lines {in_a_line(lines)} are not a different number for each layer"
    if inputs < 1:
        yield f"the exponents of {inputs} inputs say nothing"
    if claims["prime"] < LEAST_PRIME:
        yield f"the prime {claims['prime']} is below 2^20, and residues are too few to stand for exponentials"


def network_of(arch: dict[str, Any]) -> recompute.Network:
    """Return the network of a claim that is not impossible."""
    score = recompute.score_of(arch["score"]) if "score" in arch else None
    return recompute.Network(list(arch["dims"]), list(arch["ranks"]), arch["tokens"], score)


def beyond_reach(claims: dict[str, Any]) -> Iterator[str]:
    """Say what is larger than can be verified here."""
    arch, lower = claims["architecture"], claims["lower_bound"]
    network = network_of(arch)
    of_scores = 0 if network.score is None else len(network.ranks) * network.tokens**2 * network.score.cost
    tangents = sum(d * d for d in network.dims[1:-1]) + 2 * sum(a * a for a in network.ranks)
    entries = max(network.parameters, max(network.dims) * network.tokens, tangents)
    if (
        entries > LARGEST
        or of_scores > MOST_SCORES
        or len(lower["rows"]) * (network.parameters + of_scores) > MOST_DERIVATIVES
    ):
        sizes = f"dims {in_a_line(arch['dims'])}, ranks {in_a_line(arch['ranks'])} and tokens {arch['tokens']}"
        yield f"a network as large as {sizes} cannot be verified here"
    exponents = len(network.ranks) * network.tokens**2
    inputs = claims["exponentials"]["inputs"] if has_exponentials(claims) else 0
    if inputs * max(exponents, network.parameters) > MOST_EXPONENTS or inputs * exponents**2 > 100 * MOST_EXPONENTS:
        yield f"{exponents} exponents at {inputs} inputs cannot be verified here"


def inconsistencies(claims: dict[str, Any]) -> Iterator[str]:
    """Compare the claims with each other."""
    network, lower, upper = network_of(claims["architecture"]), claims["lower_bound"], claims["upper_bound"]
    families = [family["name"] for family in upper["symmetries"]]
    known = recompute.families_of(network)
    parameters = network.parameters
    unproven = "numerical" if has_real_minor(claims) else "probable"
    if claims["parameters"] != parameters:
        yield f"the network has {parameters} parameters, not {claims['parameters']}"
    if claims["dimension"] != lower["value"]:
        yield f"the dimension {claims['dimension']} is not the lower bound {lower['value']}"
    if claims["status"] != ("proven" if lower["value"] == upper["value"] else unproven):
        yield f"the bounds {lower['value']} and {upper['value']} do not make the dimension {shorten(claims['status'])}"
    if upper["value"] != parameters - len(upper["rows"]):
        yield (
            f"a minor of order {len(upper['rows'])} bounds the dimension by {parameters - len(upper['rows'])}, not "
            f"by {upper['value']}"
        )
    if lower["value"] != len(lower["rows"]):
        yield f"a minor of order {len(lower['rows'])} does not prove the lower bound {lower['value']}"
    if claims["inputs"] != max(lower["rows"], default=-1) // network.outputs + 1:
        yield f"the rows of the minor do not belong to {claims['inputs']} inputs"
    if len(set(families)) < len(families) or not set(families) <= set(known):
        yield f"the symmetries {in_a_line(families)} are not different families among those of the network, {known}"


def misplacements(bound: str, claim: dict[str, Any], rows: int, columns: int) -> Iterator[str]:
    """Say what is wrong with the rows and columns of a minor."""
    if len(claim["rows"]) != len(claim["columns"]):
        yield f"the minor of the {bound} bound has {len(claim['rows'])} rows and {len(claim['columns'])} columns"
    for kind, size in (("rows", rows), ("columns", columns)):
        if any(not 0 <= entry < size for entry in claim[kind]):
            yield f"the minor of the {bound} bound has {kind} outside 0..{size - 1}"
        if len(set(claim[kind])) < len(
            claim[kind]
        ):  # such a minor vanishes, and would be refuted later, with less said
            yield f"the minor of the {bound} bound has {kind} twice"


def wrong_determinant(bound: str, claim: dict[str, Any], minor: Any) -> Iterator[str]:
    """Compare a determinant with the claimed one, and with zero."""
    value = recompute.determinant(minor)
    if value == 0:
        yield f"the minor of the {bound} bound vanishes"
    elif value != claim["determinant"]:
        yield f"the minor of the {bound} bound is {value}, not {claim['determinant']}"


def wrong_residue(lower: dict[str, Any], where: recompute.ModularPoint, progress: Progress | None) -> Iterator[str]:
    """Compute the lower bound's minor modulo the prime."""
    try:
        minor = recompute.jacobian_minor(where, lower["rows"], lower["columns"], progress)
    except ZeroDivisionError:
        yield "a denominator vanishes at an input of the lower bound's minor"
        return
    yield from wrong_determinant("lower", lower, minor)


def wrong_rank_of_exponents(inputs: int, where: recompute.ModularPoint) -> Iterator[str]:
    """Compute the rank of differences of exponents between inputs: it is full with the last of them alone."""
    exponents = len(where.network.ranks) * where.network.tokens**2
    rank = recompute.rank_of_exponents(where, inputs)
    if rank < exponents:
        yield f"the exponents of {inputs} inputs have differences of rank {rank}, not {exponents}"
    elif recompute.rank_of_exponents(where, inputs - 1) == exponents:
        yield f"the exponents of fewer inputs than {inputs} have differences of rank {exponents}"


DECIMALS = re.compile(r"-?([1-9])\.([0-9]{9})e(0|-?[1-9][0-9]{0,9})")
"""A number that is rounded to ten digits."""


def wrong_digits(claims: dict[str, Any], network: recompute.Network, progress: Progress | None) -> Iterator[str]:
    """Enclose the lower bound's minor until it is decided whether it is the claimed one, rounded; that is
    never zero.
    """
    lower = claims["lower_bound"]
    text, bits = lower["determinant"], FIRST_BITS
    if DECIMALS.fullmatch(text) is None:
        yield f"the determinant {in_a_line(text)} is not a number of ten digits, such as 1.234567890e-12"
        return
    digits, exponent = text.split("e")
    while True:
        where = recompute.real_point(network, bits, claims["seed"])
        minor = recompute.jacobian_minor(where, lower["rows"], lower["columns"], progress)
        value = recompute.enclosed_determinant(where, minor)
        off = where.compute(units_apart, value, int(digits.replace(".", "")), int(exponent) - 9)
        if off < 0.5:
            return
        if off > 0.5:
            yield f"the minor of the lower bound is {value.str(10)}, not {text}"
            return
        bits *= 2
        if bits > HIGHEST_PRECISION:
            what = "is not told from zero" if 0 in value else f"has digits other than {text}, or none that are told"
            yield f"the minor of the lower bound {what} with {HIGHEST_PRECISION} bits"
            return


def units_apart(value: Any, digits: int, last: int) -> Any:
    """Enclose how many units of the last digit a number is apart from ``digits * 10^last``."""
    import flint

    return abs(value / flint.arb(10) ** last - digits)
