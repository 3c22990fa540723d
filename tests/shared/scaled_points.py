"""Small networks of published families, and points of them with other tensors."""

from __future__ import annotations

import json

import algatt
from algatt import Weights
from algatt.fields import Elements
from algatt.published.known import CONFIGS

MODELS = CONFIGS


def network(name, **changes):
    """Return a published model, scaled down."""
    config = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.read(algatt.published.scaled(config | changes, layers=2, head_width=4, hidden=7), tokens=3)


def arrays(theta):
    """Return the tensors of a point as arrays."""
    return {name: one.raw.copy() for name, one in theta.tensors.items()}


def with_arrays(theta, changes):
    """Return a point with other tensors."""
    return theta.replace([Elements(one.field, changes.get(name, one.raw)) for name, one in theta.tensors.items()])


def rounded(theta, precision):
    """Return a point as it is known from numbers of a precision."""
    return Weights.of({name: one.raw.astype(precision) for name, one in theta.tensors.items()})
