"""The compiled loops one by one, against Python integers."""

import os
import subprocess
import sys
from pathlib import Path

import flint
import numpy as np
import pytest

from algatt.linalg import compiled
from algatt.linalg.arithmetic import ROUND, CompiledFloats, in_line
from algatt.linalg.product import exact_length

PRIMES = (3, 31, 8388593, 16777213, 2147483629, 2147483647)  # 1.0 / 2147483629 is much below the true inverse


@pytest.mark.parametrize("p", PRIMES)
def test_multiply_where_the_quotient_is_next_to_an_integer(p):
    """Products that are just above and just below a multiple of p are where a float quotient is off by one."""
    rng = np.random.default_rng(0)
    factors = {1, 2, p // 2, p - 2, p - 1, *(int(a) for a in rng.integers(1, p, 300))} - {0}
    for a in factors:
        inverse = pow(a, -1, p)
        for residue in (0, 1, 2, p - 2, p - 1):
            b = residue % p * inverse % p
            assert compiled.multiply(a, b, p, 1.0 / p) == a * b % p
            assert compiled.multiply(a, p - 1, p, 1.0 / p) == a * (p - 1) % p


@pytest.mark.parametrize("p", PRIMES)
def test_invert_returns_the_residue_between_0_and_p(p):
    rng = np.random.default_rng(1)
    for a in {1, p - 1, (p + 1) // 2, *(int(a) for a in rng.integers(1, p, 300))}:
        assert compiled.invert(a, p) == pow(a, -1, p)


def balanced(residues, p):
    return np.array([x - p if 2 * x > p else x for x in residues], dtype=np.float64)


@pytest.mark.parametrize("p", PRIMES)
def test_subtract_reduced_on_the_largest_amounts(p):
    rng = np.random.default_rng(2)
    target = balanced(rng.integers(0, p, 64), p)
    limit = min(2**53 - p, 2**50 * p)  # the quotient is rounded by adding and subtracting 1.5 * 2^52
    amount = np.concatenate([rng.integers(-limit, limit, 60), [limit, -limit, 0, p]]).astype(np.float64)
    expected = [(int(x) - int(y)) % p for x, y in zip(target, amount, strict=True)]
    around = np.full((8, 11), 7.0)
    result = around[:, 2:10]
    result[:] = target.reshape(8, 8)
    compiled.subtract_reduced(*in_line(result), amount.reshape(8, 8), float(p), 1.0 / p, ROUND)
    assert [int(x) % p for x in result.ravel()] == expected
    assert np.abs(result).max() <= p / 2 + 2
    assert (around[:, [0, 1, 10]] == 7).all()


@pytest.mark.parametrize("p", [503, 8388593, 2147483647])
def test_products_are_subtracted_wherever_the_entries_of_a_matrix_lie(p):
    """Rows apart from each other, columns one behind the other, every other entry, backwards, upside down, one row."""
    rng = np.random.default_rng(4)
    calculus = CompiledFloats(p)
    left, right = (rng.integers(-(p // 2), p // 2, shape).astype(calculus.at_rest) for shape in ((6, 3), (3, 5)))
    views = (
        lambda a: a[:6, 1:6],
        lambda a: a[:6, :5].T.copy().T,
        lambda a: a[:6, ::2][:, :5],
        lambda a: a[:6, 5:0:-1],
        lambda a: a[5::-1, :5],
        lambda a: a[::2][:6, :5],
        lambda a: a[:1, ::2][:, :5],
        lambda a: np.broadcast_to(a[:1, :5], (1, 5)).copy(),
    )
    for view in views:
        around = rng.integers(-(p // 2), p // 2, (12, 12)).astype(calculus.at_rest)
        target = view(around)
        height = len(target)
        expected = target.astype(np.int64).astype(object) - left[:height].astype(np.int64).astype(
            object
        ) @ right.astype(np.int64)
        marked = around.copy()
        calculus.subtract_rows(target, left[:height], right)
        assert not ((target.astype(np.int64).astype(object) - expected) % p).any()
        if np.shares_memory(target, around):
            view(marked)[...] = target
            assert np.array_equal(around, marked)


@pytest.mark.parametrize("p", [16777259, 2147483647])
def test_subtract_limbs_on_large_amounts(p):
    rng = np.random.default_rng(3)
    target = balanced(rng.integers(0, p, 64), p)
    high, low = (rng.integers(-(2**51), 2**51, 64).astype(np.float64) for _ in range(2))
    expected = [(int(x) - (2**15 * int(h) + int(w))) % p for x, h, w in zip(target, high, low, strict=True)]
    result = target.reshape(8, 8).copy()
    compiled.subtract_limbs(*in_line(result), high.reshape(8, 8), low.reshape(8, 8), float(p), 1.0 / p)
    assert [int(x) % p for x in result.ravel()] == expected
    assert np.abs(result).max() <= p / 2 + 2


@pytest.mark.parametrize("p", PRIMES)
def test_balance_and_unbalance_are_inverse_to_each_other(p):
    residues = np.concatenate([np.random.default_rng(4).integers(0, p, 60), [0, p - 1, p // 2, (p + 1) // 2]]).reshape(
        8, 8
    )
    work = np.empty((8, 8))
    compiled.balance(residues, work, float(p), 1.0 / p)
    assert np.abs(work).max() <= p / 2 + 2
    assert np.array_equal(work.astype(np.int64) % p, residues)
    compiled.unbalance(work, work, float(p))
    assert np.array_equal(work, residues)


@pytest.mark.parametrize("p", [2, 3, 503, 8388593, 16777213])
@pytest.mark.parametrize("height", [1, 40, 150])
def test_windows_of_the_largest_residues_are_eliminated_exactly(p, height):
    """Modulo 16777213 no more than 128 updates of a row add up exactly; the oracle is Python's integers."""
    rng = np.random.default_rng(height)
    window = np.where(rng.random((height, height + 5)) < 0.5, p // 2, -(p // 2)).astype(np.float64)
    window[:, 2] = 0
    window[-1] = window[0]
    free = np.ones(height, dtype=bool)
    free[height // 2] = height == 1
    both = np.hstack([window, np.eye(height)])
    rows, columns = np.empty(height, dtype=np.intp), np.empty(height, dtype=np.intp)
    most = exact_length(p, p // 2 + 2)
    rank, determinant = compiled.eliminate_floats(both, free, window.shape[1], float(p), most, rows, columns)
    rows, columns = rows[:rank], columns[:rank]
    transform = both[:, window.shape[1] :].astype(np.int64).astype(object)
    reduced = transform @ window.astype(np.int64).astype(object) % p
    assert (reduced == both[:, : window.shape[1]].astype(np.int64).astype(object) % p).all()
    assert (reduced[np.ix_(rows, columns)] == np.eye(rank)).all()
    others = np.setdiff1d(np.arange(height), rows)
    assert not reduced[np.ix_(others, columns)].any()
    assert not reduced[free].any()
    assert np.abs(both).max() <= p // 2 + 2
    minor = [int(x) % p for x in window[np.ix_(rows, columns)].astype(np.int64).ravel()]
    assert rank == 0 or int(flint.nmod_mat(rank, rank, minor, p).det()) == determinant


LOOP = """
import sys
import numpy as np
from algatt.linalg import compiled
residues = np.array([[-1.0, 2.0, 0.0]])
compiled.unbalance(residues, residues, 7.0)
assert residues.tolist() == [[6.0, 2.0, 0.0]]
"""


@pytest.mark.sample(0)
@pytest.mark.parametrize("kept", [0, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_cut_off_cache_is_made_again(kept: float, ending: str, cache: Path) -> None:
    """As a full disk leaves it; what was compiled is there again after."""
    whole = {path: path.read_bytes() for path in cache.rglob("*.nb?")}
    assert {path.suffix for path in whole} == {".nbi", ".nbc"}
    cut = [path for path in whole if path.suffix == f".{ending}"]
    for path in cut:
        path.write_bytes(whole[path][: int(kept * len(whole[path]))])
    run_loop(cache)
    for path in cut:
        assert len(path.read_bytes()) > int(kept * len(whole[path]))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    run_loop(folder)
    return folder


def run_loop(cache: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    found = subprocess.run([sys.executable, "-c", LOOP], env=environment, capture_output=True, check=False)
    assert found.returncode == 0, found.stderr.decode()[-2000:]
