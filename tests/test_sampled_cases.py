"""Which cases of a parametrised test run without ``--all-cases``."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from sampled_cases import MOST, sample

NAMES = [f"{dims}-{prime}" for dims in range(30) for prime in range(10)]

TESTS = """
import pytest

@pytest.mark.parametrize("n", range(100))
def test_many(n): pass

@pytest.mark.sample(5)
@pytest.mark.parametrize("n", range(100))
def test_few(n): pass

@pytest.mark.sample(0)
def test_long(): pass

def test_one(): pass
"""


@pytest.mark.sample(100)
@pytest.mark.parametrize("most", range(1, 30))
@pytest.mark.parametrize("count", [1, 2, 3, 29, 300])
def test_a_sample_has_its_size_its_ends_and_is_the_same_again(count, most):
    names = NAMES[:count]
    kept = sample(names, most)
    assert len(kept) == min(most, count)
    assert names[0] in kept
    assert most == 1 or names[-1] in kept
    assert kept == sample(names, most) <= set(names)


def test_nothing_is_kept_of_a_long_test():
    assert sample(["test"], 0) == set()


def test_a_sample_is_spread_and_no_stretch_is_longer_than_two_steps():
    places = sorted(map(NAMES.index, sample(NAMES, 12)))
    assert max(b - a for a, b in pairwise(places)) <= 60


def test_crossed_parameters_are_not_met_in_step():
    assert len({name.split("-")[1] for name in sample(NAMES, 12)}) > 4


def test_pytest_says_what_it_leaves_out_and_runs_the_rest(tmp_path):
    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {Path(__file__).parent / 'shared'}", encoding="utf-8")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["sampled_cases"]', encoding="utf-8")
    (tmp_path / "test_cases.py").write_text(TESTS, encoding="utf-8")
    header, _, rest = run().partition("collected")
    assert "All run with --all-cases" in header
    assert f" 202 items / {202 - MOST - 6} deselected / {MOST + 6} selected" in rest
    assert "202 passed" in run("--all-cases")
    assert "1 passed" in run("test_cases.py::test_many[50]")
