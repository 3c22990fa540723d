"""Verifying certificates."""

from __future__ import annotations

import os
from collections.abc import Callable

from algatt import verbs
from algatt.certificates.certificate import Certificate, read
from algatt.certificates.report import VerificationReport
from algatt.certificates.verifier import balls
from algatt.certificates.verifier.kinds import verify_document
from algatt.certificates.verifier.limits import Refused
from algatt.errors import CertificateError
from algatt.fields.ball import LOCK

__all__: list[str] = []


@verbs.verify.method
def verify_file(
    source: str | os.PathLike, *, progress: Callable[[int, int], object] | None = None
) -> VerificationReport:
    return verbs.verify(read(source), progress=progress)


@verbs.verify.method
def verify_certificate(
    source: Certificate, *, progress: Callable[[int, int], object] | None = None
) -> VerificationReport:
    lock = balls.LOCK.set(LOCK)  # the precision belongs to the process, and both set it
    try:
        verdict = verify_document(source.document, progress)
    except Refused as error:
        raise CertificateError(error.argument, error.was, error.should) from None
    finally:
        balls.LOCK.reset(lock)
    return VerificationReport(not verdict.reasons, verdict.reasons, verdict.claim, verdict.rests_on)
