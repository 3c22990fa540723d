"""Claims of exponentials, roots and gates: true ones hold, and each number in them is checked."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Elementary
from algatt.certificates.make.elementary import elementary_claims
from algatt.errors import MethodError
from algatt.geometry.dimensions.elementary.gates import gates_of_real_inputs, reading_of
from algatt.layers import Embedding, Heads, Residual, Unembedding
from elementary_networks import NETWORKS, refutations, report_of, true_claims

Path = tuple[Any, ...]


@pytest.mark.parametrize("name", NETWORKS)
def test_true_claims_hold(name: str) -> None:
    assert refutations(name, true_claims(name)) == []


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Iterate over what is neither a list nor an object."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from leaves(part, (*path, number))
    else:
        yield path, value


def lists(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Iterate over lists and objects."""
    if isinstance(value, dict | list):
        yield path, value
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from lists(part, (*path, key))


def replaced(claims: Any, path: Path, value: Any) -> Any:
    """Return claims with another value at one place."""
    anew = copy.deepcopy(claims)
    inner = anew
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return anew


def other_values(value: Any) -> list[Any]:
    """Return values that a leaf does not have."""
    if isinstance(value, int):
        return [value + 1, value - 1 if value else 2, -7, 2**64, str(value), None]
    if isinstance(value, str) and value and set(value) <= set("0123456789abcdef"):
        return [value[:-1] + ("0" if value[-1] != "0" else "1"), value + "0", "x", None]
    return [one for one in (f"{value}0", "-1", "7/3", "", 1, None) if one != value]


CHANGED = [
    "softmax",
    "GELU before a norm",
    "gates before exponents",
    "router",
    "tied",
    "all functions",
    "two weights",
    "patterns left out",
    "tied before a norm",
    "GELU",
]


@pytest.mark.parametrize("name", CHANGED)
def test_each_leaf_is_checked(name: str) -> None:
    claims = true_claims(name)
    accepted = [
        (path, value, other)
        for number, (path, value) in enumerate(leaves(claims))
        for k, other in enumerate(other_values(value))
        if number < 40 or k == number % 2  # of many places only one change each
        if refutations(name, replaced(claims, path, other)) == []
        if not (path[:2] == ("gates", "dropped") and same_gates(name, claims, replaced(claims, path, other)))
    ]
    assert accepted == []


def same_gates(name: str, *claims: dict[str, Any]) -> bool:
    """Return whether different real inputs have the gates that are claimed, so that both claims are true."""
    net, seed = NETWORKS[name], report_of(name).evidence.seed
    seen = []
    for one in claims:
        dropped, count = one["gates"]["dropped"], len(one["gates"]["open"])
        numbers = np.setdiff1d(np.arange(len(dropped) + count), dropped)
        gates = gates_of_real_inputs(net, reading_of(net), seed, numbers)
        seen.append(np.concatenate([values.reshape(count, -1) for values in gates.values()], axis=1))
    return bool((seen[0] == seen[1]).all())


@pytest.mark.parametrize("name", ["RMSNorm and SwiGLU", "softcap", "QK-norm and LayerNorm", "ReLU"])
def test_some_leaves_of_larger_claims_are_checked(name: str) -> None:
    claims = true_claims(name)
    accepted = [
        (path, value)
        for path, value in list(leaves(claims))[::5]
        if refutations(name, replaced(claims, path, other_values(value)[0])) == []
    ]
    assert accepted == []


def test_patterns_that_fail_a_condition_are_dropped() -> None:
    claims = true_claims("patterns left out")
    assert claims["gates"]["dropped"] != []
    assert set(claims["gates"]["open"]) == {"1"}
    for number in claims["gates"]["dropped"]:
        less = [one for one in claims["gates"]["dropped"] if one != number]
        anew = replaced(claims, ("gates",), {"dropped": less, "open": ["1", *claims["gates"]["open"]]})
        assert f"real input {number} has other gates" in refutations("patterns left out", anew)


def test_what_the_verifier_has_no_rule_for_has_no_certificate() -> None:
    tokens = algatt.Network(Embedding(2, 2) >> Residual(Heads(1, width=1)) >> Unembedding(2), tokens=2)
    with pytest.raises(MethodError, match="read tokens"):
        elementary_claims(algatt.dimension(tokens, field=Elementary()))
    with pytest.raises(MethodError, match="3 modulo 4"):
        elementary_claims(algatt.dimension(NETWORKS["QK-norm and LayerNorm"], field=Elementary(8388593)))


@pytest.mark.parametrize("name", ["gates before exponents", "tied", "all functions"])
def test_each_list_is_as_long_as_it_has_to_be(name: str) -> None:
    claims = true_claims(name)
    accepted = []
    for path, value in lists(claims):
        if not path:
            continue
        anew = [None, 3, {} if isinstance(value, list) else []]
        if isinstance(value, list) and value:
            anew += [value[:-1], [*value, value[-1]], [*value, 0]]
        if isinstance(value, dict):
            anew += [{**value, "more": 1}]
        accepted += [(path, one) for one in anew if refutations(name, replaced(claims, path, one)) == []]
    assert accepted == []
