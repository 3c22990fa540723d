"""The laws of a point in a coordinate system."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from algatt.fields import Elements, PrimeField, Reals
from algatt.parameters import Parameters, load
from algatt.parameters.base import flatten
from algatt.testing.laws import check_value, require


def check_parameters(theta: Parameters) -> None:
    """Check that a parameter point is a frozen value which can be listed, shown, copied and stored.

    Parameters
    ----------
    theta : Parameters
        The point to check.

    Raises
    ------
    AssertionError
        Naming the law that fails.
    """
    check_value(theta)
    names = theta.names()
    require(len(names) == len(theta.elements) == len(set(names)), "every array has a name of its own", theta)
    require(theta.replace(theta.elements) == theta, "parameters of the same arrays are equal", theta)
    require(str(theta.field) in repr(theta), "the repr names the field", theta)
    table = theta._repr_html_()
    require(
        table.count("<tr>") == len(names) and table.count("<table>") == 1,
        "the notebook's table has a row for each array",
        theta,
    )
    listed = [entry for element in theta.elements for entry in element.public().ravel().tolist()]
    require(flatten(theta).tolist() == listed, "flatten lists the arrays in order, each row by row", theta)
    check_frozen(theta)
    for name, end in zip(names, np.cumsum([np.prod(element.shape) for element in theta.elements]), strict=True):
        require(
            change(theta, listed, int(end) - 1) != theta,
            "parameters with another entry differ",
            theta,
            f"the last one of {name}",
        )
    if isinstance(theta.field, PrimeField | Reals):
        check_storage(theta)


def change(theta: Parameters, listed: list[Any], position: int) -> Parameters:
    """Return the parameters with one added to the entry at `position` of the flat vector."""
    entries = Elements.of(theta.field, listed) + Elements.of(
        theta.field, [int(k == position) for k in range(len(listed))]
    )
    public = entries.public()
    arrays = []
    start = 0
    for element in theta.elements:
        size = int(np.prod(element.shape))
        arrays.append(Elements.of(theta.field, public[start : start + size].reshape(element.shape)))
        start += size
    return theta.replace(arrays)


def check_frozen(theta: Parameters) -> None:
    """Check that writing into a public array is refused or changes a copy."""
    before = hash(theta)
    for element in theta.elements:
        public = element.public()
        if public.size and public.flags.writeable:
            old = public[0, 0].copy()
            public[0, 0] = old + old.__class__(1)
            frozen = hash(theta) == before
            public[0, 0] = old
            require(frozen, "writing into a public array does not change the parameters", theta)


def check_storage(theta: Parameters) -> None:
    """Check that parameters are read back from a file as they were, whatever was in the file before."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "theta.npz"
        path.write_bytes(b"something else")
        theta.save(path)
        stored = load(path)
    require(stored == theta and stored.field == theta.field, "load undoes save", theta)
