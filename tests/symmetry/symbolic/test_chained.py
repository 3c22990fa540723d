"""Long stacks in which the arrows of a block move what is in the next one."""

from importlib import import_module

import pytest

from algatt import Network
from algatt.layers import (
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Linear,
    Named,
    ReLU,
    Residual,
    Tie,
    Unembedding,
)
from algatt.symmetry import symbolic_symmetries
from algatt.symmetry.symbolic.arrows import Arrow, Arrows
from algatt.symmetry.symbolic.chained import continue_between
from algatt.symmetry.symbolic.measure import measure
from algatt.symmetry.symbolic.smaller.shortened import shortened
from algatt.symmetry.symbolic.stacks import measure_chained


def behind(blocks, begin, end):
    """Blocks with norms behind their parts."""
    norm = LayerNorm()
    attention = Heads(2, width=2, mask=Causal(), biases="QKVO")
    block = Residual(attention) >> norm >> Residual(Feedforward(3, ReLU(), bias=True)) >> norm
    return begin >> LearnedPosition() >> blocks * block >> end


def opt(blocks):
    """The embedding is narrower than the stream, and no norm is before the first block or behind the last one."""
    begin = Embedding(5, 3) >> Named("project_in", Linear(4))
    end = Named("project_out", Linear(3)) >> Unembedding(5)
    return Network(Tie(behind(blocks, begin, end), {"unembedding.U": "embedding.E"}), tokens=3)


def bert(blocks):
    """The gain behind the last block is folded into the matrix behind it, those between blocks are not."""
    end = Named("head", Linear(4, bias=True) >> LayerNorm()) >> Unembedding(5, bias=True)
    return Network(behind(blocks, Embedding(5, 4), end), tokens=3)


@pytest.mark.sample(1)
@pytest.mark.parametrize("make", [opt, bert])
def test_long_stacks_are_measured_by_four_and_five_blocks(make):
    net = make(8)
    whole, chained = measure(net), measure_chained(net)
    assert (chained.dimension, chained.orbit) == (whole.dimension, whole.orbit)
    answer = symbolic_symmetries(net)
    assert (answer.complete, answer.undecided, answer.orbit) == (True, (), whole.orbit)
    assert sum(one.copies for one in answer.spaces if "score" in one.name) == 2 * 8


@pytest.mark.sample(1)
@pytest.mark.parametrize("make", [bert, opt])
def test_four_and_five_blocks_give_the_exact_solution_of_six(make, exact, monkeypatch):
    monkeypatch.setattr(import_module("algatt.symmetry.symbolic.smaller.shortened"), "LONG", 6)
    net = make(6)
    assert measure_chained(net).orbit == exact(net)[1]


def test_the_first_group_and_the_last_one_are_kept():
    short = shortened(opt(12), 0)
    (run,) = short.runs
    assert (run.groups, run.full, run.steps) == ((("1.",), ("2.",), ("3.",), ("4.",), ("12.",)), 12, 7)
    assert shortened(opt(7)) is None


def chain(groups, reach, taker):
    """In each group a bias that tensors in others take up."""
    arrows = [
        Arrow(f"columns of {here}.b", tuple((name, "columns") for name in (f"{here}.b", *reach(here, taker))), 4)
        for here in range(1, groups + 1)
    ]
    return Arrows(shifts=tuple(arrows))


@pytest.mark.parametrize(
    ("reach", "taker", "follows"),
    [
        (lambda here, taker: (), "a", True),
        (lambda here, taker: (f"{here + 1}.{taker}",) if here == 1 else (), "a", True),  # the first may be another
        (lambda here, taker: (f"{here + 1}.{taker}",) if here < 4 else (), "a", False),  # the third of four alone
        (lambda here, taker: (f"{here + 2}.{taker}",) if here < 3 else (), "a", False),  # over a group
        (lambda here, taker: (f"{here + 1}.{taker}",) if here == 2 else (), "a", False),  # one of those between alone
        (lambda here, taker: (f"{here + 1}.{taker}",) if here == 1 else (), "b", False),  # and handed on
    ],
)
def test_arrows_of_groups_between_are_alike_and_move_neighbours(reach, taker, follows):
    paths = [[(f"{here}.",) for here in range(1, count + 1)] for count in (4, 5)]
    arrows = [chain(count, reach, taker) for count in (4, 5)]
    assert continue_between(*arrows, *paths, frozenset()) is follows
