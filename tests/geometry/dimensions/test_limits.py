"""What limits a dimension that is not proven is the operation that was planted; nothing limits one that is."""

from __future__ import annotations

import json
import re
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.fields import Erf, Log, Positive, Sigmoid
from algatt.geometry.dimensions import limits
from algatt.layers import (
    GELU,
    Capped,
    Causal,
    DepthwiseConvolution,
    DifferentialHeads,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    MeanToken,
    Power,
    Rational,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SelectiveScan,
    SigmoidRouter,
    SoftmaxRouter,
    Softplus,
    Tanh,
    TanhGELU,
    Unembedding,
    Window,
)
from algatt.views.tables import print_summary
from written_networks import written

TWO, ONE, MATRIX = {"b": (1, 1), "c": (1, 1)}, {"b": (1, 1)}, {"A": (3, 2), "B": (3, 2)}


def gate(X: Any) -> Any:
    return X.entrywise(Positive())


def rectified(X: Any) -> Any:
    return X * gate(X)


PLANTED = {
    "largest of three": (MATRIX, lambda w, X: (w.A @ X).largest(1) * (w.B @ X), ["largest"]),
    "two largest of exponentials": (MATRIX, lambda w, X: (w.A @ X).exp().largest(2) * (w.B @ X), ["largest"]),
    "largest sigmoid": (
        MATRIX | {"c": (1, 1)},
        lambda w, X: (w.A @ X + w.c).entrywise(Sigmoid()).largest(1) * (w.B @ X),
        ["largest", "sigmoid"],
    ),
    "x = relu(x) - relu(-x)": (
        {"A": (2, 2), "b": (1, 2)},
        lambda w, X: w.b @ (rectified(w.A @ X) - rectified(-(w.A @ X))),
        ["positive", "product"],
    ),
    "max + min": (
        {"A": (1, 2), "B": (1, 2)},
        lambda w, X: (w.A @ X + w.B @ X) * gate(w.A @ X - w.B @ X) + (w.A @ X + w.B @ X) * gate(w.B @ X - w.A @ X),
        ["positive"],
    ),
    "a gate and its square": (
        TWO | {"a": (1, 2)},
        lambda w, X: (w.b * gate(w.a @ X) + w.c * gate(w.a @ X) * gate(w.a @ X)) * X,
        ["add", "positive"],
    ),
    "a gate of what is positive": (
        ONE | {"a": (1, 2), "B": (2, 2)},
        lambda w, X: gate(w.b * w.b + 1 + (w.a @ X) * (w.a @ X)) * (w.B @ X),
        ["positive"],
    ),
    "exp(2x) and exp(x)^2": (
        TWO | {"a": (1, 2)},
        lambda w, X: w.b * (w.a @ X + w.a @ X).exp() + w.c * (w.a @ X).exp() * (w.a @ X).exp(),
        ["add", "exp"],
    ),
    "sigmoid and its quotient": (
        TWO | {"a": (1, 2)},
        lambda w, X: w.b * (w.a @ X).exp() / (1 + (w.a @ X).exp()) + w.c * (w.a @ X).entrywise(Sigmoid()),
        ["add", "sigmoid"],
    ),
    "erf of both signs": (
        TWO | {"a": (1, 2)},
        lambda w, X: w.b * (w.a @ X).entrywise(Erf()) + w.c * (-(w.a @ X)).entrywise(Erf()),
        ["add", "erf"],
    ),
    "log of exp": (ONE | {"a": (1, 2)}, lambda w, X: w.b * (w.a @ X).exp().entrywise(Log()), ["log"]),
}
"""Tensors, functions, and operations that no rule sees through, by what they are."""


def check(report: Any) -> list[str]:
    """Return the operations that are named, which have to be those of the program by their numbers."""
    instructions = algatt.maps.program(report.architecture).instructions
    named = [one for said in report.limited_by for one in re.findall(r"(\w+) \(%(\d+)\)", said)]
    for operation, number in named:
        assert instructions[int(number)].operation == operation
    return [operation for operation, _ in named]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PLANTED)
def test_the_operation_that_no_rule_explains_is_named(name: str) -> None:
    tensors, function, expected = PLANTED[name]
    report = algatt.dimension(written(tensors, function, width=2, tokens=2))
    assert report.status in ("probable", "numerical")
    assert report.lower < report.upper
    assert set(expected) <= set(check(report))
    ends = {said.split(" (", 1)[0] for said in report.limited_by}
    assert ends <= {"largest", "positive", "add", "product", "multiply"}


LAYERS = {
    "ReLU, twice": Linear(3) >> ReLU() >> Linear(3) >> ReLU() >> Linear(2),
    "GELU": Linear(3) >> GELU() >> Linear(2),
    "GELU by tanh": Linear(3) >> TanhGELU() >> Linear(2),
    "Softplus": Linear(3) >> Softplus() >> Linear(2),
    "power": Linear(3) >> Power(3) >> Linear(2),
    "quotient": Linear(3) >> Rational((1, 2), (1, 0, 1)) >> Linear(2),
    "pooling": Linear(3) >> Tanh() >> MeanToken(),
    "convolution": DepthwiseConvolution(2) >> GELU() >> Linear(2),
    "scan": Residual(SelectiveScan(2, 1)),
    "window": Residual(Heads(1, width=2, mask=Window(2))),
    "rotary": Residual(Heads(1, width=2, mask=Causal(), position=Rotary())),
    "difference of heads": Residual(DifferentialHeads(1, width=2)),
    "two experts of three": Residual(Experts(3, Feedforward(2, GELU()), SoftmaxRouter(2))),
    "one expert of three": Residual(Experts(3, Feedforward(2, GELU()), SigmoidRouter(1))),
    "LayerNorm": Residual(LayerNorm() >> Feedforward(3, GELU())),
    "capped logits": Embedding(4, 2) >> Residual(Heads(1, width=2)) >> Unembedding(4, reading=Capped(3)),
    "norm of what a head of width one writes": Residual(Heads(1, width=1) >> RMSNorm()),
    "heads of one token": Residual(Heads(2, width=2)),
    "few tokens": Embedding(3, 2) >> Residual(Heads(1, width=1)) >> Residual(Feedforward(2, ReLU())) >> Unembedding(3),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", LAYERS)
def test_a_proof_has_no_limits_and_what_is_none_names_them(name: str) -> None:
    layers = LAYERS[name]
    reads = None if "Embedding" in str(layers) else 3
    report = algatt.dimension(algatt.Network(layers, tokens=1 if name == "heads of one token" else 2, width=reads))
    assert (report.status == "proven") == (not report.limited_by)
    check(report)


def test_where_limits_are_written(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    net = algatt.Network(Residual(Heads(1, width=1) >> RMSNorm()), tokens=2, width=2)
    report = algatt.dimension(net)
    assert json.loads(json.dumps(report.to_dict()))["limited_by"] == list(report.limited_by)
    print_summary(report, sys.stdout)
    assert "limited by column_products (%" in " ".join(capsys.readouterr().out.split())
    monkeypatch.setattr(limits, "MOST_PARAMETERS", net.parameters - 1)
    assert algatt.dimension(net).limited_by == ()


def test_derivatives_that_overflow_are_not_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 128th power of a small number has a reciprocal whose derivative is too large for a float."""

    def text(w: Any, X: Any) -> Any:
        power = w.A @ X
        for _ in range(7):
            power = power * power
        return w.B @ power.reciprocal()

    net = written({"A": (2, 2), "B": (2, 2)}, text, width=2, tokens=2)
    monkeypatch.setattr(limits, "unexplained_directions", lambda *_: np.eye(8))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert limits.limits_of(net, (), 0) == ()
