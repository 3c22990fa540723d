"""Dimensions whose eliminations are done elsewhere: torch's CPU backend runs the same code as a device, and the answer,
minors included, is that of this machine.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import layers
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.geometry import Copies
from algatt.geometry.dimensions import checkpoint as checkpoints
from algatt.geometry.dimensions.memory import by_residues
from algatt.geometry.dimensions.question import Options, Question
from algatt.linalg import Auto, Blas, Engine, Flint, Galois, Gpu, RowSpace, device, elimination
from algatt.linalg.device import DeviceFloats
from algatt.linalg.engines import engine_of_rows, room_of
from interrupted import Killed, until

ARCH = algatt.Lightning((8, 8, 8), (4, 4), 3)
"""Of 256 parameters; the bounds meet at 158, as the theorem for two layers says."""

BLOCK = layers.Residual(layers.RMSNorm() >> layers.Heads(2, mask=layers.Causal())) >> layers.Residual(
    layers.RMSNorm() >> layers.Feedforward(5, layers.SiLU(), gated=True)
)

NETWORKS = [
    (ARCH, {}),
    (ARCH, {"field": algatt.PrimeField(503)}),
    (algatt.Lightning((16, 16, 16), (8, 8), 3), {"points": Copies(3)}),
    (algatt.Softmax((4, 4, 4), (2, 2), 3), {}),
    (algatt.Network(BLOCK, tokens=2, width=4), {}),
    (algatt.Network(layers.Embedding(3, 2) >> layers.Linear(2), tokens=2), {}),
]


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the eliminations on a device, by their primes."""
    pytest.importorskip("torch", reason="the extra gpu is not installed")
    primes: list[int] = []
    product = DeviceFloats.subtract_rows

    def counted(self: DeviceFloats, target: Any, left: Any, right: Any) -> None:
        primes.append(self.p)
        product(self, target, left, right)

    monkeypatch.setattr(DeviceFloats, "subtract_rows", counted)
    return primes


def minors(report: algatt.geometry.DimensionReport) -> tuple[Any, Any]:
    assert report.evidence is not None
    return report.evidence.lower.minor, report.evidence.upper.minor


@pytest.mark.parametrize(("arch", "options"), NETWORKS, ids=str)
def test_a_device_finds_what_this_machine_finds(arch: Any, options: dict[str, Any], used: list[int]) -> None:
    report = algatt.dimension(arch, engine=Gpu("cpu"), **options)
    assert used
    assert report == algatt.dimension(arch, **options)
    assert report.status == "proven"


def test_minors_are_the_same(used: list[int]) -> None:
    assert minors(algatt.dimension(ARCH, engine=Gpu("cpu"))) == minors(algatt.dimension(ARCH))
    assert algatt.PrimeField().p in used


def test_row_spaces_grow_on_a_device_as_here(used: list[int]) -> None:
    """In batches that depend on earlier ones, with columns that are zero at first."""
    rng = np.random.default_rng(0)
    field = algatt.PrimeField()
    rows = rng.integers(field.p, size=(60, 50)).astype(np.float64)
    rows[:20, 10:] = 0
    rows[40:50] = rows[:10]
    spaces = [RowSpace(field, 50, engine=engine) for engine in (Blas(), Gpu("cpu"))]
    for space in spaces:
        gained = [space.add(Elements(field, rows[start : start + 20])) for start in (0, 20, 40)]
        assert gained == [10, 20, 10]
    assert used
    assert len({(one.pivot_rows, one.pivot_columns, one.determinant) for one in spaces}) == 1


@pytest.mark.parametrize(("first", "second"), [(Gpu("cpu"), None), (None, Gpu("cpu")), (Gpu("cpu"), Gpu("cpu"))])
def test_a_file_goes_on_elsewhere(
    first: Engine | None, second: Engine | None, tmp_path: Path, used: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elimination, "PANEL", 16)
    monkeypatch.setattr(checkpoints, "PANEL", 16)
    with pytest.raises(Killed):
        algatt.dimension(ARCH, checkpoint=tmp_path / "saved", progress=until(100), engine=first)
    used.clear()
    report = algatt.dimension(ARCH, checkpoint=tmp_path / "saved", engine=second)
    assert bool(used) == (second is not None)
    assert minors(report) == minors(algatt.dimension(ARCH))


@pytest.mark.parametrize("engine", [Flint(), Galois(), "blas"])
def test_engines_that_take_whole_matrices_are_refused(engine: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"^engine was"):
        algatt.dimension(ARCH, engine=engine)


@pytest.mark.parametrize("field", [algatt.Balls(), algatt.Reals()])
def test_an_engine_has_nothing_to_do_over_other_fields(field: Any) -> None:
    with pytest.raises(InvalidArgument, match="engine was Blas"):
        algatt.dimension(algatt.Lightning((2, 2), (1,), 2), field=field, engine=Blas())


def test_large_dimensions_go_to_a_device_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix then needs no room here, and as many rows are eliminated at once as half of the device holds."""
    field, room = algatt.PrimeField(), 2 * 8 * 10_000**2
    monkeypatch.setattr(device, "has_room", lambda size: 2 * size <= room)
    cuda = SimpleNamespace(mem_get_info=lambda name: (room, room))
    monkeypatch.setattr(device, "load_torch", lambda: SimpleNamespace(cuda=cuda))
    assert engine_of_rows(None, field, 10_000) == engine_of_rows(Auto(), field, 10_000) == Gpu()
    assert engine_of_rows(None, field, 9_999) == engine_of_rows(None, field, 10_001) == Blas()
    assert engine_of_rows(None, algatt.PrimeField(2147483659), 10_000) == Blas()
    assert engine_of_rows(Blas(), field, 10_000) == Blas()
    assert room_of(Gpu()) == room_of(Gpu("cuda:1")) == room
    assert room_of(Gpu("cpu")) == room_of(Blas()) != room
    arch = algatt.Lightning((64, 64, 64), (32, 32), 4)
    here, there = (
        by_residues(Question(arch, Options(engine=engine)), field)["the elimination of the Jacobian"]
        for engine in (Blas(), Gpu())
    )
    assert here - there > 4 * 10238**2 / 2
