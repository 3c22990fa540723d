"""Rotary positions of modules of torch: by tables that are stored, computed, or of complex numbers."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt.frontends.matching import matched_tensors
from algatt.maps import program
from torch_modules import Called, check

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn


@pytest.fixture(autouse=True)
def doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models compute parts in single precision, whatever their weights have; here in double precision."""
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch, "float", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    torch.manual_seed(0)


class Rotated(nn.Module):
    """Attention with rotary positions, whose tables are stored, or computed."""

    def __init__(self, tables: str) -> None:
        super().__init__()
        self.inner, self.tables = nn.Linear(4, 12, bias=False), tables
        angles = torch.outer(torch.arange(8.0), torch.tensor([0.5, 0.01])).double()
        self.register_buffer("angles", angles)
        self.register_buffer("joined", torch.cat([angles.sin(), angles.cos()], -1))
        self.register_buffer("sines", torch.cat([angles.sin()] * 2, -1))
        self.register_buffer("cosines", torch.cat([angles.cos()] * 2, -1))

    def turned(self, x: Any) -> Any:
        count = x.shape[1]
        if self.tables == "joined":
            sines, cosines = (torch.cat([one] * 2, -1) for one in self.joined[torch.arange(count)].split(2, -1))
        elif self.tables == "two":
            sines, cosines = self.sines[:count], self.cosines[:count]
        else:
            sines, cosines = (torch.cat([wave(self.angles[:count])] * 2, -1) for wave in (torch.sin, torch.cos))
        return x * cosines + torch.cat([-x[..., 2:], x[..., :2]], -1) * sines

    def forward(self, x: Any) -> Any:
        q, k, v = self.inner(x).chunk(3, -1)
        return (self.turned(q) @ self.turned(k).mT).softmax(-1) @ v


@pytest.mark.parametrize("tables", ["joined", "two"])
def test_stored_tables_of_rotations_are_those_that_are_computed(tables: str) -> None:
    """As far as their numbers are rounded."""
    x = torch.randn(1, 3, 4).double()
    stored, computed = (program(check(Rotated(one), x)) for one in (tables, "none"))
    assert "rotate" in {one.operation for one in stored.instructions}
    assert matched_tensors(stored, computed) is not None


def test_sines_that_are_added_are_numbers() -> None:
    table = torch.cat([torch.outer(torch.arange(4.0), torch.tensor([0.5, 0.01])).sin()] * 2, -1).double()
    net = algatt.from_torch(
        Called(nn.Linear(4, 4).double(), lambda inner, x: inner(x + table)), torch.randn(4, 4).double()
    )
    assert "rotate" not in {one.operation for one in program(net).instructions}


class ByComplexNumbers(nn.Module):
    """Attention with rotary positions, pairs of neighbours being complex numbers, or turned by tables."""

    def __init__(self, tables: str) -> None:
        super().__init__()
        self.inner, self.tables = nn.Linear(4, 12, bias=False), tables
        angles = torch.outer(torch.arange(8.0), torch.tensor([0.5, 0.01])).double()
        self.register_buffer("angles", angles)
        self.register_buffer("points", torch.polar(torch.ones_like(angles), angles))
        self.register_buffer("longer", 2 * self.points)

    def turned(self, x: Any) -> Any:
        angles = self.angles[: x.shape[1]]
        if self.tables == "real":
            cosines, sines = (wave(angles).repeat_interleave(2, -1) for wave in (torch.cos, torch.sin))
            return x * cosines + torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2) * sines
        pairs = torch.view_as_complex(x.unflatten(-1, (2, 2)))
        if self.tables == "computed":
            return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
        table = self.points if self.tables == "stored" else self.longer
        return torch.view_as_real(table[: x.shape[1]][None] * pairs).flatten(-2)

    def forward(self, x: Any) -> Any:
        q, k, v = self.inner(x).chunk(3, -1)
        return (self.turned(q) @ self.turned(k).mT).softmax(-1) @ v


@pytest.mark.parametrize("tables", ["computed", "stored"])
def test_complex_numbers_turn_as_tables_do(tables: str) -> None:
    x = torch.randn(1, 3, 4).double()
    one, other = (program(check(ByComplexNumbers(made), x)) for made in (tables, "real"))
    assert "rotate" in {each.operation for each in one.instructions}
    assert matched_tensors(one, other) is not None


def test_complex_numbers_of_another_size_are_numbers() -> None:
    net = check(ByComplexNumbers("longer"), torch.randn(1, 3, 4).double())
    assert "rotate" not in {one.operation for one in program(net).instructions}
