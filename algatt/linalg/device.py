"""Matrices modulo p in the memory of a device that torch reaches, and the products and reductions there.

The elimination is the same as in the memory of this machine; the small windows in which pivots are found are fetched,
eliminated here, and sent back as a square matrix. So what goes to and fro is about 4 * 256 numbers for each column.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument, MissingExtra, NotEnoughMemory
from algatt.fields import PrimeField
from algatt.fields.prime import canonical
from algatt.linalg.arithmetic import FLOAT32_PRIME, Arithmetic, CompiledFloats, arithmetic
from algatt.linalg.product import EXACT, EXACT_32, LIMB, SINGLE_LIMB, exact_length

CHUNK = 2**26
"""About so many entries are updated at a time: what a product is held in beside the matrix."""

SENT = 2**22
"""About so many entries are sent at a time."""

TRIED = 256
"""Rows, columns and at most terms of the product by which a device is tried."""


@dataclass(frozen=True)
class DeviceFloats(CompiledFloats):
    """Balanced residues in floats on a device, as torch's tensors.

    Parameters
    ----------
    device : str
        Its name, for torch.
    here : Arithmetic
        The arithmetic of the windows.
    """

    device: str
    here: Arithmetic

    def kind(self, numpy_kind: Any) -> Any:
        """Return torch's name for a type of numbers."""
        return getattr(load_torch(), np.dtype(numpy_kind).name)

    @property
    def near(self) -> Arithmetic:
        return self.here

    def empty(self, rows: int, columns: int) -> Any:
        needed, room = np.dtype(self.at_rest).itemsize * rows * columns, free_memory(self.device)
        if room is not None and needed > room:
            raise NotEnoughMemory(f"the elimination on {self.device}", needed, room)
        return load_torch().empty((rows, columns), dtype=self.kind(self.at_rest), device=self.device)

    def write(self, raw: np.ndarray, columns: np.ndarray, work: Any) -> None:
        balanced = self.here.empty(len(raw), len(columns))
        self.here.write(raw, columns, balanced)
        work[...] = self.send(balanced)

    def enter(self, raw: np.ndarray) -> Any:
        work = self.empty(*raw.shape)
        step = max(1, SENT // max(1, raw.shape[1]))
        for start in range(0, len(raw), step):
            work[start : start + step] = self.send(self.here.enter(raw[start : start + step]))
        return work

    def leave(self, work: Any) -> np.ndarray:
        return canonical(self.fetch(work).astype(np.float64), self.p)

    def factor(self, work: Any) -> Any:
        return work.to(self.kind(self.in_products), copy=True)

    def copy(self, work: Any) -> Any:
        return work.clone()

    def fetch(self, work: Any) -> np.ndarray:
        return np.asarray(work.cpu().numpy())

    def send(self, work: np.ndarray) -> Any:
        return load_torch().from_numpy(np.ascontiguousarray(work)).to(self.device)

    def occupied(self, work: Any, axis: int = 0) -> np.ndarray:
        return np.flatnonzero(self.fetch((work != 0).any(dim=axis)))

    def rows_at_a_time(self, target: Any, right: Any) -> int:
        return max(1, CHUNK // max(1, target.shape[1]))

    def columns_at_a_time(self, transform: Any) -> int:
        return max(1, CHUNK // len(transform))

    def product(self, left: Any, right: Any) -> Any:
        left = left.to(self.kind(self.in_products))
        result = load_torch().zeros((left.shape[0], right.shape[1]), dtype=left.dtype, device=self.device)
        self.subtract_product(result, -left, right)
        return result

    def subtract_rows(self, target: Any, left: Any, right: Any) -> None:
        torch = load_torch()
        single = self.in_products is np.float32 and target.dtype == torch.float32
        kind = torch.float32 if single else torch.float64
        left, right = left.to(kind), right.to(kind)
        if self.p < SINGLE_LIMB:
            step = exact_length(self.p, self.p // 2 + 2, EXACT_32 if single else EXACT)
            for start in range(0, left.shape[1], step):
                amount = left[:, start : start + step] @ right[start : start + step]
                target.copy_(self.reduce(torch.sub(target, amount, out=amount)))
        else:
            high = torch.round(left * (1.0 / LIMB))
            low = left - high * LIMB
            step = exact_length(self.p, int(LIMB) + 1) // 2  # half, since residues and the other limb are added
            for start in range(0, left.shape[1], step):
                some = slice(start, start + step)
                amount = self.reduce(high[:, some] @ right[some]).mul_(LIMB).add_(low[:, some] @ right[some])
                target.copy_(self.reduce(torch.sub(target, self.reduce(amount), out=amount)))

    def reduce(self, x: Any) -> Any:
        """Reduce exact integers in place, as `reduce_floats` does."""
        return x.sub_((x * (1.0 / self.p)).round_(), alpha=self.p)


def load_torch() -> Any:
    """Import torch.

    Raises
    ------
    MissingExtra
        If it is not installed.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtra("torch", "gpu") from None
    return torch


def free_memory(device: str) -> int | None:
    """Return how many bytes are free on a CUDA device, or None for other devices."""
    if not device.startswith("cuda"):
        return None
    return int(load_torch().cuda.mem_get_info(device)[0])


def has_room(size: int) -> bool:
    """Return whether torch is installed and finds a CUDA device that holds twice as many bytes."""
    if importlib.util.find_spec("torch") is None:
        return False
    try:
        if not load_torch().cuda.is_available():
            return False
    except (MissingExtra, OSError):  # an installation that lacks a library
        return False
    room = free_memory("cuda")
    return room is not None and 2 * size <= room


def device_arithmetic(field: PrimeField, work: int, device: str | None) -> DeviceFloats:
    """Return the arithmetic on a device for a computation with the given number of multiplications.

    Raises
    ------
    MissingExtra
        If torch is not installed.
    InvalidArgument
        If the prime is above 2^31, if there is no such device, or if it multiplies without being exact.
    """
    name = "Gpu()" if device is None else f"Gpu({device!r})"
    torch = load_torch()
    if field.dtype is object:
        raise InvalidArgument("engine", f"{name} for {field}", "Auto(), Blas() or Flint() for primes above 2^31")
    if device is None and not torch.cuda.is_available():
        raise InvalidArgument("engine", f"{name}, and torch finds no CUDA device", "Gpu('cpu'), or another engine")
    device = device or "cuda"
    try:
        exact = multiplies_exactly(device, field.p)
    except (RuntimeError, TypeError, AssertionError, NotImplementedError) as error:
        told = str(error).partition("\n")[0]
        raise InvalidArgument("engine", f"{name}, which torch cannot use ({told})", "a device with float64") from None
    if not exact:
        should = "a device whose products are those of IEEE 754, without emulation or fewer bits"
        raise InvalidArgument("engine", f"{name}, whose products of exact numbers are rounded", should)
    return DeviceFloats(field.p, device, arithmetic(field, work))


@lru_cache
def multiplies_exactly(device: str, p: int) -> bool:
    """Return whether a device multiplies matrices of the largest and of random residues as int64 does, with as many
    terms as have to add up exactly.

    Settings of torch and of the libraries below it may replace a product by one with fewer bits.
    """
    torch = load_torch()
    rng = np.random.default_rng(p)
    single = p <= FLOAT32_PRIME
    high = p // 2 + 2
    bound = int(LIMB) + 1 if p >= SINGLE_LIMB else high
    length = min(TRIED, exact_length(p, bound, EXACT_32 if single else EXACT))
    kind = torch.float32 if single else torch.float64
    shapes = ((TRIED, length), (length, TRIED))
    largest = [np.full(shape, most) for shape, most in zip(shapes, (bound, high), strict=True)]
    drawn = [rng.integers(-most, most + 1, shape) for shape, most in zip(shapes, (bound, high), strict=True)]
    for left, right in (largest, drawn):
        there = [torch.from_numpy(factor).to(device=device, dtype=kind) for factor in (left, right)]
        if not np.array_equal((there[0] @ there[1]).cpu().numpy().astype(np.int64), left @ right):
            return False
    return True
