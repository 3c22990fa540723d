"""Verbs of certificates."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

__all__ = ["certify", "verify"]


@declare
def certify(source: Any, *, seed: int = 0, field: Any = None, error: float = 1e-6, progress: Any = None) -> Any:
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
        If the program has a function that is not of this package, or `verify` has no rule for the family.
    InvalidArgument
        If the dimension is bounded by families or a space that `verify` cannot check, which is found before the
        dimension is computed; if the report is over `Reals`, since floating point proves nothing; if the answer has no
        input at which values differ; or if the network is too large for `verify`.
    """


@declare
def verify(source: Any, *, progress: Any = None) -> Any:
    """Check a certificate with code that imports nothing else of this package: Python integers and FLINT.

    Parameters
    ----------
    source : path or Certificate
        What `Certificate.save` wrote, or the certificate itself.
    progress : callable, optional
        Called as ``progress(rows, all_rows)`` while the minor is recomputed.

    Returns
    -------
    VerificationReport
        `ok`, and the reasons if not; the claim in words, in which names from the file are quoted; and what was not
        checked, which is that erf is not elementary.

    Raises
    ------
    CertificateError
        If it is not a certificate that this version can read, claims what it cannot check, or would take too long.
    """
