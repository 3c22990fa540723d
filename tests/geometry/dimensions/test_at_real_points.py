"""Dimensions of networks that read tokens and have exponentials or roots: minors at real points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Balls, Elementary, Network, verbs
from algatt.errors import InvalidArgument, SymmetryError
from algatt.fields import Elements, Erf, Exp, FloatBalls
from algatt.fields.functions import Function
from algatt.geometry.dimensions import ball_bounds, declared
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.real_point import real_weights
from algatt.layers import (
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LearnedPosition,
    ReLU,
    Residual,
    Rotary,
    SigmoidRouter,
    SiLU,
    Unembedding,
)
from token_networks import token_networks


@pytest.mark.sample(2)
@pytest.mark.parametrize("net", token_networks(), ids=str)
def test_balls_find_the_same(net):
    report, other = algatt.dimension(net), algatt.dimension(net, field=Balls())
    assert (report.lower, report.upper) == (other.lower, other.upper)
    assert isinstance(report.field, FloatBalls)
    assert (report.status == "proven") == (other.status == "proven")


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("net", token_networks()[1:4] + token_networks()[15:17], ids=str)
def test_other_seeds_say_the_same(net, seed):
    report, other = algatt.dimension(net, seed=seed), algatt.dimension(net, field=Balls())
    assert (report.lower, report.upper) == (other.lower, other.upper)


@pytest.mark.parametrize("net", [token_networks()[number] for number in (10, 14, 22)], ids=str)
def test_a_minor_below_the_upper_bound_is_regular_over_balls_of_200_bits(net):
    question = Question(net)
    report = algatt.dimension(net)
    assert report.lower < report.upper
    assert (report.status, report.error) == ("probable", 1.0)
    minor, field = report.evidence.lower.minor, Balls(200)
    numbers, outputs = np.divmod(np.array(minor.rows), net.outputs)
    choice = ball_bounds.Choice(numbers, outputs, np.array(minor.columns))
    matrix = ball_bounds.rows_by_balls(question, field, report.seed, choice, None)
    assert ball_bounds.pivots_from_below(field, matrix).__len__() == report.lower


@dataclass(frozen=True, repr=False)
class Table(Layer):
    """A function of three tokens, written in what is chosen for each of them."""

    kind: str

    @property
    def name(self) -> str:
        return ""


@verbs.vocabulary.method
def vocabulary_of_table(layer: Table) -> int:
    return 3


@verbs.tensors.method
def tensors_of_table(layer: Table, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"A": (1, 2), "B": (3, 1), "C": (3, 1), "D": (3, 1)}


@verbs.apply.method
def apply_table(layer: Table, w: Any, X: Elements) -> Elements:
    """Three tokens have the values B r_0 + C, C r_1 + D and B r_2 - D. If r_2 is r_0 r_1 then the sum of the last two
    is r_1 times the first. So nine numbers have 2 * 3 + 1 dimensions; without the relation they may have nine.
    """
    first, second = (np.array([row]) @ X for row in ([1, 0, 1], [0, 1, 1]))
    if layer.kind == "exp":
        r = (w.A[:, :1] * first + w.A[:, 1:] * second).exp()
    else:
        squares = w.A * w.A + 1
        r = ((squares[:, :1] * first + 1 - first) * (squares[:, 1:] * second + 1 - second)).sqrt()
    b, c, one, d = (np.array([row]) @ X for row in ([1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, -1]))
    return w.B @ (r * b) + w.C @ (r * c + one) + w.D @ d


@pytest.mark.parametrize("kind", ["exp", "root"])
def test_relations_between_the_functions_of_different_tokens(kind):
    assert algatt.dimension(Network(Table(kind), tokens=1)).lower == 7


@dataclass(frozen=True, repr=False)
class Distances(Layer):
    """B f(a_i - a_j) + C_i for the tokens i and j: the argument is 0 where they are equal."""

    function: Function

    @property
    def name(self) -> str:
        return ""


@verbs.vocabulary.method
def vocabulary_of_distances(layer: Distances) -> int:
    return 3


@verbs.tensors.method
def tensors_of_distances(layer: Distances, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"a": (1, 3), "B": (2, 1), "C": (2, 3)}


@verbs.apply.method
def apply_distances(layer: Distances, w: Any, X: Elements) -> Elements:
    a = w.a @ X
    return w.B @ (a[:, :1] - a[:, 1:]).entrywise(layer.function) + w.C @ X[:, :1]


@pytest.mark.parametrize("function", [Exp(), Erf()])
def test_a_number_added_to_all_positions_changes_nothing(function):
    report = algatt.dimension(Network(Distances(function), tokens=2))
    assert (report.value, report.parameters) == (10, 11)


def test_biases_of_queries_and_keys_that_rotary_positions_turn():
    """A change of basis of the stream, a complex number for the one frequency, GL(2) of the values; turned biases are
    seen.
    """
    heads = Heads(1, position=Rotary(layout="halves"), biases="QK")
    net = Network(Embedding(4, 2) >> Residual(heads) >> Unembedding(4), tokens=2)
    report = algatt.dimension(net)
    assert (report.status, net.parameters - report.lower) == ("proven", 2**2 + 2 + 2**2)


def test_experts_that_few_sequences_choose():
    """Seen in some region at least are both columns of U and E with positions up to GL(2), and what one expert has."""
    experts = Experts(4, Feedforward(1, SiLU()), SigmoidRouter(top=1, correction=True))
    net = Network(Embedding(6, 2) >> LearnedPosition() >> Residual(experts) >> Unembedding(6), tokens=2)
    report, other = algatt.dimension(net), algatt.dimension(net, seed=5)
    assert (report.lower, report.upper) == (other.lower, other.upper)
    assert report.lower == max(report.regions.ranks)


def test_a_false_symmetry_is_found(monkeypatch):
    net = Network(Embedding(3, 2) >> Residual(Heads(1, width=2)) >> Unembedding(3), tokens=2)
    directions = declared.random_direction
    monkeypatch.setattr(declared, "random_direction", lambda *given: directions(*given) + 1)
    with pytest.raises(SymmetryError):
        algatt.dimension(net)


def test_residues_and_what_belongs_to_them_are_refused(tmp_path):
    net = token_networks()[0]
    with pytest.raises(InvalidArgument, match="it should be None or Balls"):
        algatt.dimension(net, field=Elementary())
    with pytest.raises(InvalidArgument, match="given for a computation modulo a prime"):
        algatt.dimension(net, checkpoint=tmp_path / "elimination")


def test_equal_reports_for_equal_seeds():
    net = token_networks()[15]
    one, two = (algatt.dimension(net, seed=2) for _ in range(2))
    assert one == two
    assert one.evidence == two.evidence


@pytest.mark.parametrize(("function", "least", "most"), [(ReLU(), 0, 2**-4), (SiLU(), 2**-4, 1)])
def test_biases_are_small_where_there_are_gates(function, least, most):
    """Columns of numbers between -2 and 2 as they are drawn: one of four at least is not small."""
    net = Network(Feedforward(4, function, bias=True), tokens=1, width=2)
    theta = real_weights(net, 0)
    sizes = dict(zip(theta.names(), (np.abs(one.raw).max() for one in theta.elements), strict=True))
    largest = max(size for name, size in sizes.items() if theta.tensors[name].shape[-1] == 1)
    assert least < largest < 2 * most
