"""Networks of the shapes of published models: all that their weights are redundant by, as tables of transformers count
it part by part.

Numbers are counted by hand: d is the width, h the heads, k those of keys and values, a their width, m the hidden
neurons. Keys and queries with rotary positions: a complex number for each of a / 2 frequencies, k a; else k a^2. Values
and outputs: k a^2. A gated neuron: one number. A gain that matrices read: d. The stream between an embedding and an
unembedding with RMSNorms: O(d), d (d - 1) / 2; nothing if these are tied.
"""

from __future__ import annotations

import pytest

from algatt import Network
from algatt.layers import (
    Capped,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Probabilities,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)
from algatt.symmetry import symbolic_symmetries


def llama(d, layers, h, k, a, m, vocabulary, biases="", experts=0):
    norm, part = RMSNorm(), Feedforward(m, SiLU(), gated=True)
    part = Experts(experts, part, SoftmaxRouter(2)) if experts else part
    heads = Heads(h, key_heads=k, width=a, mask=Causal(), position=Rotary(), biases=biases)
    block = Residual(norm >> heads) >> Residual(norm >> part)
    return Network(Embedding(vocabulary, d) >> layers * block >> norm >> Unembedding(vocabulary), tokens=2)


def llama_count(d, layers, k, a, neurons, routers=0):
    return d * (d - 1) // 2 + d + layers * (k * a + k * a**2 + neurons + routers * d + 2 * d)


def gpt2(d, layers, h, vocabulary, tokens):
    attention = Residual(LayerNorm() >> Heads(h, mask=Causal(), biases="QKVO"))
    block = attention >> Residual(LayerNorm() >> Feedforward(4 * d, TanhGELU(), bias=True))
    head = LayerNorm() >> Unembedding(vocabulary, reading=Probabilities())
    chain = Embedding(vocabulary, d) >> LearnedPosition() >> layers * block >> head
    return Network(Tie(chain, {"unembedding.U": "embedding.E"}), tokens=tokens)


def gpt2_count(d, layers, h, tokens):
    """Biases of keys and of values: d each. A LayerNorm before biased matrices: gain, bias, and each row that reads it,
    3 d and 4 d; each column that writes is seen but for its mean, d and 4 d, and the biases likewise, 2. Embeddings and
    positions trade a vector, d, as all probabilities are the same with one that is added to all rows of the tied
    matrix; the positions are written, too: one for each token. What is seen is the final gain and bias.
    """
    return layers * (2 * h * (d // h) ** 2 + 2 * d + 2 * 2 * d + 3 * d + 4 * d + d + 4 * d + 2) + d + tokens


def gemma(d, layers, h, k, a, m, vocabulary):
    """Norms before and behind each part, of which the gains behind are seen; attention with a window in turn; all
    softly capped.
    """
    norm = RMSNorm()

    def half(mask):
        heads = Heads(h, key_heads=k, width=a, mask=mask, position=Rotary(), score=SoftCap(50))
        return Residual(norm >> heads >> norm) >> Residual(norm >> Feedforward(m, TanhGELU(), gated=True) >> norm)

    blocks = (layers // 2) * (half(Window(4096)) >> half(Causal()))
    chain = Embedding(vocabulary, d, scale=8) >> blocks >> norm >> Unembedding(vocabulary, reading=Capped(30))
    return Network(Tie(chain, {"unembedding.U": "embedding.E"}), tokens=2)


def gemma_count(d, layers, k, a, m):
    return layers * (k * a + k * a**2 + m + 2 * d)


LARGE = {
    "Llama 3, 70B": (
        lambda: llama(8192, 80, 64, 8, 128, 28672, 128256),
        70_553_706_496,
        llama_count(8192, 80, 8, 128, 28672),
    ),
    # biases of queries, keys and values: all are seen, as keys turn and there is no bias of the output
    "Qwen2, 7B": (
        lambda: llama(3584, 28, 28, 4, 128, 18944, 152064, biases="QKV"),
        7_615_616_512,
        llama_count(3584, 28, 4, 128, 18944),
    ),
    "Mixtral, 8x7B": (
        lambda: llama(4096, 32, 32, 8, 128, 14336, 32000, experts=8),
        46_702_792_704,
        llama_count(4096, 32, 8, 128, 8 * 14336, routers=1),
    ),
    # of its 1024 positions two
    "GPT-2 XL": (lambda: gpt2(1600, 48, 25, 50257, 2), 1_557_611_200 - 1022 * 1600, gpt2_count(1600, 48, 25, 2)),
    "Gemma 2, 9B": (
        lambda: gemma(3584, 42, 16, 8, 256, 14336, 256000),
        9_241_705_984,
        gemma_count(3584, 42, 8, 256, 14336),
    ),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", LARGE)
def test_models_are_redundant_by_what_their_parts_are(name):
    """The numbers of parameters are those of the published weights."""
    net, parameters, count = LARGE[name]
    answer = symbolic_symmetries(net())
    assert answer.parameters == parameters
    assert answer.orbit == count
    assert answer.complete
    assert not answer.undecided


SMALL = [
    (llama(8, 3, 4, 2, 4, 6, 11), llama_count(8, 3, 2, 4, 6)),
    (llama(8, 2, 2, 1, 4, 5, 11, biases="QKV"), llama_count(8, 2, 1, 4, 5)),
    (llama(6, 2, 2, 1, 4, 3, 9, experts=2), llama_count(6, 2, 1, 4, 6, routers=1)),
    (gpt2(4, 2, 2, 9, 3), gpt2_count(4, 2, 2, 3)),
    (gpt2(6, 3, 3, 11, 2), gpt2_count(6, 3, 3, 2)),
    (gemma(8, 2, 2, 1, 4, 5, 11), gemma_count(8, 2, 1, 4, 5)),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("net", "count"), SMALL, ids=str)
def test_small_networks_of_the_same_kinds_have_the_exact_rank(net, count, exact):
    assert exact(net)[1] == count
    assert symbolic_symmetries(net).orbit == count


def test_what_is_in_common_counts_once():
    """Where a LayerNorm reads the stream types write into its mean, too, and shifts move what reads it."""
    answer = symbolic_symmetries(Network(Residual(LayerNorm() >> Heads(1, width=2, biases="QKVO")), tokens=3, width=4))
    names = {quotient.name: quotient.dimension for quotient in answer.quotients}
    assert names["norm.g"] == 4
    assert names["columns of heads.b_K_1"] == 2
    assert answer.parameters - answer.orbit == 24  # networks.md: proven by exact ranks in tests of quotients
