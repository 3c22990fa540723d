"""Verifying certificates."""

from __future__ import annotations

import os
from collections.abc import Callable

from algatt import verbs
from algatt.certificates.certificate import MOST_BYTES, Certificate
from algatt.certificates.report import VerificationReport
from algatt.certificates.verifier import fields, kinds, limits
from algatt.errors import CertificateError, CertificateTooLarge
from algatt.fields.precision import LOCK
from algatt.files import read_bytes

fields.LOCK = LOCK  # the precision belongs to the process, and both set it


@verbs.verify.method
def verify_file(
    source: str | os.PathLike, *, progress: Callable[[int, int], object] | None = None
) -> VerificationReport:
    try:
        content = read_bytes(source, MOST_BYTES)
    except OSError as error:
        was = f"{os.fspath(source)!r}, which cannot be read ({error.strerror})"
        raise CertificateError("certificate", was, "a file that algatt certify wrote") from error
    return report_of(content, progress)


@verbs.verify.method
def verify_certificate(
    source: Certificate, *, progress: Callable[[int, int], object] | None = None
) -> VerificationReport:
    return report_of(source.to_json().encode("ascii"), progress)


def report_of(content: bytes, progress: Callable[[int, int], object] | None) -> VerificationReport:
    """Return what verifying the content of a file finds."""
    try:
        verdict = kinds.verify_bytes(content, progress)
    except limits.Refused as error:
        kind = CertificateTooLarge if error.code == limits.TOO_LARGE else CertificateError
        raise kind(error.argument, error.was, error.should) from None
    return VerificationReport(not verdict.reasons, verdict.reasons, verdict.claim, verdict.assumptions)
