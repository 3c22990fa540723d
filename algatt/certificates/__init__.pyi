"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

import os
from collections.abc import Callable
from typing import Any, overload

from algatt.architectures.base import Architecture
from algatt.architectures.network import Network
from algatt.certificates import make as make
from algatt.certificates.certificate import Certificate
from algatt.certificates.report import VerificationReport
from algatt.dispatch import Verb
from algatt.fields.base import Field
from algatt.geometry.dimensions.report import DimensionReport
from algatt.geometry.equality.equivalence import Equivalence
from algatt.symmetry.arranged import ArrangedSymmetry
from algatt.symmetry.base import Symmetry

__all__ = [
    "Certificate",
    "VerificationReport",
    "certify",
    "make",
    "verify",
]

class _Certify(Verb[..., Any]):
    @overload
    def __call__(self, answer: Equivalence, /) -> Certificate: ...
    @overload
    def __call__(self, report: DimensionReport, /) -> Certificate: ...
    @overload
    def __call__(self, family: ArrangedSymmetry, /) -> Certificate: ...
    @overload
    def __call__(self, family: Symmetry, /) -> Certificate: ...
    @overload
    def __call__(
        self,
        arch: Network,
        /,
        *,
        seed: int = 0,
        field: Field | None = None,
        error: float = 1e-06,
        progress: Callable[[int, int], object] | None = None,
    ) -> Certificate: ...
    @overload
    def __call__(
        self,
        arch: Architecture,
        /,
        *,
        seed: int = 0,
        field: Field | None = None,
        error: float = 1e-06,
        progress: Callable[[int, int], object] | None = None,
    ) -> Certificate: ...

certify: _Certify

class _Verify(Verb[..., Any]):
    @overload
    def __call__(
        self,
        source: Certificate,
        /,
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> VerificationReport: ...
    @overload
    def __call__(
        self,
        source: str | os.PathLike,
        /,
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> VerificationReport: ...

verify: _Verify
