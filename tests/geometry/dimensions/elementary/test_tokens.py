"""Dimensions modulo p of networks that read tokens: those of balls, and counterexamples to what is not checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Balls, Elementary, Network, memory, verbs
from algatt.architectures.base import draw_tokens
from algatt.errors import ConditionFailed, InvalidArgument, NotEnoughMemory, SymmetryError
from algatt.fields import Elements, Erf, Exp
from algatt.fields.functions import Function
from algatt.geometry.dimensions import declared, dimension
from algatt.layers import Causal, Embedding, Heads, Layer, Residual, RMSNorm, Unembedding
from algatt.maps import program
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.tokens import independence, joint
from algatt.maps.elementary.tokens.numbering import number_entries
from algatt.maps.elementary.tokens.places import Relations
from token_networks import token_networks


@pytest.mark.sample(1)
@pytest.mark.parametrize("net", token_networks(), ids=str)
def test_balls_find_the_same(net):
    report, other = (algatt.dimension(net, field=field) for field in (Elementary(), Balls()))
    assert (report.lower, report.upper) == (other.lower, other.upper)
    assert report.conditions.together
    assert report.conditions.inputs == report.samples


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("net", token_networks()[1:4] + token_networks()[15:17], ids=str)
def test_other_seeds_say_the_same(net, seed):
    report, other = algatt.dimension(net, seed=seed, field=Elementary()), algatt.dimension(net, field=Balls())
    assert (report.lower, report.upper) == (other.lower, other.upper)
    assert isinstance(report.field, Elementary)


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


def table(kind: str) -> Network:
    return Network(Table(kind), tokens=1)


def test_a_relation_between_inputs_is_proved_and_the_rank_is_right():
    report = algatt.dimension(table("exp"), field=Elementary())
    assert report.lower == 7
    assert report.conditions.exponents == 2


def test_without_the_check_of_exponents_of_several_inputs_the_rank_is_wrong(monkeypatch):
    monkeypatch.setattr(joint, "find_relations", lambda *_: Relations({}, {}))
    with pytest.raises(ConditionFailed, match="exponents depend on the others"):
        algatt.dimension(table("exp"), field=Elementary())
    monkeypatch.setattr(independence.Look, "check", lambda self: None)
    assert algatt.dimension(table("exp"), field=Elementary()).lower == 9


def test_a_product_of_roots_of_several_inputs_sends_the_network_to_balls(monkeypatch):
    with pytest.raises(ConditionFailed, match="may be squares"):
        algatt.dimension(table("root"), field=Elementary())
    report = algatt.dimension(table("root"))
    assert (report.lower, str(report.field)[:2]) == (7, "RR")
    assert "may be squares" in report.reason


def test_without_the_check_of_roots_of_several_inputs_the_rank_is_wrong(monkeypatch):
    take = joint.take_roots
    monkeypatch.setattr(joint, "take_roots", lambda place, *, check: take(place, check=False))
    found = [algatt.dimension(table("root"), field=Elementary(), seed=seed).lower for seed in range(6)]
    assert max(found) == 9  # where the root of the product is not the product of the roots


def test_inputs_whose_functions_depend_on_others_are_left_out_and_the_rest_may_suffice():
    # Positions have slopes: equal tokens at equal distances have exponents that differ by a constant.
    report = algatt.dimension(token_networks()[9], field=Elementary())
    assert (report.status, report.conditions.inputs < 9) == ("proven", True)


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


@pytest.mark.parametrize(("function", "exponents", "inputs"), [(Exp(), 2, 9), (Erf(), 3, 6)])
def test_exponents_of_zero_are_constants(function, exponents, inputs):
    """A number added to all a_i changes nothing; of 6 differences 2 are independent, and 3 up to signs."""
    report = algatt.dimension(Network(Distances(function), tokens=2), field=Elementary())
    assert (report.value, report.parameters) == (10, 11)
    assert (report.conditions.exponents, report.conditions.inputs) == (exponents, inputs)


def test_constants_under_roots_leave_no_input():
    net = Network(Embedding(3, 2) >> RMSNorm(0, gain=False) >> RMSNorm(0) >> Unembedding(3), tokens=1)
    with pytest.raises(ConditionFailed, match="of no inputs the functions are known to be independent"):
        algatt.dimension(net, field=Elementary())
    assert algatt.dimension(net).reason.startswith("over balls, since of no inputs")


def test_a_false_symmetry_is_found(monkeypatch):
    net = Network(Embedding(3, 2) >> Residual(Heads(1, width=2)) >> Unembedding(3), tokens=2)
    directions = declared.combine_tangents
    monkeypatch.setattr(declared, "combine_tangents", lambda *given: directions(*given) + 1)
    with pytest.raises(SymmetryError):
        algatt.dimension(net, field=Elementary())


def test_equal_reports_for_equal_seeds():
    net = token_networks()[15]
    one, two = (algatt.dimension(net, field=Elementary(), seed=2) for _ in range(2))
    assert one == two
    assert one.evidence == two.evidence


LONG = Network(Embedding(5, 2) >> Residual(Heads(1, mask=Causal())) >> Unembedding(3), tokens=9)


def scores(tokens: np.ndarray) -> int:
    """Count the different pairs of a token and one that it sees; the first token sees itself alone, with weight one."""
    return len({(int(tokens[i]), int(tokens[j])) for j in range(len(tokens)) for i in range(j + 1)} - alone(tokens))


def alone(tokens: np.ndarray) -> set[tuple[int, int]]:
    """Return the pair of the first token with itself, unless it is met again beside another one."""
    first = int(tokens[0])
    again = [j for j in range(1, len(tokens)) if tokens[j] == first and (tokens[: j + 1] != first).any()]
    return set() if again else {(first, first)}


def test_a_sequence_with_too_many_exponents_is_refused_before_all_are_numbered(monkeypatch):
    numbered = []

    def number(reading: Any, inputs: np.ndarray, gates: Any) -> Any:
        numbered.append(len(inputs))
        return number_entries(reading, inputs, gates)

    monkeypatch.setattr(joint, "number_entries", number)
    count = scores(draw_tokens(LONG, 0, 0, 1)[0])
    monkeypatch.setattr(joint, "MOST_EXPONENTS", count - 1)
    with pytest.raises(ConditionFailed, match=f"one sequence has {count} exponents, and no more than {count - 1} can"):
        algatt.dimension(LONG, field=Elementary())
    assert numbered == [1]
    monkeypatch.setattr(joint, "MOST_EXPONENTS", count)
    with pytest.raises(ConditionFailed, match=f"more than {count} exponents are in all of them"):
        algatt.dimension(LONG, field=Elementary())
    assert numbered[1] == 1
    assert len(numbered) == 3  # more sequences are of no use


def test_large_networks_are_not_computed_over_balls_unless_that_is_asked_for(monkeypatch):
    monkeypatch.setattr(dimension, "dimension_in_floats", lambda question: None)
    monkeypatch.setattr(joint, "MOST_EXPONENTS", 2)
    monkeypatch.setattr(dimension, "MOST_BY_BALLS", LONG.parameters - 1)
    with pytest.raises(InvalidArgument, match=r"residues do not do: one sequence has .* fewer tokens") as caught:
        algatt.dimension(LONG)
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(dimension, "MOST_BY_BALLS", LONG.parameters)
    assert "one sequence has" in algatt.dimension(LONG).reason


def test_functions_that_do_not_fit_are_refused_before_they_are_numbered(monkeypatch):
    monkeypatch.setattr(joint, "number_entries", None)
    monkeypatch.setattr(memory, "available_memory", lambda: 10**5)
    # 2 x 2 times 2 x 9 for queries, keys, values and outputs; scores and values of 9 x 9; logits
    products = 4 * 36 + 2 * 162 + 54 + 81
    reading = read(program(LONG))
    assert joint.products(reading) == products
    monkeypatch.setattr(memory, "available_memory", lambda: 100 * products - 1)
    with pytest.raises(NotEnoughMemory, match="functions of the weights at one sequence"):
        joint.check_one_sequence(reading, np.zeros((1, 5, 9), dtype=int), {})
