"""The elimination with its products on a device: torch's CPU backend runs the same code; FLINT and Python's integers
say what is right.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import PrimeField, verbs
from algatt.errors import InvalidArgument, MissingExtra, NotEnoughMemory
from algatt.linalg import Auto, Blas, Flint, Gpu, device
from algatt.linalg.arithmetic import FLOAT32_PRIME
from algatt.linalg.device import DeviceFloats, device_arithmetic
from algatt.linalg.product import EXACT, EXACT_32, LIMB, SINGLE_LIMB, exact_length

PRIMES = (2, 3, 31, 503, 509, 1048583, 8388593, 16777213, 16777259, 2147483647)

MATRIX = PrimeField(31).galois([[1, 2, 3], [2, 4, 6], [1, 0, 1]])


@pytest.fixture(autouse=True)
def fresh() -> None:
    device.multiplies_exactly.cache_clear()


def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


def fake_torch(monkeypatch: pytest.MonkeyPatch, room: int | None) -> None:
    """Put something in torch's place that finds a device with so many free bytes, or none."""
    cuda = SimpleNamespace(is_available=lambda: room is not None, mem_get_info=lambda name: (room, 2 * (room or 0)))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda, __spec__=True))


def test_a_missing_package_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without_torch(monkeypatch)
    with pytest.raises(MissingExtra, match=r"^torch is not installed; .*'\.\[gpu\]'"):
        algatt.rank(MATRIX, engine=Gpu())


def test_no_device_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_torch(monkeypatch, None)
    with pytest.raises(InvalidArgument) as caught:
        algatt.rank(MATRIX, engine=Gpu())
    assert str(caught.value) == (
        "engine was Gpu(), and torch finds no CUDA device; it should be Gpu('cpu'), or another engine"
    )


@pytest.mark.parametrize("name", [0, object(), ("cpu",)])
def test_a_device_is_a_name(name: Any) -> None:
    with pytest.raises(InvalidArgument, match="device was"):
        Gpu(name)


def test_the_automatic_choice_is_a_device_that_has_room_for_a_large_matrix_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    field, large = PrimeField(), (10_000, 20_000)
    fake_torch(monkeypatch, 2 * 8 * 10_000 * 20_000)
    assert Auto().choose(field, large) == Gpu()
    assert Auto().choose(field, (9_999, 20_000)) == Blas()
    assert Auto().choose(PrimeField(2147483659), large) == Flint()
    fake_torch(monkeypatch, 2 * 8 * 10_000 * 20_000 - 1)
    assert Auto().choose(field, large) == Blas()
    fake_torch(monkeypatch, None)
    assert Auto().choose(field, large) == Blas()
    without_torch(monkeypatch)
    assert Auto().choose(field, large) == Blas()


def test_a_matrix_without_room_on_the_device_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_torch(monkeypatch, 4 * 100 * 100 - 1)
    with pytest.raises(NotEnoughMemory, match="the elimination on cuda"):
        DeviceFloats(31, "cuda", Auto).empty(100, 100)  # type: ignore[arg-type]


class TestWithTorch:
    """What is computed."""

    @pytest.fixture(autouse=True)
    def torch(self) -> Any:
        return pytest.importorskip("torch", reason="the extra gpu is not installed")

    @pytest.mark.parametrize("p", PRIMES)
    @pytest.mark.parametrize(
        ("height", "width", "rank"), [(300, 290, 280), (40, 600, 40), (600, 40, 30), (0, 4, 0), (4, 0, 0), (1, 1, 1)]
    )
    def test_products_of_any_shape_and_rank(self, p: int, height: int, width: int, rank: int) -> None:
        rng = np.random.default_rng(p)
        left, right = rng.integers(p, size=(height, rank)), rng.integers(p, size=(rank, width))
        self.check(p, np.asarray(left.astype(object) @ right.astype(object) % p).reshape(height, width))

    @pytest.mark.parametrize("p", PRIMES)
    def test_residues_of_the_largest_size_sparse_rows_and_permutations(self, p: int) -> None:
        n = 290
        full = np.full((n, n), -(p // 2 or 1) % p, dtype=object)
        full[np.arange(n), np.arange(n)] = (p // 2 or 1) * (n - 1) % p
        self.check(p, full)
        rng = np.random.default_rng(p)
        sparse = np.zeros((n, n), dtype=object)
        sparse[rng.integers(n, size=400), rng.integers(n, size=400)] = p - 1
        self.check(p, sparse)
        self.check(p, np.eye(n, dtype=int).astype(object)[rng.permutation(n)])
        self.check(p, np.repeat(full[:5], 60, axis=0))

    def check(self, p: int, matrix: np.ndarray) -> None:
        """Compare with FLINT's reduced echelon form."""
        field = PrimeField(p)
        raw = verbs.encode(field, matrix)
        ours, flints = (verbs.row_reduce(engine, field, raw) for engine in (Gpu("cpu"), Flint()))
        assert ours.pivots == flints.pivots
        assert np.array_equal(ours.matrix, flints.matrix)
        assert ours.matrix.dtype == flints.matrix.dtype
        assert verbs.exact_rank(Gpu("cpu"), field, raw) == flints.rank
        assert raw.tolist() == matrix.tolist()

    @pytest.mark.parametrize("p", PRIMES)
    def test_the_longest_sum_and_one_more(self, p: int) -> None:
        """Residues of the largest size and one sign, at the lengths at which a sum is just exact, and longer by one."""
        calculus = device_arithmetic(PrimeField(p), 0, "cpu")
        high = p // 2 + 2
        exact = EXACT_32 if p <= FLOAT32_PRIME else EXACT
        longest = min(exact_length(p, int(LIMB) + 1 if p >= SINGLE_LIMB else high, exact), 2000)
        for length in (1, longest, longest + 1, 2 * longest + 1):
            for one, two, three in ((high, high, high), (-high, high, high), (high, -high, -high)):
                target = calculus.send(np.full((1, 1), three, dtype=calculus.at_rest))
                left = calculus.send(np.full((1, length), one, dtype=calculus.at_rest))
                right = calculus.send(np.full((length, 1), two, dtype=calculus.at_rest))
                calculus.subtract_product(target, left, right)
                assert (int(target[0, 0]) - (three - length * one * two)) % p == 0
                assert abs(int(target[0, 0])) <= high

    def test_public_verbs_take_the_engine(self) -> None:
        engine = Gpu("cpu")
        assert algatt.rank(MATRIX, engine=engine) == 2
        assert np.array_equal(algatt.kernel(MATRIX, engine=engine), algatt.kernel(MATRIX))

    @pytest.mark.parametrize("name", ["nonsense", "meta"])
    def test_a_device_that_is_none(self, name: str) -> None:
        with pytest.raises(InvalidArgument, match=f"engine was Gpu\\('{name}'\\), which torch cannot use"):
            algatt.rank(MATRIX, engine=Gpu(name))

    def test_python_integers_are_not_sent(self) -> None:
        with pytest.raises(InvalidArgument, match="for primes above"):
            verbs.exact_rank(Gpu("cpu"), PrimeField(2305843009213693951), np.ones((1, 1), dtype=object))

    @pytest.mark.parametrize("p", [503, 8388593, 2147483647])
    def test_a_device_that_rounds_is_refused(self, p: int, torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """As where products are made from ones with fewer bits: one part in 2^20 is lost."""
        product = torch.Tensor.__matmul__
        monkeypatch.setattr(torch.Tensor, "__matmul__", lambda left, right: product(left, right) * (1 + 2.0**-20))
        with pytest.raises(InvalidArgument, match="whose products of exact numbers are rounded"):
            device_arithmetic(PrimeField(p), 0, "cpu")
