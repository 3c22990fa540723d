"""What is drawn anew before a root, where residues of several kinds are known by one instruction."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt import Elementary
from algatt.fields import Erf, Log
from written_networks import written


def tied_inputs(w: Any, X: Any) -> Any:
    """B sqrt(1 + e^X + e^2X) + C A X, of two numbers B and two numbers C A."""
    return w.B @ (1 + X.exp() + (X + X).exp()).sqrt() + w.C * (w.A @ X)


def tied_transposes(w: Any, X: Any) -> Any:
    """B sqrt(1 + X^2 + e^X + e^(X^T)) + C A X, entry by entry."""
    return w.B @ (1 + X * X + X.exp() + X.T.exp()).sqrt() + w.C * (w.A @ X)


def tied_error_functions(w: Any, X: Any) -> Any:
    """With u = erf(A X): B X sqrt(2 + e^u + e^2u) + C u, where no number is redundant."""
    u = (w.A @ X).entrywise(Erf())
    return w.B @ X * (2 + u.exp() + (u + u).exp()).sqrt() + w.C * u


def tied_logarithms(w: Any, X: Any) -> Any:
    """With u = log(1 + (A X)^2): B X sqrt(2 + e^(u x) + e^(u x) e^u) + C u."""
    u = (1 + (w.A @ X) ** 2).entrywise(Log())
    return w.B @ X * (2 + (u * X[:1]).exp() + (u * X[:1] + u * X[1:]).exp() + (u * X[1:]).exp()).sqrt() + w.C * u


@pytest.mark.parametrize(
    ("function", "tokens", "dimension"),
    [
        (tied_inputs, 2, 4),
        (tied_inputs, 3, 4),
        (tied_transposes, 2, 4),
        (tied_error_functions, 2, 5),
        (tied_error_functions, 3, 5),
        (tied_logarithms, 2, 5),
    ],
)
def test_tied_exponentials_and_what_has_their_number_are_drawn_anew(function, tokens, dimension):
    net = written({"A": (1, 2), "B": (1, 2), "C": (1, 1)}, function, width=2, tokens=tokens)
    report = algatt.dimension(net)
    assert (report.lower, report.field) == (dimension, Elementary())
