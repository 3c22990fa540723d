"""Networks that are measured by smaller ones: the answer is that of the whole network, on symbols and exactly."""

import numpy as np
import pytest

from algatt import Network
from algatt.layers import (
    GELU,
    Causal,
    ClassToken,
    Concatenate,
    Convolution,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Entrywise,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    LatentHeads,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    MeanToken,
    Named,
    Parallel,
    Probabilities,
    RelativeBias,
    ReLU,
    Repeat,
    Residual,
    RMSNorm,
    Rotary,
    SelectTokens,
    SigmoidRouter,
    SiLU,
    SinusoidalPosition,
    SoftmaxRouter,
    Stack,
    Tanh,
    TanhGELU,
    Tie,
    TypedEmbedding,
    Unembedding,
    Window,
)
from algatt.symmetry import symbolic_symmetries
from algatt.symmetry.symbolic.measure import measure
from algatt.symmetry.symbolic.smaller.likeness import runs_of
from algatt.symmetry.symbolic.smaller.network import smaller
from algatt.symmetry.symbolic.stacks import measure_stacked


def pick(draw, options):
    return options[int(draw.integers(len(options)))]


def random_decoder(draw, tokens):
    """A decoder: blocks of one or two kinds, in pieces or in turn, parallel or not, heads that share keys or do not,
    mixtures, ties, learned positions. Streams are as wide as is asked for by LayerNorms behind parts.
    """
    norm = pick(draw, [RMSNorm(), LayerNorm(), RMSNorm(eps=0)])
    rich = norm == LayerNorm()
    turned = pick(draw, [None, (None, "halves"), (2, "interleaved")]) if rich else pick(draw, [None, (None, "halves")])
    heads, keys = pick(draw, [(4, 4), (4, 2), (2, 1)])
    wide, gated = pick(draw, [SiLU(), TanhGELU()]), draw.random() < 0.5
    parallel, behind = draw.random() < 0.3, not rich and draw.random() < 0.3
    own = None if rich else pick(draw, [None, RMSNorm()])

    def attention(mask, base):
        position = None if turned is None else Rotary(base, width=turned[0], layout=turned[1])
        biases = "QKVO" if rich else ""
        return Heads(heads, key_heads=keys, width=4, mask=mask, position=position, biases=biases, norm=own)

    def block(mask, base, experts=0):
        part = Feedforward(2, wide, gated=gated, bias=rich)
        if experts:
            routers = [SoftmaxRouter(3, renormalize=True), SoftmaxRouter(1), SoftmaxRouter(), SigmoidRouter(2)]
            part = Experts(experts, Feedforward(2, wide, gated=gated), pick(draw, routers))
        one, two = norm >> attention(mask, base), norm >> part
        one, two = (one >> norm, two >> norm) if behind else (one, two)
        return Residual(Parallel(one, two)) if parallel else Residual(one) >> Residual(two)

    first, second = block(Window(2), 10000.0), block(Causal(), 1000000.0)
    mixed = first if rich else block(Causal(), 10000.0, experts=5)
    chain = Embedding(7, 6)
    if draw.random() < 0.5:
        chain = chain >> LearnedPosition(pick(draw, [None, tokens + 2]))
    end = Unembedding(7, reading=Probabilities()) if draw.random() < 0.5 else Unembedding(7)
    blocks = pick(draw, [(first,) * 3, (first, second) * 2, (first, mixed, mixed)])
    chain = chain >> Stack(blocks) >> norm >> end
    return Network(Tie(chain, TIED) if draw.random() < 0.5 else chain, tokens=tokens)


TIED = {"unembedding.U": "embedding.E"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(16))
def test_random_decoders_have_the_answer_of_all_of_their_blocks(seed):
    """The whole network is measured without its being made smaller; of vectors of positions that no token has it does
    not say what else moves them.
    """
    draw = np.random.default_rng(seed)
    net = random_decoder(draw, pick(draw, [2, 3, 5]))
    whole, answer = measure(net), symbolic_symmetries(net)
    assert measure_stacked(net) is not None
    assert answer.complete
    assert answer.orbit == whole.orbit
    assert answer.dimension == whole.dimension or whole.moved == ("position.P",)


EXACT = {
    "positions that no token has, three blocks, three heads": Network(
        Tie(
            Embedding(9, 6) >> LearnedPosition(7)
            >> 3 * (Residual(LayerNorm() >> Heads(4, width=2, mask=Causal(), biases="QKVO"))
            >> Residual(LayerNorm() >> Feedforward(3, ReLU(), bias=True)))
            >> LayerNorm() >> Unembedding(9), TIED,
        ),
        tokens=4,
    ),
    "parallel blocks with biases, of which keys are turned in part": Network(
        Embedding(9, 6) >> 3 * Residual(
            Parallel(
                LayerNorm() >> Heads(4, width=4, mask=Causal(), position=Rotary(width=2), biases="QKVO"),
                LayerNorm() >> Feedforward(3, GELU(), bias=True),
            )
        ) >> LayerNorm() >> Unembedding(9),
        tokens=3,
    ),
    "a dense block and two mixtures of five": Network(
        Embedding(9, 6) >> Stack(
            (Residual(RMSNorm() >> Feedforward(3, SiLU(), gated=True)),)
            + (Residual(RMSNorm() >> Experts(5, Feedforward(2, SiLU(), gated=True), SoftmaxRouter(3, True))),) * 2
        ) >> RMSNorm() >> Unembedding(9),
        tokens=2,
    ),
    "windows in turn, norms before and behind, two bases": Network(
        Tie(
            Embedding(9, 6)
            >> Stack(
                tuple(
                    Residual(
                        RMSNorm()
                        >> Heads(4, key_heads=4, width=4, mask=mask, position=Rotary(base), norm=RMSNorm())
                        >> RMSNorm()
                    )
                    for mask, base in ((Window(2), 1e4), (Window(2), 1e4), (Causal(), 1e6)) * 2
                )
            )
            >> RMSNorm() >> Unembedding(9), TIED,
        ),
        tokens=3,
    ),
}  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EXACT)
def test_the_answer_is_that_of_exact_matrices(name, exact):
    net = EXACT[name]
    answer = symbolic_symmetries(net)
    assert measure_stacked(net) is not None
    assert answer.complete
    assert answer.orbit == exact(net)[1]


LATENT = {
    "queries read off latent vectors": LatentHeads(5, 3, 2, 2, query_latent=3, mask=Causal(), position=Rotary()),
    "queries read off the stream": LatentHeads(5, 4, 2, 4, 3, mask=Causal(), position=Rotary()),
    "narrow values, biases": LatentHeads(4, 3, 2, 2, 1, mask=Causal(), position=Rotary(), bias=True),
    "values wider than latent vectors": LatentHeads(4, 2, 3, 2, 4, query_latent=3, position=Rotary()),
    "LayerNorm": LatentHeads(4, 3, 2, 2, query_latent=3, mask=Causal(), position=Rotary(), norm=LayerNorm()),
}
ROUTERS = {
    "softmax": SoftmaxRouter(2, groups=4, top_groups=2),
    "softmax, one of all": SoftmaxRouter(1, groups=4, top_groups=1),
    "softmax, renormalised": SoftmaxRouter(3, renormalize=True, groups=3, top_groups=2),
    "all groups": SoftmaxRouter(3, groups=3, top_groups=3),
    "sigmoid": SigmoidRouter(2, renormalize=True, correction=True, groups=4, top_groups=2),
    "all are leaders": SigmoidRouter(2, correction=True, groups=6, top_groups=2),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", [*LATENT, *ROUTERS])
def test_few_latent_heads_and_experts_in_groups_stand_for_all(name):
    """The whole network is measured without its being made smaller."""
    expert = Feedforward(2, SiLU(), gated=True)
    part = LATENT[name] if name in LATENT else Parallel(Experts(12, expert, ROUTERS[name]), expert)
    layers = Embedding(9, 6) >> 2 * Residual(RMSNorm() >> part) >> RMSNorm() >> Unembedding(9)
    net = Network(layers, tokens=2)
    whole, stacked = measure(net), measure_stacked(net)
    assert stacked is not None
    assert (stacked.dimension, stacked.orbit) == (whole.dimension, whole.orbit)


ATTEND = Heads(4, width=2, biases="QKVO")
HIDDEN = Feedforward(4, GELU(), bias=True)
PRE = Residual(LayerNorm() >> ATTEND) >> Residual(LayerNorm() >> HIDDEN)
POST = Residual(ATTEND) >> LayerNorm() >> Residual(HIDDEN) >> LayerNorm()
SCALED = Residual(LayerNorm() >> ATTEND >> LayerScale()) >> Residual(LayerNorm() >> HIDDEN >> LayerScale())
PATCHES = Linear(6, bias=True) >> LearnedPosition() >> ClassToken(position=True)
TYPED = TypedEmbedding(9, 6) >> LearnedPosition(9) >> LayerNorm()
HEAD = Named("head", Linear(6, bias=True) >> Entrywise(GELU()) >> LayerNorm()) >> Unembedding(9, bias=True)
POOLER = Named("pooler", SelectTokens(0, 1) >> Linear(6, bias=True) >> Entrywise(Tanh()))
BOTH = Concatenate(SelectTokens(0, 1), SelectTokens(1) >> MeanToken())
TOKENS = {
    "the class is read": (PATCHES >> 3 * PRE >> SelectTokens(0, 1) >> LayerNorm() >> Unembedding(7, bias=True), 8),
    "the class and the mean": (PATCHES >> 3 * PRE >> LayerNorm() >> BOTH >> Unembedding(7, bias=True), 8),
    "factors behind branches": (PATCHES >> 3 * SCALED >> LayerNorm(), 8),
    "a hidden token": (Linear(6) >> MaskToken() >> LearnedPosition() >> ClassToken() >> 3 * PRE >> LayerNorm(), 8),
    "positions behind the class": (Linear(6) >> ClassToken() >> LearnedPosition() >> 3 * PRE >> LayerNorm(), 8),
    "masked tokens": (Tie(TYPED >> 3 * POST >> HEAD, TIED), None),
    "masked tokens, not tied": (TYPED >> 3 * POST >> HEAD, None),
    "a pooler": (TYPED >> 3 * POST >> Concatenate(SelectTokens(), POOLER, axis=1), None),
    "shared blocks": (TYPED >> Linear(5, bias=True) >> Repeat(POST, 3) >> Unembedding(9), None),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", TOKENS)
def test_few_tokens_stand_for_all_but_those_that_are_named(name, exact):
    """The whole network is measured without its being made smaller; where only that has a family under conditions, it
    adds nothing to the exact solution.
    """
    layers, width = TOKENS[name]
    net = Network(layers, tokens=7, width=width)
    whole, answer = measure(net), symbolic_symmetries(net)
    assert smaller(net).few
    assert measure_stacked(net) is not None
    complete = not whole.quotients.others and all(block.dimension is not None for block in whole.blocks)
    assert answer.complete == complete or (answer.complete and answer.orbit == exact(net)[1])
    assert answer.orbit == whole.orbit
    assert answer.dimension == whole.dimension or whole.moved == ("position.P",)


def test_a_norm_behind_a_skip_before_an_unembedding(exact):
    """What acts on the bias of the last norm has equal columns and a symmetric part that is a number."""
    block = Residual(Heads(3, width=2, biases="QKVO")) >> LayerNorm() >> Residual(Feedforward(4, GELU(), bias=True))
    layers = Embedding(9, 6) >> LearnedPosition() >> LayerNorm() >> block >> LayerNorm() >> Unembedding(9)
    answer = symbolic_symmetries(Network(layers, tokens=3))
    assert answer.complete
    assert answer.orbit == exact(Network(layers, tokens=3))[1]


def test_groups_of_blocks():
    """Where they begin, their length, and how many there are."""
    a, b, c = (Feedforward(size) for size in (1, 2, 3))
    assert runs_of([a, a, a, b, b]) == [(0, 1, 3), (3, 1, 2)]
    assert runs_of([a, a, b, a, a, b, a]) == [(0, 3, 2), (6, 1, 1)]
    assert runs_of([a, b, c]) == [(0, 1, 1), (1, 1, 1), (2, 1, 1)]


def test_groups_of_routers_that_cannot_be_told_are_not_made_fewer():
    """A router of somebody else may treat its experts in any way: all of them are looked at."""

    class Own(SoftmaxRouter):
        pass

    for router, stands in ((SoftmaxRouter(2), True), (Own(2), False)):
        layers = Embedding(5, 4) >> Residual(Experts(6, Feedforward(2), router)) >> Unembedding(5)
        assert (measure_stacked(Network(layers, tokens=2)) is not None) == stands


def gpt2(d, layers, h, vocabulary, context):
    block = Residual(LayerNorm() >> Heads(h, width=d // h, mask=Causal(), biases="QKVO"))
    block = block >> Residual(LayerNorm() >> Feedforward(4 * d, TanhGELU(), bias=True))
    chain = Embedding(vocabulary, d) >> LearnedPosition(context) >> layers * block >> LayerNorm()
    return Tie(chain >> Unembedding(vocabulary), TIED)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("d", "layers", "h", "parameters"), [(768, 12, 12, 124_439_808), (1600, 48, 25, 1_557_611_200)]
)
def test_gpt2_reads_all_of_its_positions(d, layers, h, parameters):
    """Counted by hand, part by part: keys with queries, values with outputs, (a^2 for each head); biases of keys and
    values, d each; a gain, a bias and the rows of its readers, 2 d + 3 d and 2 d + 4 d; the columns of writers, d and
    4 d, and their biases, 2; of each position the mean. Logits of tied embeddings see all else.
    """
    a = d // h
    net = Network(gpt2(d, layers, h, 50257, 1024), tokens=1024)
    assert net.parameters == parameters
    answer = symbolic_symmetries(net)
    assert answer.complete
    assert answer.orbit == layers * (2 * h * a**2 + 2 * d + 5 * d + 6 * d + 5 * d + 2) + 1024


def test_positions_that_no_token_reaches_are_dead():
    two = symbolic_symmetries(Network(gpt2(768, 12, 12, 50257, 1024), tokens=1000))
    all_positions = symbolic_symmetries(Network(gpt2(768, 12, 12, 50257, 1024), tokens=1024))
    assert two.orbit - all_positions.orbit == 24 * 768 - 24


@pytest.mark.sample(0)
def test_pythia_160m():
    """By hand: 4 of 16 turns of pairs for the complex numbers, and GL(48); values and outputs GL(64); biases of keys
    that are not turned, and of values; two LayerNorms, with the readers of each; writers and one bias; the two biases
    of the output are one; the stream's O(767) and its mean in E; the last LayerNorm, whose bias its reader takes up.
    """
    d, h, a, r, m, vocabulary = 768, 12, 64, 16, 3072, 50304
    heads = Heads(h, width=a, mask=Causal(), position=Rotary(width=r, layout="halves"), biases="QKVO")
    block = Residual(Parallel(LayerNorm() >> heads, LayerNorm() >> Feedforward(m, GELU(), bias=True)))
    net = Network(Embedding(vocabulary, d) >> 12 * block >> LayerNorm() >> Unembedding(vocabulary), tokens=2048)
    assert net.parameters == 162_322_944
    each = h * (r + (a - r) ** 2 + a**2 + (a - r) + a) + (2 * d + 3 * d) + (2 * d + m) + (d + m) + 1 + d
    answer = symbolic_symmetries(net)
    assert answer.complete
    assert answer.orbit == 12 * each + (d - 1) * (d - 2) // 2 + vocabulary + 2 * d


def encoder_decoder(
    tokens, lengths=(2, 3), heads=(3, 4), buckets=(6, 4), distance=3, tied=True, shared=True, source=None
):
    """A T5 whose decoder has other heads, buckets and blocks than its encoder; tables are shared by blocks or not."""
    norm, softmax = RMSNorm(1e-6), Exponential()
    neurons = Residual(norm >> Feedforward(3, ReLU()))
    both = Heads(heads[0], width=2, score=softmax, position=RelativeBias(buckets[0], distance))
    before = RelativeBias(buckets[1], distance, bidirectional=False)
    own = Heads(heads[1], width=2, score=softmax, mask=Causal(), position=before)
    cross = Residual(norm >> CrossHeads(heads[1], width=2, score=softmax))
    encoder = lengths[0] * (Residual(norm >> both) >> neurons) >> norm
    decoder = lengths[1] * (Residual(norm >> own) >> cross >> neurons) >> norm
    layers = Embedding(9, 6) >> EncoderDecoder(encoder, decoder, source) >> Unembedding(9)
    ties = {"unembedding.U": "embedding.E"} if tied else {}
    for stack, length in zip(("encoder", "decoder"), lengths, strict=True) if shared else ():
        ties |= {f"{stack}.{number}.heads.bias": f"{stack}.1.heads.bias" for number in range(2, length + 1)}
    return Network(Tie(layers, ties) if ties else layers, tokens=tokens)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("source", "stride", "tokens", "reading"), [(8, 2, 4, None), (7, 2, 3, Probabilities()), (5, 1, 2, None)]
)
def test_few_columns_of_a_source_stand_for_all_behind_convolutions(source, stride, tokens, reading):
    """Behind strides, fixed positions are added; of five vectors of positions of the target some have no token."""
    norm = LayerNorm()
    encoder = Convolution(4, bias=True) >> Entrywise(GELU()) >> Convolution(4, stride=stride, bias=True)
    heads = Residual(norm >> Heads(1, width=2, biases="QVO"))
    encoder = encoder >> Entrywise(GELU()) >> SinusoidalPosition() >> 2 * heads >> norm
    block = Residual(norm >> Heads(1, width=2, mask=Causal()))
    block = block >> Residual(norm >> CrossHeads(1, width=2, biases="QVO"))
    decoder = Embedding(5, 4) >> LearnedPosition(5) >> 2 * block >> norm
    layers = EncoderDecoder(encoder, decoder, source, width=2)
    layers = layers >> Unembedding(5, **({"reading": reading} if reading else {}))
    net = Network(Tie(layers, {"unembedding.U": "decoder.embedding.E"}), tokens=source + tokens)
    small = smaller(net).network
    assert small.source[1] < source
    assert small.source[1] % stride == source % stride
    found, whole = symbolic_symmetries(net), measure(net)
    assert found.complete
    assert found.orbit == whole.orbit


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("options", "dead"),
    [
        ({"tokens": 8}, 3),
        ({"tokens": 8, "shared": False}, 2 * 3),
        ({"tokens": 7, "tied": False}, 3),
        ({"tokens": 7, "source": 2, "buckets": (8, 6), "distance": 5}, 5 * 3),
        ({"tokens": 6, "lengths": (3, 2), "heads": (4, 6)}, 4),
    ],
)
def test_encoders_and_decoders_are_what_they_are_as_a_whole(options, dead):
    """Heads of which two tokens see all buckets stand for those of more tokens and buckets; rows of the tables that no
    distance has, bucket B / 2 and what is too far, count an entry for each head.
    """
    net = encoder_decoder(**options)
    found, whole = symbolic_symmetries(net), measure(net)
    assert measure_stacked(net) is not None
    assert found.orbit == whole.orbit
    assert found.complete
    entries = [one for one in found.quotients if one.name.startswith("entries")]
    assert sum(one.dimension * one.copies for one in entries) >= dead


@pytest.mark.sample(0)
def test_a_table_tied_in_some_blocks_only_is_looked_at_in_all_of_them():
    net = encoder_decoder(8, lengths=(3, 2), heads=(2, 2))
    ties = {name: other for name, other in net.layers.ties if name != "encoder.3.heads.bias"}
    apart = Network(Tie(net.layers.layer, ties), tokens=8)
    assert measure_stacked(apart) is None
    assert symbolic_symmetries(apart).orbit == measure(apart).orbit == symbolic_symmetries(net).orbit + 4


@pytest.mark.parametrize("before", [ClassToken(), Concatenate(Linear(2), Linear(2), axis=1)], ids=str)
def test_tokens_that_are_put_before_others_reach_further_distances(before, exact):
    """Of 16 buckets 4 tokens reach 7, distances up to 3 in both directions; softmax sees them up to a number."""
    heads = Heads(1, width=1, position=RelativeBias(16, 16))
    net = Network(before >> Residual(heads), tokens=3 if isinstance(before, ClassToken) else 2, width=2)
    answer = symbolic_symmetries(net)
    assert answer.orbit == exact(net)[1]
    assert answer.orbit == (16 - 7) + 1 + 1 + 1  # a number that softmax does not see, of keys, and of values


def test_tokens_of_a_source_that_are_put_before_others(exact):
    """Of 4 tokens 2 are those of the source, of which attention sees more than one."""
    decoder = Residual(CrossHeads(1, width=1))
    net = Network(ClassToken() >> EncoderDecoder(Residual(Linear(2)), decoder), tokens=3, width=2)
    assert symbolic_symmetries(net).orbit <= exact(net)[1]
    alone = Network(ClassToken() >> EncoderDecoder(Linear(2), decoder), tokens=1, width=2)
    assert symbolic_symmetries(alone).orbit <= exact(alone)[1]
