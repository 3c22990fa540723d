"""What a run of the benchmark is to measure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Plan"]


@dataclass(frozen=True)
class Plan:
    """How often each thing is measured, and which of them.

    Parameters
    ----------
    runs : int
        Runs of each measurement.
    quick : bool, optional
        Whether to take smaller sizes, which say nothing about the targets.
    sizes, primes : tuple of int, optional
        Of the matrices of the section ``linalg``; those of the section if empty.
    """

    runs: int
    quick: bool = False
    sizes: tuple[int, ...] = ()
    primes: tuple[int, ...] = ()
