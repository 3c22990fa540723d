"""Nouns as plain values for JSON, and back."""

import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

import algatt
from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import (
    GELU,
    AcrossHeads,
    Activation,
    Affine,
    ALiBi,
    Capped,
    Causal,
    Embedding,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    Linear,
    Mask,
    Parallel,
    Pattern,
    Power,
    Probabilities,
    Rational,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    Score,
    SigmoidRouter,
    SiLU,
    SoftCap,
    Stack,
    Tanh,
    TanhGELU,
    Tie,
    Unembedding,
    Unnormalized,
    Window,
)
from algatt.layers.base import layout, tensor_shapes
from algatt.layers.description import describe, noun_of
from algatt.testing import examples

LAYERS = examples(Layer)

OTHERS = [
    Heads(
        4, key_heads=2, mask=Window(3), position=Rotary(500000.0, width=2, layout="halves"), norm=AcrossHeads(RMSNorm())
    ),
    Heads(2, mask=Pattern(((1, 0), (1, 1))), position=ALiBi(), score=SoftCap(50, Exponential(Fraction(1, 3)))),
    Heads(2, position=RelativeBias(bidirectional=False), score=Unnormalized(Rational((1,), (2, 1)))),
    Heads(1, position=Rotary(frequencies=(1.0, 1 / 3))),
    Experts(3, Feedforward(2, SiLU(), gated=True), SigmoidRouter(2, True, correction=True)),
    Feedforward(3, Tanh()) >> Feedforward(3, TanhGELU()) >> Feedforward(3, GELU()) >> Feedforward(3, Affine(2, 1)),
    Unembedding(5, reading=Capped(Fraction(61, 2), Probabilities())),
    LayerNorm(Fraction(1, 10**5)),
    Embedding(3, 2, scale=2**0.5),
    2 * (3 * Linear(2)),
    Linear(4, bias=True) >> Tanh() >> Rational((0, 1), (2, 0, 1)) >> 2 * GELU(),
    Parallel(ReLU(), Residual(Exponential(Fraction(1, 3)))),
    Tie(Linear(2) >> Linear(2), {"linear_2.W": "linear_1.W"}),
]


@pytest.mark.parametrize("layer", [layer for layer, _ in LAYERS] + OTHERS, ids=repr)
def test_json_and_back(layer):
    again = noun_of(json.loads(json.dumps(describe(layer), allow_nan=False)))
    assert again == layer
    assert repr(again) == repr(layer)
    assert hash(again) == hash(layer)


@pytest.mark.parametrize(("layer", "shape"), LAYERS, ids=repr)
def test_what_comes_back_has_the_same_tensors(layer, shape):
    assert tensor_shapes(noun_of(describe(layer)), shape) == tensor_shapes(layer, shape)


def test_every_layer_has_examples():
    ours = {
        layer
        for name in algatt.layers.__all__
        if isinstance(layer := getattr(algatt.layers, name), type) and issubclass(layer, Layer)
    }
    no_examples = {Layer, Activation, Score, AcrossHeads}  # three are abstract, one is part of an example of Heads
    shown = {type(node.layer) for layer, _ in LAYERS for node in layout(layer).walk()}  # some need others around them
    assert shown >= ours - no_examples


@pytest.mark.parametrize("net", Network.examples(), ids=repr)
def test_networks_too(net):
    again = noun_of(json.loads(json.dumps(net.description(), allow_nan=False)))
    assert again == net
    assert algatt.coordinates(again) == algatt.coordinates(net)


def test_a_description_says_the_names_and_all_fields():
    assert describe(Residual(Linear(3))) == {"name": "Residual", "layer": {"name": "Linear", "width": 3, "bias": False}}
    block = {"name": "RMSNorm", "eps": {"name": "Fraction", "value": "1/10"}, "gain": True}
    assert describe(2 * RMSNorm(Fraction(1, 10))) == {"name": "Stack", "count": 2, "block": block}
    assert describe(Parallel(Linear(1), Linear(2)))["layers"] == [describe(Linear(1)), describe(Linear(2))]
    assert describe(Stack((Linear(1), Linear(2))))["blocks"] == [describe(Linear(1)), describe(Linear(2))]


def test_fields_that_are_missing_are_as_by_default():
    assert noun_of({"name": "Feedforward", "hidden": 3, "activation": {"name": "Power", "k": 2}}) == Feedforward(
        3, Power(2)
    )


SLOTS = "it should be the name of a layer, or of what stands in its slots"
OWN = "a noun of your own has to be imported first"


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (
            {"name": "Linera", "width": 3},
            f"description.name was 'Linera'; did you mean Linear?; {SLOTS}",
        ),
        (
            {"name": "Mamba"},
            f"description.name was 'Mamba'; {OWN}; {SLOTS}",
        ),
        (
            {"width": 3},
            f"description.name was None; {OWN}; {SLOTS}",
        ),
        ({"name": "Linear"}, "description.width was missing; it should be a field of Linear"),
        (
            {"name": "Linear", "width": 3, "depth": 2},
            "description.depth was given; it should be one of the fields width, bias of Linear",
        ),
        ({"name": "Linear", "width": "3"}, "width was '3'; it should be an integer >= 1"),
        ({"name": "Linear", "width": 3, "bias": "false"}, "bias was 'false'; it should be True or False"),
        ({"name": "Residual", "layer": "Linear"}, "layer was 'Linear'; it should be a layer"),
        (
            {"name": "RMSNorm", "eps": {"name": "Fraction", "value": "1/0"}},
            "description.eps.value was '1/0'; it should be a fraction, as \"1/3\"",
        ),
        ({"name": "Stack", "count": 2}, "blocks[0] was None; it should be a layer"),
        ({"name": "Parallel", "layers": 5}, "layers was 5; it should be a sequence of at least 2 layers"),
        ({"name": "Parallel"}, "description.layers was missing; it should be a field of Parallel"),
        (
            {"name": "Causal", "size": 2},
            "description.size was given; it should be one of the fields of nothing of Causal",
        ),
    ],
)
def test_what_describes_no_layer_is_told_in_a_line(description, message):
    with pytest.raises(InvalidArgument) as told:
        noun_of(description)
    assert str(told.value) == message


def test_the_place_of_an_error_is_told():
    with pytest.raises(
        InvalidArgument, match=r"^net\.layers\[1\]\.layer\.name was 'Hedas'; did you mean Heads\?; it should be"
    ):
        noun_of(
            {"name": "Chain", "layers": [describe(Linear(3)), {"name": "Residual", "layer": {"name": "Hedas"}}]}, "net"
        )


@pytest.mark.parametrize(
    "name", ["Layer", "Combinator", "Activation", "Score", "Mask", "Position", "Router", "Reading"]
)
def test_abstract_nouns_are_no_layers(name):
    with pytest.raises(InvalidArgument, match=rf"^description\.name was '{name}'"):
        noun_of({"name": name})


def test_a_name_of_two_nouns_is_none():
    twins = [
        dataclass(frozen=True, repr=False)(type("Twin", (Mask,), {"__module__": module}))
        for module in ("yours", "theirs")
    ]
    with pytest.raises(InvalidArgument) as told:
        noun_of({"name": "Twin"})
    assert (
        str(told.value)
        == "description.name was 'Twin', which is in the modules theirs, yours; it should be the name of one noun"
    )
    assert len(twins) == 2  # they are there as long as somebody holds them


def test_what_json_cannot_hold_is_refused():
    with pytest.raises(
        InvalidArgument,
        match=r"^architecture was with .* in a field; it should be made of nouns, numbers, texts and tuples",
    ):
        describe((Causal(), object()))
