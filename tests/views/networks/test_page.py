"""The html page of a network holds its layers, all that it needs, and nothing that could leave it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

import algatt
from algatt import verbs
from algatt.architectures.network import Computed
from algatt.layers import Causal, Feedforward, Heads, Layer, Residual, Tensors
from algatt.programs import Program
from algatt.views.networks.page import page
from algatt.views.networks.words import TIMES, phrases
from html_elements import (
    Elements,
    check_needs_nothing_else,
    check_no_element_brings_style_or_code,
    check_policy,
    data_of,
)

BLOCK = Residual(Heads(4, width=2, mask=Causal())) >> Residual(Feedforward(16))

NETWORK = algatt.Network(2 * BLOCK, tokens=3, width=4)


def embedded(text: str) -> dict[str, Any]:
    """Return the data that a page holds."""
    data: dict[str, Any] = json.loads(data_of(text))
    return data


def paths(layer: dict[str, Any]) -> dict[str, str]:
    own = {path: family["shape"] for family in layer["families"] for path in family["paths"]}
    return own | {path: shape for part in layer["parts"] for path, shape in paths(part).items()}


def test_a_program_is_counted_and_not_printed() -> None:
    assert phrases(Computed(Program(()), (4, 3), (), "Block")) == ["0 operations: algatt program prints them"]


def test_the_page_holds_the_tensors_of_the_first_of_equal_blocks() -> None:
    data = embedded(page(NETWORK))
    assert (data["parameters"], data["tokens"], data["vocabulary"]) == (NETWORK.parameters, 3, None)
    first = {name: shape for name, shape in algatt.coordinates(NETWORK).items() if name.startswith("1.")}
    assert paths(data["root"]) == {name: f" {TIMES} ".join(map(str, shape)) for name, shape in first.items()}
    assert [part["count"] for part in data["root"]["parts"]] == [2]


def test_what_is_said_of_a_layer() -> None:
    heads = embedded(page(NETWORK))["root"]["parts"][0]["parts"][0]["parts"][0]
    assert heads["written"] == "Heads(4, width=2, mask=Causal())"
    assert heads["arxiv"] == ["1706.03762", "2305.13245", "2302.05442"]
    assert heads["input"] == heads["output"] == f"4 {TIMES} 3"
    assert heads["parameters"] == 4 * (3 * 2 * 4 + 4 * 2)


def test_lightning_has_a_page_too() -> None:
    found = paths(embedded(page(algatt.Lightning((4, 3, 2), (2, 1), 3)))["root"])
    shapes = {name: tuple(map(int, shape.split(TIMES))) for name, shape in found.items()}
    assert shapes == {"Q_1": (2, 4), "K_1": (2, 4), "V_1": (3, 4), "Q_2": (1, 3), "K_2": (1, 3), "V_2": (2, 3)}


def test_the_page_needs_nothing_else() -> None:
    text = page(NETWORK)
    check_needs_nothing_else(text)
    check_no_element_brings_style_or_code(text)


def test_the_policy_names_the_style_and_the_script_and_forbids_the_rest() -> None:
    check_policy(page(NETWORK))


@dataclass(frozen=True, repr=False)
class Strange(Layer):
    """A layer whose tensor and whose text want to leave their place: </script><b>."""

    text: str = "x"


@verbs.tensors.method
def tensors_of_strange(layer: Strange, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"</script><b>": (1, 1)}


@verbs.apply.method
def apply_strange(layer: Strange, w: Tensors, X: algatt.fields.Elements) -> algatt.fields.Elements:
    return w["</script><b>"] * X


def test_texts_cannot_leave_their_place() -> None:
    text = page(algatt.Network(Strange("</script><script>alert(1)</script><!--$style"), tokens=2, width=2))
    elements = Elements(text)
    assert len(elements.named("script")) == 2
    assert not elements.named("b")
    assert embedded(text)["root"]["families"][0]["names"] == ["</script><b>"]
    assert "alert(1)" in embedded(text)["root"]["written"]


def test_size() -> None:
    deep = algatt.Network(96 * (Residual(Heads(32)) >> Residual(Feedforward(64))), tokens=3, width=32)
    assert len(page(deep).encode()) < 60_000


@pytest.mark.parametrize("name", ["button", "section", "aside"])
def test_every_control_has_a_name(name: str) -> None:
    found = Elements(page(NETWORK)).named(name)
    assert found
    assert all(attributes.get("aria-label") or content.strip() for attributes, content in found)


def test_title() -> None:
    assert Elements(page(NETWORK)).named("title")[0][1] == f"A network of {NETWORK.parameters:,} parameters"
