"""Verifying what is in a file."""

from __future__ import annotations

import os
from collections.abc import Callable

from algatt import verbs
from algatt.certificates.certificate import read
from algatt.certificates.report import VerificationReport

__all__: list[str] = []


@verbs.verify.method
def verify_file(
    source: str | os.PathLike, *, progress: Callable[[int, int], object] | None = None
) -> VerificationReport:
    return verbs.verify(read(source), progress=progress)
