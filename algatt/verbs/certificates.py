"""Verbs of certificates."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

__all__ = ["certify", "verify"]


@declare
def certify(source: Any, *, seed: int = 0, field: Any = None, error: float = 1e-6, progress: Any = None) -> Any:
    """Return a `Certificate` of a dimension: everything that is needed to check both bounds elsewhere.

    Parameters
    ----------
    source : Architecture or DimensionReport
        A network, whose dimension is computed first with the other options, or the report of `dimension`, which takes
        no options.

    Raises
    ------
    MethodError
        If there are no certificates for the architecture: there are for `Lightning` and for `Normalized`, but not for
        user-defined scores.
    InvalidArgument
        If the report is over `Reals`, since floating point proves nothing, or the network too large for `verify`.
    """


@declare
def verify(source: Any, *, progress: Any = None) -> Any:
    """Check a certificate with code that shares nothing with the code that made it: Python integers and FLINT.

    Parameters
    ----------
    source : path or Certificate
        What `Certificate.save` wrote, or the certificate itself.
    progress : callable, optional
        Called as ``progress(rows, all_rows)`` while the minor is recomputed.

    Returns
    -------
    VerificationReport
        `ok`, and the reasons if not.

    Raises
    ------
    CertificateError
        If it is not a certificate that this version can read.
    """
