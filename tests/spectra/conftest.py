"""Quadrature that knows nothing of a law but its density."""

from __future__ import annotations

import numpy as np
import pytest

NODES, WEIGHTS = np.polynomial.legendre.leggauss(400)


def integrate(density, intervals, power):
    """Return the integral of x^power density(x), by x = s^2, with nodes crowded at the ends, and more so at zero where
    a density may explode.
    """
    total = 0.0
    for low, high in intervals:
        left, right = np.sqrt(low), np.sqrt(high)
        angle = (NODES + 1) * np.pi / 2
        unit, slope = (1 - np.cos(angle)) / 2, np.sin(angle) * np.pi / 4 * WEIGHTS
        if low == 0:
            s, step = right * unit**3, right * 3 * unit**2 * slope
        else:
            s, step = left + (right - left) * unit, (right - left) * slope
        total += float((density(s**2) * s ** (2 * power) * 2 * s * step).sum())
    return total


@pytest.fixture(name="integrate")
def integrate_fixture():
    return integrate
