"""Pairs of points that are one function for a reason that no group element shows, and small networks of many kinds."""

from __future__ import annotations

import numpy as np

import algatt
from algatt import verbs
from algatt.fields import Elements
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftmaxRouter,
    Unembedding,
    Unnormalized,
)

HEADS = algatt.Network(Residual(Heads(2, mask=Causal())), tokens=3, width=4)
NORMED = algatt.Network(Residual(RMSNorm() >> Heads(2, mask=Causal())), tokens=3, width=4)
GATED = algatt.Network(Residual(Feedforward(3, SiLU(), gated=True)), tokens=2, width=4)
BIASED = algatt.Network(Residual(Feedforward(3, GELU(), bias=True)), tokens=2, width=4)
LINEAR = algatt.Network(Linear(3) >> Linear(2) >> Linear(3), tokens=2, width=3)


def integers(net, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.integers(-9, 10, shape) for name, shape in algatt.coordinates(net).items()}


def weights(net, tensors, field):
    return (
        algatt.Weights.of(tensors, field=field)
        if field == algatt.Reals()
        else algatt.Weights(
            tuple(Elements(field, verbs.embed(field, tensors[name])) for name in algatt.coordinates(net)),
            tuple(algatt.coordinates(net)),
        )
    )


def changed(tensors, **changes):
    return {**tensors, **{name.replace("__", "."): value for name, value in changes.items()}}


def special_pairs():
    """Yield a name, a network, and tensors of one function."""
    rng = np.random.default_rng(5)
    other = lambda array: rng.integers(-9, 10, array.shape)  # noqa: E731
    w = integers(HEADS)
    zero = changed(w, heads__V_1=0 * w["heads.V_1"])
    yield "no values", HEADS, zero, changed(zero, heads__K_1=other(w["heads.K_1"]), heads__O_1=other(w["heads.O_1"]))
    zero = changed(w, heads__O_2=0 * w["heads.O_2"])
    yield "no outputs", HEADS, zero, changed(zero, heads__V_2=other(w["heads.V_2"]))
    twice = changed(w, heads__V_1=w["heads.V_1"][[0, 0]])
    column = other(w["heads.O_1"][:, :1])
    yield "equal values", HEADS, twice, changed(twice, heads__O_1=w["heads.O_1"] + np.hstack([column, -column]))
    equal = changed(w, heads__Q_2=w["heads.Q_1"], heads__K_2=w["heads.K_1"])
    exchanged = {f"heads__{name}_{one}": w[f"heads.{name}_{3 - one}"] for name in "VO" for one in (1, 2)}
    yield "equal scores", HEADS, equal, changed(equal, **exchanged)
    zero = changed(w, heads__K_1=0 * w["heads.K_1"])
    yield "no keys", HEADS, zero, changed(zero, heads__Q_1=other(w["heads.Q_1"]))
    w = integers(GATED)
    up, gate, down = (w[f"feedforward.{name}"] for name in ("up", "gate", "down"))
    column = other(down[:, :1])
    equal = changed(w, feedforward__up=up[[0, 0, 2]], feedforward__gate=gate[[0, 0, 2]])
    spread = np.hstack([column, -column, 0 * column])
    yield "equal neurons", GATED, equal, changed(equal, feedforward__down=down + spread)
    dead = changed(w, feedforward__down=down * np.array([1, 0, 1]))
    rows = np.vstack([gate[:1], other(gate[1:2]), gate[2:]])
    yield "a dead neuron", GATED, dead, changed(dead, feedforward__gate=rows)
    equal = changed(w, feedforward__gate=gate[[0, 0, 2]])
    mixed = np.vstack([np.array([[2, 3], [1, 2]]) @ up[:2], up[2:]])
    back = np.hstack([down[:, :2] @ np.array([[2, -3], [-1, 2]]), down[:, 2:]])
    yield "equal gates", GATED, equal, changed(equal, feedforward__up=mixed, feedforward__down=back)
    w = integers(BIASED)
    once = np.array([[0], [1], [1]])
    zero = changed(w, feedforward__up=w["feedforward.up"] * once, feedforward__b_up=w["feedforward.b_up"] * once)
    down = w["feedforward.down"].copy()
    down[:, 0] = other(down[:, 0])
    yield "GELU(0) = 0", BIASED, zero, changed(zero, feedforward__down=down)
    w = integers(LINEAR)
    _, second, third = w
    low = {**w, second: w[second][[0, 0]]}
    column = other(w[third][:, :1])
    yield "a product of lower rank", LINEAR, low, {**low, third: w[third] + np.hstack([column, -column])}
    w = integers(NORMED)
    gain = next(name for name in w if name.endswith(".g"))
    zero = {**w, gain: w[gain] * np.array([[0], [1], [1], [1]]).reshape(w[gain].shape)}
    columns = {f"heads.{name}": zero[f"heads.{name}"].copy() for name in ("Q_1", "K_2", "V_1")}
    for array in columns.values():
        array[:, 0] = other(array[:, 0])
    yield "a zero in a gain", NORMED, zero, zero | columns


ROUTED = algatt.Network(Experts(2, Feedforward(2, Power(2)), router=SoftmaxRouter(top=1)), tokens=2, width=2)
ZOO = (
    HEADS,
    NORMED,
    GATED,
    BIASED,
    algatt.Network(Residual(LayerNorm() >> Heads(1, mask=Causal(), biases="QKVO")), tokens=2, width=3),
    algatt.Network(Residual(Heads(2, width=2, position=Rotary())), tokens=3, width=4),
    algatt.Network(Residual(Heads(2, width=2, score=Unnormalized())) >> Linear(2), tokens=2, width=3),
    algatt.Network(Embedding(4, 3) >> Residual(RMSNorm() >> Heads(1)) >> Unembedding(3), tokens=2),
    ROUTED,
    algatt.Lightning((2, 3, 2), (1, 2), 2),
    algatt.Softmax((2, 3, 2), (1, 2), 2),
)
