"""The rank of what a function sees: never below a proven dimension, equal to most, and what it says of directions that
no symmetry explains.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import sys
from math import prod
from typing import Any

import pytest

import algatt
from algatt import Network, verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import DivisionByZero
from algatt.fields.tangents import TooManyTangents
from algatt.geometry.dimensions import witness as module
from algatt.geometry.dimensions.dimension import doubt
from algatt.geometry.dimensions.question import Options, Question
from algatt.geometry.dimensions.witness import PRIMES, Witness, witness_of
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Linear,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
    SoftmaxRouter,
    Unembedding,
)
from algatt.sweeps.questions import answer_of_report
from algatt.testing.market import market
from algatt.views.tables import print_summary


def determinantal(rank: int, rows: int, columns: int) -> int:
    """Return the dimension of the matrices of at most a rank."""
    rank = min(rank, rows, columns)
    return rank * (rows + columns - rank)


def covered_by_theorems() -> list[tuple[Architecture, int]]:
    """Return networks of attention with their dimensions by HMK Corollaries 3.3 and 3.8 and Theorem 3.9; and of one
    token with that of the matrices of a rank.
    """
    found: list[tuple[Architecture, int]] = []
    for d, e, a in itertools.product((2, 3, 4), (1, 2, 4), (1, 2, 3)):
        for kind in (algatt.Lightning, algatt.Softmax):
            arch = kind(dims=(d, e), ranks=(a,), tokens=3)
            expected = algatt.expected_dimension(arch)
            assert expected is not None
            found.append((arch, expected))
    for d, a, e in itertools.product((2, 3), (2, 3), (3, 4)):
        arch = algatt.Lightning(dims=(e, d, e), ranks=(a, 2), tokens=2)
        expected = algatt.expected_dimension(arch)
        assert expected is not None
        found.append((arch, expected))
    for dims in itertools.product((2, 3, 4), repeat=3):
        arch = algatt.Softmax(dims=dims, ranks=(1, 2), tokens=1)
        found.append((arch, determinantal(min(dims), dims[0], dims[-1])))
    return found


@pytest.mark.parametrize(("arch", "dimension"), covered_by_theorems(), ids=str)
def test_the_witness_is_what_theorems_say(arch: Architecture, dimension: int) -> None:
    """With no symmetries at all."""
    witness = witness_of(algatt.expression(arch), (), 0)
    assert witness is not None
    assert (witness.value, witness.error < 1e-9) == (dimension, True)


@pytest.mark.sample(2)
@pytest.mark.parametrize("arch", {str(one.arch): one.arch for one in market().values()}.values(), ids=str)
def test_the_witness_of_the_networks_of_the_market_is_their_dimension(arch: Architecture) -> None:
    """tests/scripts/test_random_networks.py asks random ones."""
    report, witness = algatt.dimension(arch), Question(arch).witness
    assert witness is not None
    assert (report.status, report.value) == ("proven", witness.value)


SOFTMAX = algatt.expression(algatt.Softmax(dims=(4, 3, 4), ranks=(2, 2), tokens=1))
"""Of one token: all 4 x 4 matrices of rank 3."""

NARROW = Network(
    Embedding(6, 2)
    >> LearnedPosition()
    >> Linear(4)
    >> Residual(LayerNorm() >> Heads(2, mask=Causal(), biases="QKVO"))
    >> Linear(2)
    >> Unembedding(6),
    tokens=3,
)
"""Tokens are embedded in less than the stream, as in OPT."""


def float_rank(arch: Network) -> int:
    """Return the rank of a Jacobian in floating point, with a gap."""
    reals = algatt.Reals()
    theta = algatt.sample(arch, algatt.Weights, field=reals, seed=0)
    count = min(arch.sequences or 150, 300)
    rows = algatt.jacobian(arch, theta, algatt.sample_inputs(arch, field=reals, seed=0, count=count))
    verdict = algatt.rank(rows)
    assert verdict.gap > 1e4
    return verdict.rank


@pytest.fixture
def no_symmetries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world in which no symmetry is known."""
    for name in ("symmetries_to_first_order", "frequent_symmetries"):
        monkeypatch.setattr(f"algatt.geometry.dimensions.question.{name}", lambda arch: ())


PLANTED = [
    (SOFTMAX, determinantal(3, 4, 4)),
    (algatt.expression(algatt.Lightning((3, 3), (2,), 2)), 16),  # HMK Corollary 3.3
    (algatt.expression(algatt.Softmax((3, 2, 3), (2, 2), 2)), 8 + 6 + 4 + 6 - 4),  # HMK Conjecture 3.10
    (Network(Linear(3) >> Linear(2) >> Linear(3), tokens=2, width=3), determinantal(2, 3, 3)),
    (Network(Feedforward(4, ReLU()), tokens=2, width=3), 4 * 6 - 4),
    (NARROW, None),
    (Network(Residual(Heads(2, norm=LayerNorm())), tokens=3, width=4), None),
    (Network(Residual(RMSNorm() >> Heads(2, mask=Causal())), tokens=3, width=4), None),
    (Network(Residual(Experts(2, Feedforward(1, GELU()), SoftmaxRouter())), tokens=3, width=3), None),
    (Network(Residual(RMSNorm() >> Feedforward(2, SiLU(), gated=True)), tokens=3, width=3), None),
]


@pytest.mark.sample(0)
@pytest.mark.usefixtures("no_symmetries")
@pytest.mark.parametrize(("arch", "truth"), PLANTED, ids=str)
def test_the_directions_that_no_symmetry_explains_are_counted(arch: Network, truth: int | None) -> None:
    """The truth is that of a theorem, or of floating point."""
    report = algatt.dimension(arch)
    truth = float_rank(arch) if truth is None else truth
    assert (report.value, report.status) == (truth, "probable")
    assert report.upper > truth
    assert (report.unexplained, report.error < 1e-9) == (report.upper - truth, True)
    assert report.witness is not None
    assert report.witness.primes == PRIMES


def test_where_the_bounds_meet_no_witness_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "witness_of", None)
    report = algatt.dimension(algatt.Lightning((4, 3, 4), (2, 2), 3))
    assert (report.status, report.witness, report.unexplained) == ("proven", None, None)
    written = report.to_dict()
    assert written["witness"] is written["unexplained"] is None
    assert "unexplained" not in dict(verbs.summarize(report).rows)


@pytest.mark.usefixtures("no_symmetries")
def test_what_is_said_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    report = algatt.dimension(algatt.expression(algatt.Lightning((3, 3), (2,), 2)), seed=5)
    written = json.loads(json.dumps(report.to_dict()))
    assert written["unexplained"] == 5
    assert written["witness"] == {"value": 16, "points": [5, 6, 7], "primes": list(PRIMES), "error": report.error}
    print_summary(report, sys.stdout)
    out = " ".join(capsys.readouterr().out.split())
    assert "unexplained 5; what the function sees has rank 16 at 3 random points, which is too small with prob" in out
    assert "unexplained" in report._repr_html_()
    assert answer_of_report(report).evidence["unexplained"] == 5


@pytest.mark.usefixtures("no_symmetries")
def test_without_a_witness_the_answer_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    arch = algatt.expression(algatt.Softmax((3, 2), (2,), 2))
    size = arch.parameters * len(program(arch).instructions)
    for name, most in (("MOST_WORK", size - 1), ("MOST_DERIVATIVES", 10)):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, most)
            report = algatt.dimension(arch)
        assert (report.status, report.error) == ("probable", 1)
        assert report.witness is report.unexplained is None

    def fail(*arguments: Any) -> None:
        raise TooManyTangents

    monkeypatch.setattr(module, "MOST_WORK", size)
    assert witness_of(arch, (), 0) is not None
    monkeypatch.setattr(module, "seen_of", fail)
    assert witness_of(arch, (), 0) is None


def test_a_point_without_a_function_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_of, arch = module.seen_of, algatt.expression(algatt.Lightning((2, 2), (1,), 2))

    def some(arch: Architecture, theta: Any, *arguments: Any) -> Any:
        if theta.field.p in missing:
            raise DivisionByZero("a denominator")
        return seen_of(arch, theta, *arguments)

    monkeypatch.setattr(module, "seen_of", some)
    missing: tuple[int, ...] = ()
    whole = witness_of(arch, (), 0)
    missing = PRIMES[1:2]
    found = witness_of(arch, (), 0)
    assert whole is not None
    assert found is not None
    assert (found.value, found.points, found.primes) == (whole.value, (0, 2), PRIMES[::2])
    assert found.error > whole.error * 1e6
    missing = PRIMES
    assert witness_of(arch, (), 0) is None


def test_the_largest_value_counts_and_all_points_have_to_err(monkeypatch: pytest.MonkeyPatch) -> None:
    ranks = iter((5, 7, 6))
    monkeypatch.setattr(module, "rank_beside", lambda *arguments: next(ranks))
    arch = algatt.expression(algatt.Lightning((2, 2), (1,), 2))
    found = witness_of(arch, (), 0)
    assert found is not None
    assert found.value == 7
    # at a point p times the probability is rounded up to a power of 2, and twice the product is over all such powers
    cost = round((found.error * prod(PRIMES) / 2) ** (1 / 3))
    assert cost & (cost - 1) == 0


@pytest.mark.parametrize(
    ("value", "lower", "missed", "error"),
    [(5, 5, 0.5, 1e-9), (6, 5, 0.5, 0.5), (4, 5, 0.5, 1e-9), (5, 5, 1e-12, 1e-12)],
)
def test_the_error_is_that_of_the_bound_that_errs_less(
    value: int, lower: int, missed: float, error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A witness above the lower bound says nothing about it."""
    monkeypatch.setattr(module, "witness_of", lambda *arguments: Witness(value, (0,), PRIMES[:1], 1e-9))
    question = Question(algatt.Lightning((2, 2), (1,), 2), Options())
    assert doubt(question, lower, missed) == error
    monkeypatch.setattr(module, "witness_of", lambda *arguments: None)
    assert doubt(Question(algatt.Lightning((2, 2), (1,), 2)), lower, missed) == missed


def test_symmetries_that_the_form_does_not_know_are_taken_off() -> None:
    """Of two layers of rank one only a symmetry says that the tokens are parallel behind the first."""
    arch = algatt.Lightning((4, 3, 1), (1, 2), 2)
    alone, beside = (witness_of(arch, families, 0) for families in ((), algatt.symmetries(arch)))
    assert alone is not None
    assert beside is not None
    assert beside.value < alone.value
    assert beside.value == algatt.dimension(arch).value


@pytest.mark.usefixtures("no_symmetries")
@pytest.mark.parametrize(("value", "unexplained"), [(10, 5), (16, 5), (18, 3), (21, 0), (30, 0)])
def test_directions_are_counted_within_the_proven_bounds(value: int, unexplained: int) -> None:
    report = algatt.dimension(algatt.expression(algatt.Lightning((3, 3), (2,), 2)))
    assert (report.lower, report.upper) == (16, 21)
    assert dataclasses.replace(report, witness=Witness(value, (0,), PRIMES[:1], 0.5)).unexplained == unexplained
