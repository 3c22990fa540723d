"""Small networks of all kinds whose conserved quantities are looked at."""

from __future__ import annotations

import algatt
from algatt.layers import (
    GELU,
    Causal,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
)

NETWORKS = {
    "lightning": algatt.Lightning((3, 3), (2,), 2),
    "deep lightning": algatt.Lightning((3, 2, 3), (2, 1), 2),
    "softmax": algatt.Softmax((3, 3), (2,), 2),
    "deep softmax": algatt.Softmax((3, 3, 3), (2, 2), 2),
    "linear": algatt.Network(Linear(3) >> Linear(2), tokens=1, width=4),
    "relu": algatt.Network(Feedforward(3, ReLU()), tokens=1, width=4),
    "squares": algatt.Network(Feedforward(3, Power(2)), tokens=1, width=3),
    "gelu": algatt.Network(Feedforward(3, GELU()), tokens=1, width=3),
    "gated": algatt.Network(Feedforward(3, SiLU(), gated=True), tokens=1, width=3),
    "one head": algatt.Network(Heads(1, width=2), tokens=3, width=3),
    "two heads": algatt.Network(Residual(Heads(2, width=2, mask=Causal())), tokens=3, width=4),
    "biases": algatt.Network(Residual(Heads(1, width=2, biases="QKVO")), tokens=3, width=3),
    "layer norm": algatt.Network(Residual(LayerNorm() >> Heads(1, width=2)), tokens=3, width=3),
    "block": algatt.Network(
        Residual(RMSNorm() >> Heads(1, width=2, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(3, SiLU())),
        tokens=3,
        width=3,
    ),
}
"""Networks by name."""
