"""Move noisy copies of random weights by random elements of the whole group, align them with the weights, and compare
the distance with that which descends from the noisy copy itself, where the element is known.

Run as: python scripts/align_planted.py [NAMES OF PUBLISHED MODELS...]
"""

from __future__ import annotations

import json
import sys

import numpy as np

import algatt
from algatt import checkpoints
from algatt.fields import Elements, Reals
from algatt.geometry.alignment.problem import OrbitPoint, Problem
from algatt.geometry.alignment.search import descend
from algatt.layers import Causal, Feedforward, Heads, Residual
from algatt.layers.lengths import tokens_to_reach
from algatt.published.known import CONFIGS

MODELS = CONFIGS

NAMES = (
    *("gpt2", "opt_125m", "bert_base_uncased", "vit_base_patch16_224", "phi_2", "t5_small", "mamba_130m"),
    *("llama_3_1_8b", "smollm2_135m", "qwen2_0_5b", "gemma_2b", "deepseek_v2", "olmo_2_7b"),
    *("mixtral_8x7b_v0_1", "olmoe_1b_7b", "qwen3_0_6b", "gemma_3_1b", "qwen3_30b_a3b"),
)

SHARE = 0.01
"""Standard deviation of the noise, beside that of the entries of a tensor."""


def network(name: str) -> algatt.Network:
    """Return a published model at a small size."""
    fields = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    fixed = name.startswith("vit") or name == "t5_small"
    return algatt.published.read(algatt.published.scaled(fields), tokens=None if fixed else 2)


def with_noise(theta: algatt.Weights) -> algatt.Weights:
    """Return weights with normal noise."""
    draw = np.random.default_rng(5)
    sizes = ((one, SHARE * np.sqrt(np.mean(one.raw**2))) for one in theta.elements)
    return theta.replace([Elements(one.field, one.raw + size * draw.normal(size=one.raw.shape)) for one, size in sizes])


def show(name: str, net: algatt.Network) -> None:
    """Print the distances of a network."""
    theta = algatt.sample(net, algatt.Weights, field=Reals(), seed=1)
    noisy = with_noise(theta)
    moved = checkpoints.move(net, noisy, seed=3)
    planted = descend(OrbitPoint(Problem(net, theta, tokens_to_reach(net.layers) <= net.tokens), noisy)).distance
    found = algatt.align(net, theta, moved)
    ratio = found.distance / planted - 1
    print(f"{name:22} {found.before:9.3f} {planted:9.6f} {found.distance:9.6f} {ratio:9.1e}", flush=True)


def main() -> None:
    """Print a line for each network."""
    print(f"{'':22} {'before':>9} {'planted':>9} {'found':>9} {'ratio - 1':>9}")
    if not sys.argv[1:]:
        attention = Residual(Heads(2, width=2, mask=Causal(), biases="QKVO"))
        show("heads with biases", algatt.Network(attention, tokens=3, width=4))
        show("heads and perceptron", algatt.Network(attention >> Residual(Feedforward(6)), tokens=3, width=4))
    for name in sys.argv[1:] or NAMES:
        show(name, network(name))


if __name__ == "__main__":
    main()
