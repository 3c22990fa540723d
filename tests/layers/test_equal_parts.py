"""Where only shapes are asked for, one of equal parts is run, and the names are those of running all of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from algatt import verbs
from algatt.fields import Elements, Shape, Shapes
from algatt.layers import Experts, Feedforward, Layer, Linear, Named, Parallel, Residual, RMSNorm, Tensors, Tie
from algatt.layers.base import Recorder, layout, run, tensor_shapes

PAIR = Tie(2 * Linear(3), {"2": "1"})
BLOCK = Residual(RMSNorm() >> Experts(3, Feedforward(2))) >> Residual(RMSNorm() >> Feedforward(4))


@dataclass(frozen=True, repr=False)
class Counted(Layer):
    """A layer that counts how often it is run."""

    runs: ClassVar[list[int]] = []


@verbs.tensors.method
def tensors_of_counted(layer: Counted, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"W": (shape[0], shape[0])}


@verbs.apply.method
def apply_counted(layer: Counted, w: Tensors, X: Elements) -> Elements:
    layer.runs.append(1)
    return w.W @ X


@pytest.mark.parametrize(
    "layer",
    [
        3 * BLOCK,
        2 * (2 * BLOCK),
        Experts(3, PAIR),
        2 * Experts(2, PAIR >> Linear(3)),
        Tie(3 * BLOCK, {"3": "1", "2.experts.2": "2.experts.1"}),
        Tie(2 * Experts(2, PAIR), {"2.experts.1": "1.experts.2"}),
        Parallel(Named("one", BLOCK), Named("two", BLOCK)),
        Linear(3) >> 2 * Linear(3),
        2 * Linear(5),
    ],
    ids=repr,
)
def test_names_and_shapes_are_those_of_running_all_parts(layer: Layer) -> None:
    every: Any = dataclasses.replace(Recorder(), memo=None)  # type: ignore[arg-type]
    run(layout(layer), every, Elements(Shapes(), Shape((3, 2))))
    assert list(tensor_shapes(layer, (3, 2))[0].items()) == list(every.shapes.items())


def test_one_of_equal_parts_is_run() -> None:
    Counted.runs.clear()
    names, _ = tensor_shapes(5 * Residual(Experts(7, Counted())), (3, 2))
    assert len(names) == 5 * (1 + 7)
    assert len(Counted.runs) == 1
