"""Verifying certificates: every number that is claimed is computed again."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.certificates import recompute
from algatt.certificates.certificate import Certificate, read
from algatt.errors import CertificateError

__all__ = ["VerificationReport"]

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class VerificationReport:
    """Whether a certificate holds.

    Parameters
    ----------
    ok : bool
        Whether every claim was found true.
    reasons : tuple of str
        What is wrong, if something is.
    claim : str
        What the certificate proves, in words.
    """

    ok: bool
    reasons: tuple[str, ...]
    claim: str

    def __bool__(self) -> bool:
        return self.ok


@verbs.verify.method
def verify_file(source: str | os.PathLike, *, progress: Progress | None = None) -> VerificationReport:
    return verbs.verify(read(source), progress=progress)


@verbs.verify.method
def verify_certificate(source: Certificate, *, progress: Progress | None = None) -> VerificationReport:
    claims = source.claims
    check_structure(claims)
    reasons = tuple(refutations(claims, progress))
    arch = claims["architecture"]
    network = f"Lightning(dims={tuple(arch['dims'])}, ranks={tuple(arch['ranks'])}, tokens={arch['tokens']})"
    if claims["status"] == "proven":
        claim = f"the neuromanifold of {network} has dimension {claims['dimension']}"
    else:
        low, high = claims["lower_bound"]["value"], claims["upper_bound"]["value"]
        claim = f"the neuromanifold of {network} has dimension at least {low} and at most {high}"
    return VerificationReport(not reasons, reasons, claim)


MINOR = {"value": int, "determinant": int, "rows": list, "columns": list}

STRUCTURE: dict[str, Any] = {
    "architecture": {"name": str, "dims": list, "ranks": list, "tokens": int},
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


LARGEST = 10**7
"""The largest number of entries of a matrix of weights or inputs: a forged certificate must not fill the memory."""


def check_structure(value: Any, structure: Any = STRUCTURE, name: str = "claims") -> None:
    """Raise `CertificateError` unless all claims are there, and of the right types."""
    if structure is dict:
        if not isinstance(value, list):
            raise CertificateError(name, repr(value), "a list of symmetries")
        for i, family in enumerate(value):
            check_structure(family, {"name": str, "removes": int}, f"{name}[{i}]")
    elif isinstance(structure, dict):
        if not isinstance(value, dict) or set(value) != set(structure):
            found = sorted(value) if isinstance(value, dict) else value
            raise CertificateError(name, repr(found), f"an object with {', '.join(sorted(structure))}")
        for key, kind in structure.items():
            check_structure(value[key], kind, f"{name}.{key}")
    elif structure is list:
        if not isinstance(value, list | tuple) or not all(type(entry) is int for entry in value):
            raise CertificateError(name, shortened(value), "a list of integers")
    elif type(value) is not structure:
        raise CertificateError(name, shortened(value), f"of type {structure.__name__}")


def shortened(value: Any) -> str:
    """Return a value in at most a line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def refutations(claims: dict[str, Any], progress: Progress | None) -> Iterator[str]:
    """Iterate over what is wrong with the claims; stop where the next check would make no sense."""
    import flint

    arch = claims["architecture"]
    dims, ranks, tokens, p, seed = list(arch["dims"]), list(arch["ranks"]), arch["tokens"], claims["prime"], claims["seed"]
    lower, upper = claims["lower_bound"], claims["upper_bound"]
    if arch["name"] != "Lightning":
        yield f"the architecture {arch['name']!r} is not known"
        return
    if len(dims) < 2 or len(ranks) != len(dims) - 1 or min([*dims, *ranks, tokens]) < 1:
        yield f"there is no architecture with dims {dims}, ranks {ranks} and tokens {tokens}"
        return
    if not 2 <= p < 2**63 or not flint.fmpz(p).is_prime():
        yield f"{p} is not a prime below 2^63"
        return
    if seed < 0:
        yield f"the seed {seed} is negative"
        return
    if max(dims) * max(*dims, *ranks, tokens) > LARGEST:
        yield f"a network as large as dims {dims}, ranks {ranks} and tokens {tokens} cannot be verified here"
        return
    parameters = sum(2 * a * d + e * d for a, d, e in zip(ranks, dims, dims[1:], strict=False))
    rows_of_one = dims[-1] * tokens
    inconsistent = list(inconsistencies(claims, parameters, rows_of_one))
    yield from inconsistent
    if inconsistent:
        return  # before anything as large as a wrong number says is drawn
    families = [family["name"] for family in upper["symmetries"]]
    where = recompute.point(dims, ranks, tokens, p, seed)
    labels = [family for family, _ in recompute.tangent_rows(where, families)]
    broken = [*misplaced("lower", lower, rows_of_one * claims["inputs"], parameters), *misplaced("upper", upper, len(labels), parameters)]
    yield from broken
    if not broken:
        counted = Counter(labels[row] for row in upper["rows"])
        for family in upper["symmetries"]:
            if family["removes"] != counted[family["name"]]:
                yield f"the minor has {counted[family['name']]} rows of the {family['name']} symmetry, not {family['removes']}"
        yield from wrong_determinant("upper", upper, recompute.tangent_minor(where, families, upper["rows"], upper["columns"]))
        yield from wrong_determinant("lower", lower, recompute.jacobian_minor(where, lower["rows"], lower["columns"], progress))


def inconsistencies(claims: dict[str, Any], parameters: int, rows_of_one: int) -> Iterator[str]:
    """Compare the claims with each other."""
    arch, lower, upper = claims["architecture"], claims["lower_bound"], claims["upper_bound"]
    families = [family["name"] for family in upper["symmetries"]]
    known = recompute.families_of(list(arch["dims"]), list(arch["ranks"]), arch["tokens"])
    if claims["parameters"] != parameters:
        yield f"the network has {parameters} parameters, not {claims['parameters']}"
    if claims["dimension"] != lower["value"]:
        yield f"the dimension {claims['dimension']} is not the lower bound {lower['value']}"
    if claims["status"] != ("proven" if lower["value"] == upper["value"] else "probable"):
        yield f"the bounds {lower['value']} and {upper['value']} do not make the dimension {claims['status']}"
    if upper["value"] != parameters - len(upper["rows"]):
        yield f"a minor of order {len(upper['rows'])} bounds the dimension by {parameters - len(upper['rows'])}, not by {upper['value']}"
    if lower["value"] != len(lower["rows"]):
        yield f"a minor of order {len(lower['rows'])} does not prove the lower bound {lower['value']}"
    if claims["inputs"] != max(lower["rows"], default=-1) // rows_of_one + 1:
        yield f"the rows of the minor do not belong to {claims['inputs']} inputs"
    if len(set(families)) < len(families) or not set(families) <= set(known):
        yield f"the symmetries {families} are not different families among those of the network, {known}"


def misplaced(bound: str, claim: dict[str, Any], rows: int, columns: int) -> Iterator[str]:
    """Say what is wrong with the rows and columns of a minor."""
    if len(claim["rows"]) != len(claim["columns"]):
        yield f"the minor of the {bound} bound has {len(claim['rows'])} rows and {len(claim['columns'])} columns"
    for kind, size in (("rows", rows), ("columns", columns)):
        if any(not 0 <= entry < size for entry in claim[kind]):
            yield f"the minor of the {bound} bound has {kind} outside 0..{size - 1}"
        if len(set(claim[kind])) < len(claim[kind]):
            yield f"the minor of the {bound} bound has {kind} twice"


def wrong_determinant(bound: str, claim: dict[str, Any], minor: Any) -> Iterator[str]:
    """Compare a determinant with the claimed one, and with zero."""
    value = recompute.determinant(minor)
    if value == 0:
        yield f"the minor of the {bound} bound vanishes"
    elif value != claim["determinant"]:
        yield f"the minor of the {bound} bound is {value}, not {claim['determinant']}"
