"""A question for a dimension: its options are checked before any work, what it needs of a network is computed once, and
few files take part in an answer.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import algatt
from algatt import PrimeField, Reals
from algatt.errors import InvalidArgument
from algatt.geometry import AutoPoints, Copies, RandomPoints
from algatt.geometry.dimensions import question as module
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.question import Options, Question
from algatt.layers import Causal, Feedforward, Heads, Linear, Parallel, ReLU, Residual, RMSNorm, SiLU
from algatt.linalg import Auto, Blas, Galois

FOLDER = Path(algatt.__file__).parent

MOST_FILES = 47
"""Maximum number of files of the package whose functions run in one answer for two blocks; the design aims at 45."""


def blocks(hidden: int = 6) -> algatt.Network:
    """Two blocks of a transformer, not seen before by any cache if `hidden` is new."""
    block = Residual(RMSNorm() >> Heads(2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(hidden, SiLU()))
    return algatt.Network(2 * block, tokens=3, width=4)


def calls_in(question: Any) -> Counter[tuple[str, str]]:
    """Count the calls of each function of the package: its file and its name."""
    seen: Counter[tuple[str, str]] = Counter()

    def follow(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(FOLDER)):
            seen[str(Path(code.co_filename).relative_to(FOLDER)), code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        question()
    finally:
        sys.setprofile(before)
    return seen


def test_one_answer_passes_through_few_files_and_computes_nothing_twice() -> None:
    for hidden in (5, 6):  # imports, and the choice of methods after the last of them
        algatt.dimension(blocks(hidden))
    report: list[Any] = []
    calls = calls_in(lambda: report.append(algatt.dimension(blocks(7))))
    assert report[0].status == "proven"
    assert len({file for file, _ in calls}) <= MOST_FILES
    named = Counter({name: count for (_, name), count in calls.items()})
    once = ("program", "frequent_symmetries", "fold_gains", "degrees_of_values", "Question.program")
    assert {name: named[name] for name in once} == dict.fromkeys(once, 1)
    assert named["Uses.__post_init__"] == 1  # of the program
    assert not named["symmetries_to_first_order"]  # those that are frequent meet the rank


@pytest.mark.parametrize(
    ("arch", "enough"),
    [
        (blocks(4), True),
        (algatt.Network(Linear(2) >> Heads(1) >> Linear(3), tokens=3, width=4), True),
        (algatt.Network(Residual(RMSNorm() >> Heads(2)) >> Linear(3), tokens=1, width=4), False),  # no score is seen
        (algatt.Network(Parallel(Heads(1), Linear(3)), tokens=2, width=3), True),
        (algatt.Network(Residual(Heads(1) >> Linear(3, bias=True)), tokens=2, width=3), True),  # all are asked for
    ],
    ids=str,
)
def test_seldom_symmetries_are_asked_for_where_the_frequent_ones_do_not_meet_the_rank(
    arch: algatt.Network, enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question(arch)
    theta = algatt.sample(arch, algatt.Weights, field=PrimeField(), seed=0)
    likely = upper_bound(question, PrimeField(), theta, question.likely_symmetries).value
    report = algatt.dimension(arch)
    assert (likely == report.upper) == enough
    monkeypatch.setattr(Question, "likely_symmetries", property(lambda question: question.symmetries))
    whole = algatt.dimension(arch)
    assert (report.value, report.upper, report.status) == (whole.value, whole.upper, whole.status)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed was -1; it should be an integer >= 0"),
        ({"seed": 0.5}, "seed was 0.5; it should be an integer >= 0"),
        ({"error": 0}, "error was 0; it should be a probability between 0 and 1"),
        ({"error": "small"}, "error was 'small'; it should be a probability between 0 and 1"),
        ({"gap": 1}, "gap was 1; it should be a number above 1"),
        ({"gap": "wide"}, "gap was 'wide'; it should be a number above 1"),
        ({"progress": 3}, r"progress was 3; it should be a callable progress\(done, total\)"),
        ({"points": 3}, r"points was 3; it should be AutoPoints\(\), RandomPoints\(\), SideBySide\(\) or Copies\(\)"),
        ({"engine": 3}, r"engine was 3; it should be Auto\(\), Blas\(\)"),
        ({"engine": Galois()}, r"engine was Galois\(\); it should be Auto\(\), Blas\(\) or Gpu\(\), to which rows"),
    ],
    ids=str,
)
def test_what_is_no_option_is_said_before_any_work(
    options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidArgument, match=message):
        Options(**options)
    ask = algatt.dimension  # loaded before what it asks is taken away
    monkeypatch.setattr(algatt.verbs, "measure_at", None)
    with pytest.raises(InvalidArgument, match=message):
        ask(algatt.Lightning((2, 2), (1,), 2), **options)


def test_options_have_the_defaults_of_the_verb() -> None:
    assert Options() == Options(points=AutoPoints(), engine=Auto())
    assert Options(engine=Blas(), points=Copies(3)).points == Copies(3)
    found = Question(blocks()).with_options(error=0.5, field=PrimeField(31))
    assert found.options == Options(error=0.5, field=PrimeField(31))


@pytest.mark.parametrize(("least", "points"), [(2**13, RandomPoints()), (0, AutoPoints())])
def test_small_networks_are_looked_at_at_random_points(
    least: int, points: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY_PARAMETERS", least)
    assert Question(blocks()).points == points
    assert Question(blocks(), Options(points=Copies())).points == Copies()
    assert Question(blocks(), Options(points=RandomPoints())).points == RandomPoints()


def test_a_question_about_a_piece_has_the_same_options_and_began_at_the_same_time() -> None:
    whole = Question(blocks(), Options(seed=3))
    piece = whole.about(blocks(2))
    assert (piece.arch, piece.options, piece.began) == (blocks(2), whole.options, whole.began)
    assert piece.parameters < whole.parameters


@pytest.mark.parametrize(
    ("layers", "gates", "regions"),
    [(RMSNorm(), False, True), (Heads(1), False, False), (Feedforward(2, ReLU()), True, True)],
    ids=str,
)
def test_gates_and_regions_are_read_off_the_program(layers: Any, gates: bool, regions: bool) -> None:
    found = Question(algatt.Network(layers, tokens=2, width=2))
    assert (found.has_gates, found.has_regions) == (gates, regions)


def test_a_checkpoint_and_an_engine_are_for_computations_modulo_a_prime(tmp_path: Path) -> None:
    arch = algatt.Lightning((2, 2), (1,), 2)
    for field in (Reals(), algatt.Balls()):
        with pytest.raises(InvalidArgument, match=r"checkpoint was given with .*; it should be given for a comp"):
            algatt.dimension(arch, field=field, checkpoint=tmp_path / "saved")
        with pytest.raises(InvalidArgument, match=r"engine was Blas\(\) with .*; it should be given for a computation"):
            algatt.dimension(arch, field=field, engine=Blas())
    assert not list(tmp_path.iterdir())
