"""Bounds from pieces of blocks of transformers, beside random points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt import layers, memory, verbs
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Elementary, Elements, PrimeField, Reals
from algatt.geometry import Copies, RandomPoints
from algatt.geometry.dimensions import question
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.structure import dimension as choice
from algatt.geometry.dimensions.structure import pieces as module
from algatt.geometry.dimensions.structure.cut import Cut, cut_blocks
from algatt.geometry.dimensions.structure.pieces import attempt_by_pieces
from algatt.parameters import Weights


def block(hidden: int, heads: int = 2, keys: int = 1, eps: float = 1e-6, **of_heads: Any) -> Any:
    attention = layers.Heads(heads, key_heads=keys, mask=layers.Causal(), position=layers.Rotary(), **of_heads)
    neurons = layers.Feedforward(hidden, layers.SiLU(), gated=True)
    return layers.Residual(layers.RMSNorm(eps) >> attention) >> layers.Residual(layers.RMSNorm(eps) >> neurons)


NET = algatt.Network(block(6), tokens=2, width=4)

WIDER = algatt.Network(block(18), tokens=2, width=12)

BIASED = algatt.Network(block(18, biases="QKV", norm=layers.RMSNorm()), tokens=2, width=12)


SMALL_BIASED = algatt.Network(block(4, 1, width=2, biases="QKV", norm=layers.RMSNorm()), tokens=2, width=4)


@pytest.mark.parametrize("net", [NET, SMALL_BIASED], ids=["plain", "biases and norms of queries and keys"])
def test_a_block_by_pieces_is_the_block_at_random_points(net: Any) -> None:
    by_pieces = algatt.dimension(net, points=Copies(2))
    at_random = algatt.dimension(net, points=RandomPoints())
    assert (by_pieces.value, by_pieces.status) == (at_random.value, "proven")
    assert by_pieces.symmetries == at_random.symmetries
    assert by_pieces.pieces is not None
    assert by_pieces.conditions is not None


@pytest.mark.parametrize("net", [WIDER, BIASED], ids=["plain", "biases and norms of queries and keys"])
@pytest.mark.parametrize("members", [(1,), (3,), (1, 3)], ids=str)
def test_derivatives_vanish_outside_of_the_parts_of_an_input(net: Any, members: tuple[int, ...]) -> None:
    """At block-diagonal real weights, for all entries of the value in the parts; dense ones do not."""
    cut = cut_blocks(net, 3, 2, [18])
    field = Reals()
    theta = verbs.sample(net, Weights, field=field, seed=2)
    masked = theta.replace(
        [
            Elements(field, one.raw * ((1 in shape) | (np.ptp(cut.parts(shape, 3), axis=-1) == 0)))
            for one, shape in zip(theta.elements, cut.tensors.values(), strict=True)
        ]
    )
    reached = np.array([part in (0, *members) for part in np.repeat(range(4), [6, 2, 2, 2])])
    X = np.random.default_rng(0).normal(size=net.input_shape) * reached[:, None]
    for weights, structured in ((masked, True), (theta, False)):
        rows = verbs.jacobian(net, weights, Elements(field, X)).raw.reshape(*net.output_shape, -1)[reached]
        columns = np.concatenate([cut.reached(shape, members).ravel() for shape in cut.tensors.values()])
        rows[..., columns] = 0
        assert rows.any() != structured


def test_weights_without_the_structure_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Cut.weights

    def changed(cut: Cut, copies: int, field: Any, seed: int) -> Any:
        """Neurons of the whole network read other parts than they are in."""
        theta = honest(cut, copies, field, seed)
        at = theta.names().index("feedforward.up")
        turned = [one[::-1] if number == at else one for number, one in enumerate(theta.elements)]
        return theta.replace(turned) if copies == cut.count else theta

    monkeypatch.setattr(Cut, "weights", changed)
    with pytest.raises(ConditionFailed, match="are not those of its pieces"):
        attempt_by_pieces(Question(WIDER), cut_blocks(WIDER, 3, 2, [18]), Elementary())


def test_norms_of_pieces_divide_by_the_width_of_the_whole_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A norm that divides by the width of the piece is another function."""
    cut = cut_blocks(algatt.Network(block(12, eps=0.5, width=4), tokens=3, width=8), 2, 2, [12])
    module.check_rows(cut, 1, PrimeField(), 0)
    part = algatt.Network(block(9, eps=0.5, width=4), tokens=3, width=6)
    assert verbs.coordinates(part) == verbs.coordinates(cut.network(1))
    monkeypatch.setattr(Cut, "network", lambda self, copies: part)
    with pytest.raises(ConditionFailed, match="are not those of its pieces"):
        module.check_rows(cut, 1, PrimeField(), 0)


def test_large_blocks_are_looked_at_at_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    net = algatt.Network(block(60, 4, 2), tokens=2, width=24)
    monkeypatch.setattr(choice, "attempt_by_pieces", failing)
    assert choice.pays(net)
    assert not choice.pays(NET)
    assert algatt.dimension(NET).pieces is None
    with pytest.raises(ConditionFailed, match="planted"):
        algatt.dimension(net, points=Copies())


def failing(*arguments: Any) -> Any:
    raise ConditionFailed("planted")


def network_of(layer: Any) -> Any:
    return algatt.Network(layers.Residual(layer), tokens=3, width=8)


@pytest.mark.parametrize(
    ("net", "reason"),
    [
        (network_of(layers.LayerNorm() >> layers.Heads(2)), "has LayerNorm"),
        (network_of(layers.RMSNorm(0) >> layers.Heads(2)), "has RMSNorm"),
        (network_of(layers.RMSNorm(gain=False) >> layers.Heads(2)), "has RMSNorm"),
        (network_of(layers.Heads(2, biases="O")), "has Heads"),
        (network_of(layers.Heads(2, norm=layers.RMSNorm(0))), "has Heads"),
        (network_of(layers.Heads(2, norm=layers.LayerNorm())), "has Heads"),
        (network_of(layers.Feedforward(8, layers.SiLU(), bias=True)), "has Feedforward"),
        (network_of(layers.Feedforward(8, layers.ReLU())), "has Feedforward"),
        (algatt.Network(layers.Embedding(4, 8) >> layers.Heads(2), tokens=3), "reads tokens"),
        (network_of(layers.Heads(2, score=layers.Unnormalized())), "is algebraic"),
        (algatt.Network(block(12), tokens=8, width=8), "has axes of one size"),
        (algatt.Network(block(3), tokens=2, width=8), "has axes of one size"),
    ],
    ids=str,
)
def test_layers_that_are_not_cut_are_refused(net: Any, reason: str) -> None:
    with pytest.raises(InvalidArgument, match=f"for a network that {reason}"):
        algatt.dimension(net, points=Copies(2))


def test_numbers_and_fields_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="n from 1 to 2"):
        algatt.dimension(NET, points=Copies(3))
    for field in (PrimeField(), algatt.Balls(), Reals()):
        with pytest.raises(InvalidArgument, match="points was"):
            algatt.dimension(NET, points=Copies(2), field=field)
    with pytest.raises(InvalidArgument, match="with a checkpoint"):
        algatt.dimension(NET, points=Copies(2), checkpoint="never-written")


def test_pieces_have_every_parameter_once() -> None:
    cut = cut_blocks(algatt.Network(2 * block(13, 4, 2), tokens=3, width=16), 5, 2, [13])
    assert sum(times * int(cut.own(piece).sum()) for piece, times in cut.pieces()) == cut.arch.parameters


def test_tangents_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a whole network are eliminated, however small its pieces are."""
    monkeypatch.setattr(memory, "available_memory", lambda: 10**4)
    monkeypatch.setattr(module, "check_dimension", lambda question, field: None)
    monkeypatch.setattr(module, "WHOLE", 0)
    with pytest.raises(algatt.errors.NotEnoughMemory, match="the elimination of the tangents of the symmetries needs"):
        algatt.dimension(WIDER, points=Copies(2))
