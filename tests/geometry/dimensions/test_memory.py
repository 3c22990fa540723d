"""Estimates of memory against what is measured: they are below it, and not by much; what cannot fit is refused before
it begins.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import algatt
from algatt import memory
from algatt.fields import Field
from algatt.geometry.dimensions.memory import by_balls, by_floats, by_residues, jacobian
from algatt.geometry.dimensions.question import Question
from algatt.linalg import RowSpace

PRIME, LONG_PRIME = algatt.PrimeField(), algatt.PrimeField(2305843009213693951)


def measured(arch: algatt.architectures.Architecture, field: Field) -> int:
    """Return the most bytes that numpy and Python hold at one time for a dimension, what is computed and kept once left
    aside.
    """
    algatt.dimension(arch, field=field)
    tracemalloc.start()
    try:
        algatt.dimension(arch, field=field)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("arch", "field", "factor"),
    [
        (algatt.Lightning((24, 24), (12,), 4), PRIME, 2.5),
        (algatt.Lightning((16, 16, 16), (8, 8), 4), PRIME, 2.5),
        (algatt.Lightning((16, 16, 16), (16, 16), 3), PRIME, 2.5),  # the symmetries are most of it
        (algatt.Lightning((4, 4), (2,), 3000), PRIME, 12),  # the inputs are most of it
        (algatt.Normalized((4, 4), (2,), 100, algatt.layers.Affine(1, 1)), PRIME, 12),  # the scores are
        (algatt.Lightning((6, 6), (3,), 4), LONG_PRIME, 2.5),
    ],
    ids=str,
)
def test_a_proof_modulo_a_prime(
    arch: algatt.architectures.Architecture, field: algatt.PrimeField, factor: float
) -> None:
    estimate = max(by_residues(Question(arch), field).values())
    assert estimate <= measured(arch, field) <= factor * estimate + 2**20


def test_a_numerical_dimension() -> None:
    arch = algatt.Lightning((8, 8, 8), (4, 4), 4)
    estimate = max(by_floats(Question(arch)).values())
    assert estimate <= measured(arch, algatt.Reals()) <= 2.5 * estimate + 2**20


MEASURE = """
import re, sys, algatt
def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
balls = algatt.Balls(int(sys.argv[2]))
algatt.dimension(algatt.Softmax((2, 2), (1,), 2), field=balls)  # modules are imported when they are first needed
before = peak()
dims = tuple(map(int, sys.argv[1].split(",")))
algatt.dimension(algatt.Softmax(dims, tuple(d // 2 for d in dims[:-1]), 4), field=balls)
print(peak() - before)
"""


def halved(widths: str) -> algatt.Normalized:
    """Return the network that is measured."""
    dims = tuple(map(int, widths.split(",")))
    return algatt.Softmax(dims, tuple(d // 2 for d in dims[:-1]), 4)


@pytest.mark.sample(1)
@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
@pytest.mark.parametrize(("widths", "bits"), [("8,8,8", 128), ("6,6", 8192)])
def test_a_proof_by_balls(widths: str, bits: int) -> None:
    """What FLINT holds only the system knows."""
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1]), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, widths, str(bits)], capture_output=True, text=True, check=True, env=environment
    )
    estimate = max(by_balls(Question(halved(widths)), algatt.Balls(bits)).values())
    assert estimate <= int(done.stdout) <= 5 * estimate + 2**24


@pytest.mark.parametrize(
    ("arch", "field", "purpose"),
    [
        (algatt.Lightning((400, 400), (200,), 4), None, "the elimination of the Jacobian"),
        (algatt.Lightning((40, 41, 40), (40, 40), 3), None, "the elimination of the tangents of the symmetries"),
        (algatt.Lightning((2, 60, 2), (2, 60), 3), None, "the elimination of the tangents of the symmetries"),
        (algatt.Lightning((2, 2), (1,), 2 * 10**9), None, "the elimination of the Jacobian"),
        (algatt.Normalized((4, 4), (2,), 10**5, algatt.layers.Affine(1, 1)), None, "the network at random inputs"),
        (algatt.Softmax((64, 64), (32,), 4), None, "the elimination of the Jacobian"),
        (algatt.Softmax((64, 64), (32,), 4), algatt.Balls(), "the determinant of a real minor"),
        (algatt.Lightning((32, 32, 32), (16, 16), 4), algatt.Reals(), "a decomposition of the Jacobian"),
    ],
    ids=str,
)
def test_what_cannot_fit_is_refused_before_it_begins(
    arch: algatt.architectures.Architecture, field: Field | None, purpose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    algatt.symmetries(arch)  # tensors are drawn to find directions that are not seen
    monkeypatch.setattr(memory, "available_memory", lambda: 10**8)
    monkeypatch.setattr(algatt.verbs, "sample", None)
    monkeypatch.setattr(algatt.verbs, "draw_array", None)
    with pytest.raises(algatt.errors.NotEnoughMemory, match=f"^{purpose} needs at least"):
        algatt.dimension(arch, field=field, points=algatt.geometry.RandomPoints())


def test_a_spectrum_that_cannot_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    arch = algatt.Lightning((4, 3, 4), (2, 2), 3)
    found = algatt.jacobian_spectrum(arch)
    assert jacobian(arch, found.inputs) == 8 * found.shape[0] * found.shape[1]
    monkeypatch.setattr(memory, "available_memory", lambda: 2 * 8 * found.shape[0] * found.shape[1] - 1)
    with pytest.raises(algatt.errors.NotEnoughMemory, match=r"^a decomposition of the Jacobian needs"):
        algatt.jacobian_spectrum(arch)
    assert algatt.jacobian_spectrum(arch, inputs=found.inputs - 1).inputs == found.inputs - 1


def test_an_echelon_form_holds_what_the_estimate_says() -> None:
    """Rows in small batches: for each pivot the columns that had none before, rank * columns - rank^2 / 2 and a little
    more.
    """
    columns, rank, batch = 90, 60, 3
    space = RowSpace(PRIME, columns)
    for start in range(0, rank, batch):
        rows = algatt.spectra.sample_matrix(algatt.spectra.LinearEnsemble(columns, columns, columns, 1.0), seed=start)[
            :batch
        ]
        space.add((rows * 1000).astype(int) % PRIME.p)
    assert space.rank == rank
    held = sum(form.form.size for _, form in space._batches)
    assert rank * columns - rank**2 / 2 <= held <= 1.1 * (rank * columns - rank**2 / 2)


def test_models_at_full_size_are_refused_before_their_symmetries_are_solved_for() -> None:
    net = algatt.load("gpt2").network
    with pytest.raises(
        algatt.errors.NotEnoughMemory, match=r"Jacobian, which no theorem .* fewer than 7 tokens, needs"
    ):
        algatt.dimension(net)
