"""A network as the tree of its layers: the tensors are those of its coordinates, the shapes those of a run."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.architectures import outline
from algatt.architectures.network import arrange
from algatt.architectures.parts import Part, parts_of, title
from algatt.layers import (
    AcrossHeads,
    Causal,
    Chain,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    Linear,
    Named,
    Parallel,
    Power,
    Residual,
    RMSNorm,
    SoftmaxRouter,
    Stack,
    Tensors,
    Tie,
    Unembedding,
    Unnormalized,
)

LINEAR = Unnormalized()

NORMED = Heads(2, norm=RMSNorm())

READER = Embedding(5, 3) >> Residual(Heads(1)) >> Unembedding(5)

TIED = Tie(3 * Linear(3), {"2.linear.W": "1.linear.W"})

NETWORKS = {
    "heads": algatt.Network(2 * Residual(Heads(2, score=LINEAR, mask=Causal())), tokens=3, width=4),
    "experts": algatt.Network(Residual(Experts(3, Linear(4) >> Linear(2), SoftmaxRouter(top=2))), tokens=2, width=2),
    "norms": algatt.Network(Parallel(NORMED, Heads(2, norm=AcrossHeads(RMSNorm()))), tokens=2, width=4),
    "tied": algatt.Network(Tie(READER, {"unembedding.U": "embedding.E"}), tokens=2),
    "ties in ties": algatt.Network(Tie(TIED, {"3.linear.W": "1.linear.W"}), tokens=2, width=3),
    "stack": algatt.Network(Stack((Linear(4), Named("last", Linear(3) >> Linear(5)))), tokens=2, width=4),
    "branches": algatt.Network(Parallel(Linear(4) >> Linear(5), Linear(5)), tokens=2, width=6),
    "lightning": algatt.Lightning((4, 3, 4), (2, 2), 3),
    "softmax": algatt.Softmax((4, 3, 4), (2, 2), 3),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_the_tensors_are_the_coordinates(name: str) -> None:
    network = verbs.expression(NETWORKS[name])
    whole = parts_of(NETWORKS[name])
    own = {t.path: t.shape for part in whole.walk() for t in part.tensors if not t.tied}
    assert own == dict(algatt.coordinates(NETWORKS[name]))
    tied = {t.path for part in whole.walk() for t in part.tensors if t.tied}
    assert tied <= set(own)
    assert whole.parameters == sum(math.prod(shape) for shape in own.values()) == NETWORKS[name].parameters
    assert (whole.input_shape, whole.output_shape) == (network.input_shape, network.output_shape)


def test_the_shapes_between_layers_are_those_of_values() -> None:
    """The first layer by itself, evaluated in floats, has a value of the shape that the part says."""
    chain = Embedding(5, 3) >> Linear(4) >> Linear(2)
    parts = parts_of(algatt.Network(chain, tokens=3)).parts
    for count in (2, 3):
        start = algatt.Network(Chain(chain.layers[:count]), tokens=3)
        theta = algatt.sample(start, algatt.Weights, field=algatt.Reals(), seed=0)
        value = algatt.evaluate(start, theta, np.array([0, 1, 2]))
        assert parts[count - 1].output_shape == value.shape


def test_the_wiring() -> None:
    whole = parts_of(NETWORKS["branches"])
    assert (whole.wiring, [part.wiring for part in whole.parts]) == ("parallel", ["sequence", "inside"])
    (experts,) = parts_of(NETWORKS["experts"]).parts
    assert (experts.wiring, [part.key for part in experts.parts]) == ("inside", ["1", "2", "3"])
    assert [(part.key, count) for part, count in experts.runs()] == [("1", 3)]
    (heads, _) = parts_of(NETWORKS["norms"]).parts
    assert [part.key for part, _ in heads.runs()] == ["query_norm", "key_norm"]  # equal, but two things


def test_equal_blocks_count_once_only_if_their_tensors_are_equal() -> None:
    def runs(layer: Layer, width: int) -> list[int]:
        return [count for _, count in parts_of(algatt.Network(layer, tokens=2, width=width)).runs()]

    assert runs(3 * Linear(4), 4) == [3]
    assert runs(3 * Linear(4), 5) == [1, 2]  # the first matrix is (4, 5)
    assert runs(Stack((Linear(4), Linear(4), Linear(3), Linear(4))), 4) == [2, 1, 1]
    tied = Tie(2 * Linear(3), {"2": "1"})
    stack = parts_of(algatt.Network(tied, tokens=2, width=3)).parts[0]
    assert [count for _, count in stack.runs()] == [1, 1]  # the second has no tensors of its own
    assert runs(Parallel(Linear(4), Linear(4)), 4) == [1, 1]  # branches are all drawn


@dataclasses.dataclass(frozen=True, repr=False)
class Twice(Layer):
    """x -> f(f(x)): a layer of a user, whose part runs twice."""

    layer: Layer

    @property
    def parts(self) -> dict[str, Layer]:
        return {"f": self.layer, "never": Linear(3)}


@verbs.tensors.method
def tensors_of_twice(layer: Twice, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {}


@verbs.apply.method
def apply_twice(layer: Twice, w: Tensors, X: algatt.fields.Elements) -> algatt.fields.Elements:
    return w.f(w.f(X))


def test_a_layer_of_a_user() -> None:
    whole = parts_of(algatt.Network(Twice(Feedforward(5, Power(2))), tokens=2, width=3))
    (part,) = whole.parts  # what is never run has no place
    assert (part.key, [t.path for t in part.tensors]) == ("f", ["twice.f.up", "twice.f.down"])
    assert (title(whole), title(part)) == ("Twice()", "Feedforward(5, activation=Power(k=2))")


def shapes(text: str) -> Iterator[tuple[str, str]]:
    """Iterate over the names and shapes of the tensors in an outline."""
    for line in text.splitlines()[2:]:
        name, _, shape = line.strip().partition("  ")
        if re.fullmatch(r"[\w., ]+", name) and "." in name:
            yield name, shape.strip()


def test_the_text_has_all_tensors_with_their_shapes() -> None:
    text = outline(NETWORKS["stack"])
    assert dict(shapes(text)) == {
        "1.linear.W": "4 x 4",
        "2.last.linear_1.W": "3 x 4",
        "2.last.linear_2.W": "5 x 3",
    }
    assert outline(NETWORKS["tied"]).splitlines()[-1].split() == ["U", "=", "embedding.E", "5", "x", "3"]
    numbered = algatt.Network(Heads(12, width=1, score=LINEAR), tokens=2, width=2)
    assert ("heads.Q_1, ..., heads.Q_12", "1 x 2") in set(shapes(outline(numbered)))


@pytest.mark.parametrize("name", NETWORKS)
def test_lines_of_the_text(name: str) -> None:
    lines = outline(NETWORKS[name]).split("\n")
    assert lines[0].startswith(f"{NETWORKS[name].parameters:,} parameters, input ")
    assert (lines[1], lines[-1]) == ("", "")
    assert all(line == line.rstrip() and line for line in lines[2:-1])
    depths = [len(line) - len(line.lstrip()) for line in lines[2:-1]]
    assert depths[0] == 0
    assert all(after - before <= 2 and after % 2 == 0 for before, after in itertools.pairwise(depths))


def test_a_deep_stack_is_as_short_as_a_shallow_one() -> None:
    def lines(count: int) -> int:
        return len(outline(algatt.Network(count * Residual(Linear(4)), tokens=2, width=4)).splitlines())

    assert lines(100) == lines(2)


def test_a_notebook_shows_the_text(shown: Any) -> None:
    table = shown(NETWORKS["heads"]._repr_html_())
    assert table.caption == "Network"
    assert table.rows == [[outline(NETWORKS["heads"])]]


def test_parts_are_values() -> None:
    first, second = (parts_of(algatt.Network(2 * Linear(4), tokens=2, width=4)) for _ in range(2))
    assert isinstance(first, Part)
    assert first == second


def test_the_program_of_a_layer_is_not_written_out() -> None:
    net = arrange(algatt.Network(Heads(2), tokens=2, width=4)).network
    assert outline(net).splitlines()[2] == "Computed('Heads(2)')    4 x 2"
