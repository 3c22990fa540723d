"""Dimensions modulo p of networks that read tokens: those of balls, and counterexamples to what is not checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Balls, Elementary, Network, verbs
from algatt.errors import ConditionFailed, SymmetryError
from algatt.fields import Elements
from algatt.geometry.dimensions.elementary import tokens as module
from algatt.layers import Embedding, Heads, Layer, Residual, RMSNorm, Unembedding
from algatt.maps.elementary.tokens import independence, joint
from algatt.maps.elementary.tokens.places import Relations
from token_networks import token_networks


@pytest.mark.parametrize("net", token_networks(), ids=str)
def test_balls_find_the_same(net):
    report, other = (algatt.dimension(net, field=field) for field in (Elementary(), Balls()))
    assert (report.lower, report.upper) == (other.lower, other.upper)
    assert report.conditions.together
    assert report.conditions.inputs == report.samples


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("net", token_networks()[1:4] + token_networks()[15:17], ids=str)
def test_other_seeds_say_the_same(net, seed):
    report, other = algatt.dimension(net, seed=seed), algatt.dimension(net, field=Balls())
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


def test_constants_under_roots_leave_no_input():
    net = Network(Embedding(3, 2) >> RMSNorm(0, gain=False) >> RMSNorm(0) >> Unembedding(3), tokens=1)
    with pytest.raises(ConditionFailed, match="of no inputs the functions are known to be independent"):
        algatt.dimension(net, field=Elementary())
    assert algatt.dimension(net).reason.startswith("over balls, since of no inputs")


def test_a_false_symmetry_is_found(monkeypatch):
    net = Network(Embedding(3, 2) >> Residual(Heads(1, width=2)) >> Unembedding(3), tokens=2)
    directions = module.combine_tangents
    monkeypatch.setattr(module, "combine_tangents", lambda *given: directions(*given) + 1)
    with pytest.raises(SymmetryError):
        algatt.dimension(net, field=Elementary())


def test_equal_reports_for_equal_seeds():
    net = token_networks()[15]
    one, two = algatt.dimension(net, seed=2), algatt.dimension(net, seed=2)
    assert one == two
    assert one.evidence == two.evidence
