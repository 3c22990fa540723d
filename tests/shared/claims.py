"""Claims of certificates, changed and looked at again."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import algatt
from algatt.certificates import version_1

SOFTMAX = algatt.Softmax((2, 2), (1,), 2, Fraction(3, 2))

RATIONAL = algatt.Normalized((2, 3, 2), (2, 1), 3, algatt.layers.Rational((1, 3), (2, 1)))
"""A multiple of the numerator would make another certificate that is as true: the network does not change."""

Claims = dict[str, Any]


def refuted(claims: Claims) -> bool:
    """Return whether `verify` finds the claims false, or no claims at all."""
    try:
        report = algatt.verify(version_1.DimensionCertificate(claims, "test"))
    except algatt.errors.CertificateError:
        return True
    assert report.ok == (not report.reasons)
    return not report.ok


def reasons(claims: Claims) -> str:
    return "; ".join(algatt.verify(version_1.DimensionCertificate(claims, "test")).reasons)


def paths(value: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves of nested lists and dicts, and of these themselves."""
    if prefix:
        yield prefix
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(entry, (*prefix, key))


def altered(claims: Claims, path: tuple[Any, ...], entry: Any) -> Claims:
    claims = copy.deepcopy(claims)
    at: Any = claims
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = entry
    return claims
