"""Row reductions that Macaulay2 computed (vectors/macaulay2.m2), compared entry by entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import galois
import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.linalg.arithmetic import CompiledFloats, Floats
from algatt.linalg.elimination import eliminate_working

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vectors" / "macaulay2.json").read_text())


def by_pivot(rows: list[list[int]]) -> list[list[int]]:
    """Macaulay2 leaves the rows of a reduced form in any order."""
    return sorted(rows, key=lambda row: [entry == 0 for entry in row])


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"p={vector['p']}-{len(vector['matrix'])}x{len(vector['matrix'][0])}"
)
@pytest.mark.parametrize("engine", [algatt.linalg.Blas(), algatt.linalg.Flint()])
def test_macaulay2_agrees(vector: dict[str, Any], engine: algatt.linalg.Engine) -> None:
    form = algatt.linalg.echelon(galois.GF(vector["p"])(vector["matrix"]), engine=engine)
    assert form.rank == vector["rank"]
    assert form.matrix.tolist() == by_pivot(vector["echelon"])


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"p={vector['p']}-{len(vector['matrix'])}x{len(vector['matrix'][0])}"
)
def test_both_arithmetics_find_its_pivots(vector: dict[str, Any]) -> None:
    p = vector["p"]
    leading = sorted(int(np.flatnonzero(row)[0]) for row in vector["echelon"])
    for kind in (Floats, CompiledFloats):
        form = eliminate_working(kind(p), kind(p).enter(verbs.encode(algatt.PrimeField(p), vector["matrix"])))
        assert sorted(form.pivot_columns.tolist()) == leading
