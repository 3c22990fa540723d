"""Networks that read tokens and have exponentials, roots or gates, small enough for balls."""

from __future__ import annotations

from algatt import Network
from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Probabilities,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    Tie,
    Unembedding,
    Window,
)

__all__ = ["token_networks"]


def token_networks() -> list[Network]:
    """Return networks of each kind of layer behind an embedding."""
    causal = Causal()
    return [
        Network(Embedding(vocabulary, width) >> layers >> Unembedding(vocabulary), tokens=tokens)
        for vocabulary, width, tokens, layers in (
            (3, 2, 2, Residual(Heads(1, width=2))),
            (4, 2, 2, Residual(Heads(1, width=2, mask=causal))),
            (3, 2, 3, Residual(Heads(1, width=2, mask=Window(2)))),
            (3, 2, 2, LearnedPosition() >> Residual(Heads(1, width=2, mask=causal))),
            (3, 3, 2, LearnedPosition() >> Residual(Heads(1, width=2))),
            (3, 2, 3, LearnedPosition() >> 2 * Residual(Heads(1, width=1, mask=causal))),
            (3, 2, 3, Residual(Heads(1, width=2, mask=causal, position=Rotary()))),
            (3, 2, 2, Residual(Heads(1, width=2, position=Rotary()))),
            (3, 2, 3, Residual(Heads(1, width=2, position=RelativeBias(4, 4)))),
            (3, 2, 2, Residual(Heads(1, width=2, mask=causal, position=ALiBi()))),
            (3, 2, 2, Residual(Heads(2, width=1, biases="QKVO"))),
            (3, 2, 2, Residual(Heads(1, width=1, score=SoftCap(3)))),
            (3, 2, 2, Residual(Tie(Heads(1, width=2, mask=causal), {"heads.K_1": "heads.Q_1"}))),
            (4, 2, 2, Residual(Heads(1, width=2, mask=causal, norm=RMSNorm(gain=False)))),
            (4, 2, 2, RMSNorm()),
            (3, 2, 2, Residual(RMSNorm() >> Heads(1, width=2, mask=causal))),
            (3, 2, 2, LearnedPosition() >> Residual(RMSNorm(gain=False) >> Heads(1, width=2))),
            (3, 2, 2, Residual(Heads(1, width=1, mask=causal)) >> RMSNorm()),
            (3, 3, 2, LearnedPosition() >> Residual(LayerNorm() >> Heads(1, width=1))),
            (4, 2, 1, Feedforward(3, SiLU())),
            (3, 2, 2, LearnedPosition() >> Residual(Feedforward(2, SiLU(), gated=True))),
            (3, 2, 2, LearnedPosition() >> Residual(Feedforward(2, GELU(), bias=True))),
            (3, 2, 2, Residual(Heads(1, width=1)) >> Residual(Feedforward(2, ReLU()))),
            (3, 2, 2, Residual(Heads(1, width=1, mask=causal)) >> Residual(RMSNorm() >> Feedforward(2, SiLU()))),
        )
    ] + [
        Network(Embedding(3, 2) >> Residual(Heads(1, width=2)) >> Unembedding(3, reading=Probabilities()), tokens=2),
        Network(Tie(Embedding(4, 2) >> Residual(Heads(1, width=2, mask=causal)) >> Unembedding(4),
                    {"unembedding.U": "embedding.E"}), tokens=2),
    ]  # fmt: skip
