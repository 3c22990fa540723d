"""Stacks in which the quotients of a block move what is in the next one."""

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
@pytest.mark.parametrize("make", [bert, opt])
def test_all_blocks_are_measured_with_the_exact_solution(make, exact):
    net = make(5)
    answer = symbolic_symmetries(net)
    assert (answer.complete, answer.undecided, answer.orbit) == (True, (), exact(net)[1])
    assert sum(one.copies for one in answer.spaces if "score" in one.name) == 2 * 5


@pytest.mark.sample(1)
@pytest.mark.parametrize("make", [bert, opt])
def test_blocks_of_long_stacks_add_as_much_as_those_of_short_ones(make):
    orbits = [symbolic_symmetries(make(blocks)).orbit for blocks in (4, 5, 12)]
    assert orbits[2] - orbits[1] == 7 * (orbits[1] - orbits[0])
