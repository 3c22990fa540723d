"""Dimensions of symmetry groups on spaces as symbols, held against the exact solution entry by entry."""

import pytest

from algatt import Lightning, Network, Normalized, dimension
from algatt.errors import MethodError
from algatt.layers import (
    AcrossHeads,
    Affine,
    Capped,
    Causal,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Named,
    Parallel,
    Power,
    Probabilities,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    TanhGELU,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import ShiftSymmetry, symbolic_symmetries, symmetries
from algatt.symmetry.symbolic.measure import measure


def llama(blocks=2, gain=False, d=8, heads=4, keys=2, a=4, m=6, vocabulary=9):
    norm = RMSNorm(gain=gain)
    attention = Heads(heads, key_heads=keys, width=a, mask=Causal(), position=Rotary())
    block = Residual(norm >> attention) >> Residual(norm >> Feedforward(m, SiLU(), gated=True))
    return Network(Embedding(vocabulary, d) >> blocks * block >> norm >> Unembedding(vocabulary), tokens=2)


def gpt2(blocks=2, gain=True, bias=True):
    norm, letters = LayerNorm(gain=gain, bias=bias), "QKVO" if bias else ""
    block = Residual(norm >> Heads(2, mask=Causal(), biases=letters))
    block = block >> Residual(norm >> Feedforward(5, TanhGELU(), bias=bias))
    return Network(Embedding(7, 4) >> LearnedPosition() >> blocks * block >> norm >> Unembedding(7), tokens=2)


def gemma(blocks=2):
    attention = Heads(2, key_heads=1, width=4, mask=Causal(), position=Rotary(), norm=RMSNorm())
    mlp = Feedforward(5, TanhGELU(), gated=True)
    block = Residual(RMSNorm() >> attention >> RMSNorm()) >> Residual(RMSNorm() >> mlp >> RMSNorm())
    layers = Embedding(9, 4, scale=2) >> blocks * block >> RMSNorm() >> Unembedding(9, reading=Capped(30))
    return Network(layers, tokens=2)


def tied(net):
    return Network(Tie(net.layers, {"unembedding.U": "embedding.E"}), tokens=2)


def over(*layers, width=4, tokens=2):
    chain = layers[0]
    for layer in layers[1:]:
        chain = chain >> layer
    return Network(chain, tokens=tokens, width=width)


def parallel(blocks, norm):
    """Attention and neurons read one norm, as in GPT-J."""
    heads = Heads(2, width=4, mask=Causal(), position=Rotary(width=2))
    block = Residual(norm >> Parallel(heads, Feedforward(3, TanhGELU(), bias=True)))
    return Network(Embedding(9, 8) >> blocks * block >> norm >> Unembedding(9, bias=True), tokens=2)


def narrow(blocks, width, vocabulary=5):
    """The embedding is narrower than the stream, and norms are behind parts, as in OPT-350m."""
    norm = LayerNorm()
    block = Residual(Heads(2, width=2, mask=Causal(), biases="QKVO")) >> norm
    block = block >> Residual(Feedforward(3, ReLU(), bias=True)) >> norm
    layers = Embedding(vocabulary, 3) >> Named("project_in", Linear(width)) >> LearnedPosition() >> blocks * block
    layers = layers >> Named("project_out", Linear(3)) >> Unembedding(vocabulary)
    return Network(Tie(layers, {"unembedding.U": "embedding.E"}), tokens=3)


MEAN = LayerNorm(gain=False, bias=False)

COMPLETE = [
    *Network.examples(),
    *Lightning.examples(),
    *Normalized.examples(),
    llama(),
    llama(3, gain=True),
    llama(1, d=4, heads=2, keys=1, m=3),
    tied(llama()),
    gpt2(),
    gpt2(3, gain=False, bias=False),
    tied(gpt2(gain=False, bias=False)),
    gemma(),
    over(2 * Residual(MEAN >> Heads(2)), Linear(4)),
    over(Linear(4), LayerNorm(bias=False), Feedforward(3, Power(3), bias=True)),
    over(Linear(3), Linear(5), Linear(3)),
    over(Residual(Linear(4)), Residual(Feedforward(3, SiLU(), gated=True, bias=True))),
    over(3 * Linear(4)),
    over(3 * Residual(Linear(4)), 2 * Residual(Heads(2, score=Unnormalized()))),
    over(Heads(2, width=4, value_width=2, position=Rotary(frequencies=(1.0, 1.0))), Feedforward(3, Affine(2, 1))),
    over(
        Heads(1, width=6, value_width=2, position=Rotary(frequencies=(1.0, 0.5, 1.0)), norm=RMSNorm(gain=False)),
        width=6,
    ),
    over(Heads(1, width=4, position=Rotary(frequencies=(1.0, 0.0)))),
    over(Heads(2, width=4, position=Rotary(width=2)), width=5),
    over(Heads(2, width=4, position=Rotary(layout="halves")), width=5),
    over(Heads(2, key_heads=1, width=6, position=Rotary(width=4, layout="halves")), width=6),
    over(Heads(2, width=4, score=SoftCap(5), position=RelativeBias(4, 4), biases="QKV", output=False), width=3),
    over(Linear(3), Feedforward(4, Power(3), gated=True)),
    over(Heads(2, width=4, position=Rotary(width=2), norm=RMSNorm()), width=3),
    over(Heads(2, width=4, norm=AcrossHeads(RMSNorm(gain=False))), width=3),
    over(Heads(2, width=4, output=False), Linear(3)),
    over(Parallel(Heads(2), Feedforward(3, ReLU(), bias=True)), Residual(LayerScale())),
    over(Experts(3, Feedforward(3, SiLU()), SoftmaxRouter(2)), Linear(3)),
    over(Linear(4), Feedforward(5, Affine(2, 3)), Linear(3)),
    Network(Embedding(7, 4) >> Residual(Heads(2)) >> Unembedding(7, reading=Probabilities()), tokens=2),
]

INCOMPLETE = [
    Network(
        Tie(
            Embedding(5, 4) >> LayerNorm(gain=False) >> Feedforward(2, SiLU(), gated=True, bias=True)
            >> LayerNorm(gain=False) >> Unembedding(5),
            {"unembedding.U": "embedding.E"},
        ),
        tokens=2,
    ),
]  # fmt: skip
"""A LayerNorm behind another one, without a stream between them: no rule tells what is left of the spaces."""

CONDITIONS = [
    over(Linear(4), MEAN, Feedforward(5, ReLU(), bias=True), Linear(3)),
    over(Residual(LayerNorm() >> Heads(2, biases="QKVO")), Linear(3), width=4),
    over(Residual(Heads(1, width=2, position=RelativeBias(4, 4))), Residual(LearnedPosition(5)), Linear(2)),
]
"""What a matrix does not see of a bias, as it has fewer rows, depends on its entries."""

TURNED_IN_PART = [
    parallel(1, LayerNorm()),
    parallel(2, LayerNorm()),
    parallel(1, LayerNorm(bias=False)),
    over(LayerNorm(bias=False), Heads(2, width=4, position=Rotary(width=2)), Linear(3), width=8),
]
"""Behind a LayerNorm a column may be added to keys, but for the rows that positions turn."""

RANK_ONE = [narrow(1, 6), narrow(2, 6), narrow(1, 4), narrow(1, 5, vocabulary=4)]
"""What is written into the mean of the stream, and read by heads, is of rank one."""

BOUNDED = [
    over(Linear(4), MEAN, Linear(5), LayerNorm(gain=False), Linear(2)),
    Lightning((2, 3, 2), (2, 2), 2),
    over(Heads(2, width=4, score=SoftCap(5), position=RelativeBias(4, 4), biases="QKV", output=False), width=3),
    over(Linear(4), Feedforward(5, Affine(2, 3)), Linear(3)),
]
"""What moves no tensor is not known for these: spaces that are wider than what is on both of their sides, or that move
a tensor of which entries are not seen.
"""


WIDE = Network(
    Embedding(5, 4) >> Residual(Heads(1, width=2, score=Affine(1, 1), mask=Causal())) >> LayerNorm(gain=False)
    >> Feedforward(3, TanhGELU(), gated=True) >> LayerNorm(gain=False) >> Unembedding(5),
    tokens=2,
)  # fmt: skip
COMPLETE += [*TURNED_IN_PART, *RANK_ONE, BOUNDED[0], WIDE]
"""What LayerNorm leaves of its reader is no GL(n), of which a rule would tell how much moves no tensor."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("net", COMPLETE, ids=str)
def test_dimensions_are_those_of_the_exact_solution(net, exact):
    dimension, orbit = exact(net)
    answer = symbolic_symmetries(net)
    assert answer.complete
    assert answer.dimension == dimension
    if net in BOUNDED:
        assert answer.undecided
        assert answer.orbit <= orbit
    else:
        assert not answer.undecided
        assert answer.orbit == orbit
        assert answer.upper == net.parameters - orbit
    assert answer.free == (orbit == dimension and not answer.undecided)


@pytest.mark.parametrize("net", INCOMPLETE, ids=str)
def test_where_no_rule_tells_the_dimensions_are_lower_bounds_and_it_is_said(net, exact):
    dimension, orbit = exact(net)
    answer = symbolic_symmetries(net)
    assert not answer.complete
    assert not answer.free
    assert answer.dimension < dimension
    assert answer.orbit <= orbit
    assert "at least" in repr(answer)


@pytest.mark.sample(2)
@pytest.mark.parametrize("net", CONDITIONS, ids=str)
def test_shifts_with_conditions_are_not_counted_and_it_is_said(net, exact):
    """Where these move more than other families do, the orbits are larger than what is counted."""
    dimension, orbit = exact(net)
    answer = symbolic_symmetries(net)
    assert answer.others
    assert not answer.complete
    assert not answer.free
    assert answer.dimension <= dimension
    assert answer.orbit < orbit
    assert repr(answer).count("at least") == 2


def test_numbers_that_are_added_to_columns_are_found_once(exact):
    """A number may be added to all of the stream, as only LayerNorms read it: to rows of a bias, or to its columns by
    equal entries.
    """
    net = gpt2(1)
    shifts = [one.shift for one in symmetries(net) if isinstance(one, ShiftSymmetry)]
    assert "rows of 1.heads.b_O" in [one.name for one in shifts]
    assert not any(one.is_centred for one in shifts)
    answer = symbolic_symmetries(net)
    assert answer.complete
    assert answer.orbit == exact(net)[1]


def test_what_takes_matrices_is_said(exact):
    """networks.md: a matrix between queries and outputs."""
    net = over(Residual(Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized())), width=4, tokens=3)
    dimension, orbit = exact(net)
    answer = symbolic_symmetries(net)
    assert set(answer.others) == {"heads.Q_1", "heads.Q_2", "heads.O_1", "heads.O_2"}
    assert not answer.complete
    assert answer.dimension < dimension
    assert answer.orbit < orbit


def test_entries_that_are_not_seen_are_counted(exact):
    """Two tokens have the distances 0 and 1, so two of four biases are not seen; softmax does not see their sum."""
    net = over(Residual(Heads(1, width=2, position=RelativeBias(4, 4, bidirectional=False))), width=3)
    answer = symbolic_symmetries(net)
    assert {(one.name, one.dimension) for one in answer.quotients} == {
        ("rows of heads.bias", 1),
        ("entries of heads.bias", 2),
    }
    assert answer.orbit <= exact(net)[1]


def test_a_bias_of_a_norm_that_nobody_sees_is_counted_once():
    """A source of one token gets all weight: bias, queries and keys (9) are not seen. What is seen is O V of rank 1 on
    columns with sum zero: 3 + 2 - 1 of its 6 parameters.
    """
    decoder = Residual(LayerNorm(gain=False) >> CrossHeads(1, width=1))
    net = Network(EncoderDecoder(LayerNorm(gain=False, bias=False), decoder), tokens=2, width=3)
    assert net.parameters == 9 + 6
    assert symbolic_symmetries(net).upper == dimension(net).value == 3 + 2 - 1


def test_programs_with_too_many_entries_are_not_looked_at(monkeypatch, exact):
    net = over(Residual(Heads(1, width=2, position=RelativeBias(4, 4, bidirectional=False))), width=3)
    monkeypatch.setattr("algatt.symmetry.symbolic.quotients.MOST_ENTRIES", 10)
    answer = symbolic_symmetries(net)
    assert not answer.complete
    assert "heads.bias" in answer.others
    assert answer.orbit <= exact(net)[1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("make", [llama, gpt2, gemma, lambda n: llama(n, gain=True), lambda n: tied(llama(n))])
@pytest.mark.parametrize("blocks", [3, 5])
def test_stacks_are_measured_by_one_and_two_blocks(make, blocks):
    net = make(blocks)
    all_blocks, answer = measure(net), symbolic_symmetries(net)
    assert (answer.dimension, answer.orbit) == (all_blocks.dimension, all_blocks.orbit)
    parts = sum(one.dimension * one.copies for one in (*answer.spaces, *answer.quotients))
    assert parts + answer.numbers == answer.dimension


def test_ties_of_single_blocks_are_seen(exact):
    """Were the stack shortened, blocks 2 to 4 would be taken for free ones."""
    layers = Tie(Linear(4) >> 4 * Residual(Heads(2)) >> Linear(3), {"2.heads.Q_1": "1.heads.Q_1"})
    net = Network(layers, tokens=2, width=4)
    assert symbolic_symmetries(net).dimension == exact(net)[0]


def test_blocks_that_change_what_moves_are_not_extrapolated(exact):
    net = over(4 * Heads(2, score=Unnormalized()))
    dimension, orbit = exact(net)
    answer = symbolic_symmetries(net)
    assert answer.dimension == dimension
    assert answer.orbit <= orbit


@pytest.mark.sample(0)
def test_llama_3_70b():
    """The number of parameters is that of the published weights. Each block: 8 groups of complex diagonal matrices
    C^64, 8 groups GL(128) of values, a torus of neurons; the stream's O(8192); and 161 gains.
    """
    shape = {"d": 8192, "heads": 64, "keys": 8, "a": 128, "m": 28672, "vocabulary": 128256}
    with_gains, without = (symbolic_symmetries(llama(80, gain, **shape)) for gain in (True, False))
    assert with_gains.parameters == 70_553_706_496
    block = 8 * 128 + 8 * 128**2 + 28672
    assert without.dimension == without.orbit == 8192 * 8191 // 2 + 80 * block
    assert with_gains.dimension == with_gains.orbit == without.orbit + 8192 * (2 * 80 + 1)
    assert with_gains.upper == without.upper
    assert without.free
    assert with_gains.free


@pytest.mark.sample(0)
def test_the_answer_does_not_depend_on_the_number_of_tokens(exact):
    for make in (llama, gemma):
        two = make()
        assert {symbolic_symmetries(Network(two.layers, tokens=t)).dimension for t in (2, 3, 5)} == {exact(two)[0]}


def test_what_has_no_types_is_refused():
    with pytest.raises(MethodError):
        symbolic_symmetries("a network")


def test_numbers_that_are_passed_round_a_cycle_of_spaces_end(exact):
    """Every norm asked for the number of another one, and the equations were required again for ever."""
    assert exact(gpt2(1))[0] == symbolic_symmetries(gpt2(1)).dimension


def test_numbers_beside_biases_are_a_part_of_them_in_small_networks_too(exact):
    """W_2 (2 (W_1 x + b) + 1): a hidden space of size n with n^2 changes, beside n shifts of the bias."""
    for size in (1, 2):
        net = over(Residual(Feedforward(size, Affine(2, 1), bias=True)), width=3, tokens=3)
        answer = symbolic_symmetries(net)
        assert (answer.dimension, answer.orbit, answer.complete) == (*exact(net), True)
        assert answer.dimension == size**2 + size
