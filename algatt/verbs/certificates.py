"""Verbs of certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.dispatch import declare

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from algatt.architectures.base import HoldsNoun, NetworkLike
    from algatt.certificates.certificate import Certificate
    from algatt.certificates.report import VerificationReport
    from algatt.fields.base import Field
    from algatt.geometry.dimensions.report import DimensionReport
    from algatt.geometry.equality.equivalence import Equivalence
    from algatt.symmetry.base import Symmetry


@declare(
    homes=[
        "algatt.certificates.make.inequality",
        "algatt.certificates.make.dimension",
        "algatt.certificates.make.symmetry",
    ]
)
def certify(
    source: Equivalence | DimensionReport | Symmetry | NetworkLike,
    /,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-06,
    progress: Callable[[int, int], object] | None = None,
) -> Certificate:
    """Return a `Certificate`: the program of a network, a claim about it, and the evidence, to be checked elsewhere.

    Parameters
    ----------
    source : Architecture, DimensionReport, Symmetry or Equivalence
        A network, whose dimension is computed first with the other options; or, without options, the report of
        `dimension`; a family of `symmetries`, along which the network does not change; what `same_function` returns of
        two points whose values differ at an input.

    Raises
    ------
    MethodError
        If the program has a function that is not of this package, or there are no words for the family.
    InvalidArgument
        If the dimension is bounded by families or a space that `verify` cannot check, which is found before the
        dimension is computed; if the report is over `Reals`, since floating point proves nothing; if the answer has no
        input at which values differ; or if the network is too large for `verify`.
    """


@declare(homes=["algatt.certificates.verify"])
def verify(
    source: Certificate | HoldsNoun | str | os.PathLike, /, *, progress: Callable[[int, int], object] | None = None
) -> VerificationReport:
    """Check a certificate with code that imports nothing else of this package: Python integers and FLINT.

    Parameters
    ----------
    source : path or Certificate
        What `Certificate.save` wrote, or the certificate itself, or what `algatt.load` returns of it.
    progress : callable, optional
        Called as ``progress(rows, all_rows)`` while the minor is recomputed.

    Returns
    -------
    VerificationReport
        `ok`, and the reasons if not; and the claim, in words that are made of what was checked, in which names from the
        file are quoted; and what is assumed: a theorem for transformers at full size, else nothing.

    Raises
    ------
    CertificateError
        If it is not a certificate that this version can read.
    CertificateTooLarge
        If it is larger than what is verified.
    """
