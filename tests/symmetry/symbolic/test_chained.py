"""Long stacks in which the arrows of a block move what is in the next one."""

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
from algatt.symmetry.symbolic.smaller import shortened
from algatt.symmetry.symbolic.stacks import measure_chained


def behind(blocks, begin, end, heads=4):
    """Blocks with norms behind their parts."""
    norm = LayerNorm()
    attention = Heads(heads, width=2, mask=Causal(), biases="QKVO")
    block = Residual(attention) >> norm >> Residual(Feedforward(3, ReLU(), bias=True)) >> norm
    return begin >> LearnedPosition() >> blocks * block >> end


def opt(blocks, **options):
    """The embedding is narrower than the stream, and no norm is before the first block or behind the last one."""
    begin = Embedding(5, 3) >> Named("project_in", Linear(4))
    end = Named("project_out", Linear(3)) >> Unembedding(5)
    return Network(Tie(behind(blocks, begin, end, **options), {"unembedding.U": "embedding.E"}), tokens=3)


def bert(blocks, **options):
    """The gain behind the last block is folded into the matrix behind it, those between blocks are not."""
    end = Named("head", Linear(4, bias=True) >> LayerNorm()) >> Unembedding(5, bias=True)
    return Network(behind(blocks, Embedding(5, 4), end, **options), tokens=3)


@pytest.mark.parametrize("make", [opt, bert])
def test_long_stacks_are_measured_by_four_and_five_blocks(make):
    net = make(9)
    whole, chained = measure(net), measure_chained(net)
    assert (chained.dimension, chained.orbit) == (whole.dimension, whole.orbit)
    answer = symbolic_symmetries(net)
    assert (answer.complete, answer.undecided, answer.orbit) == (True, (), whole.orbit)
    assert sum(one.copies for one in answer.spaces if "score" in one.name) == 4 * 9


@pytest.mark.parametrize("make", [opt, bert])
def test_four_and_five_blocks_give_the_exact_solution_of_six(make, exact, monkeypatch):
    monkeypatch.setattr("algatt.symmetry.symbolic.smaller.shortened.LONG", 6)
    net = make(6, heads=2)
    assert measure_chained(net).orbit == exact(net)[1]


def test_the_first_group_and_the_last_one_are_kept():
    short = shortened(opt(12), 0)
    (run,) = short.runs
    assert (run.groups, run.full, run.steps) == ((("1.",), ("2.",), ("3.",), ("4.",), ("12.",)), 12, 7)
    assert shortened(opt(7)) is None


def chain(groups, reach):
    """In each group a bias that biases further on take up."""
    arrows = [
        Arrow(f"columns of {here}.b", tuple((f"{one}.b", "columns") for one in (here, *reach(here))), 4)
        for here in range(1, groups + 1)
    ]
    return Arrows(shifts=tuple(arrows))


@pytest.mark.parametrize(
    ("reach", "follows"),
    [
        (lambda here: (), True),
        (lambda here: (here + 1,) if here == 1 else (), True),  # the first group may be another
        (lambda here: (here + 2,) if here < 3 else (), False),  # over a group
        (lambda here: (here + 1,) if here == 2 else (), False),  # one of those between alone
        (lambda here: (here + 1,) if here < 4 else (), False),  # what is taken up is handed on without an end
    ],
)
def test_arrows_of_groups_between_are_alike_and_move_neighbours(reach, follows):
    paths = [[(f"{here}.",) for here in range(1, count + 1)] for count in (4, 5)]
    assert continue_between(chain(4, reach), chain(5, reach), *paths, frozenset()) is follows
