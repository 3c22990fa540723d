"""Certificates of dimensions in which anything is changed: all are refuted, or no certificates."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator
from typing import Any

import pytest

import algatt
from algatt.certificates.verifier.kinds import verify_document
from algatt.certificates.verifier.limits import Refused
from algatt.fields import Balls
from algatt.layers import Causal, Embedding, Heads, LearnedPosition, Residual, Rotary, Unembedding, Unnormalized

NETWORKS = {
    "lightning": (algatt.Lightning(dims=(2, 2, 1), ranks=(1, 1), tokens=2), None),
    "softmax over balls": (algatt.Softmax(dims=(2, 2), ranks=(1,), tokens=2), Balls()),
    "rational scores": (algatt.Normalized.examples()[-1], None),
    "tokens": (
        algatt.Network(
            Embedding(3, 2) >> LearnedPosition() >> Residual(Heads(1, width=1, score=Unnormalized())) >> Unembedding(3),
            tokens=2,
        ),
        None,
    ),
    "a value bias": (
        algatt.Network(
            Residual(Heads(1, score=algatt.layers.Affine(1, 1), mask=Causal(), biases="VO")), tokens=2, width=2
        ),
        None,
    ),
    "rotary positions": (
        algatt.Network(Residual(Heads(1, width=2, score=Unnormalized(), position=Rotary())), tokens=2, width=2),
        None,
    ),
}

INFORMATIONAL = {("made_with",), ("network",)}
"""What may be anything; and the names of families."""


@functools.cache
def text_of(name: str) -> str:
    network, field = NETWORKS[name]
    return algatt.certify(network, field=field).to_json()


def is_informational(path: tuple[Any, ...]) -> bool:
    return path in INFORMATIONAL or (path[-1] == "name" and "families" in path)


def changed(document: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Iterate over documents with one change each: another value of a leaf, or a member that is missing or there twice,
    with the place of the change.
    """

    def places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
        yield path, value
        for key, part in value.items() if isinstance(value, dict) else enumerate(value) if type(value) is list else ():
            yield from places(part, (*path, key))

    for path, value in list(places(document, ())):
        if not path or is_informational(path):
            continue
        anew = copy.deepcopy(document)
        inner = anew
        for key in path[:-1]:
            inner = inner[key]
        for other in other_values(value):
            inner[path[-1]] = other
            yield path, anew
        if isinstance(inner, list):
            inner[path[-1] : path[-1] + 1] = [value, value]
            yield path, anew
            inner[path[-1] : path[-1] + 2] = [value]
        del inner[path[-1]]
        yield path, anew


def other_values(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, float(value), str(value), 2**70]
    if isinstance(value, str):
        return [f"{value}0", value[:-1], value.replace("1", "2", 1) if "1" in value else f"x{value}", 7]
    return [{}, [], [[]], None] if value not in ({}, []) else [[0], {"0": 0}, None]


@pytest.mark.parametrize("name", NETWORKS)
def test_certificates_hold(name):
    verdict = verify_document(json.loads(text_of(name)))
    assert verdict.reasons == () == verdict.rests_on


@pytest.mark.parametrize("name", NETWORKS)
def test_every_change_is_refuted(name):
    document = json.loads(text_of(name))
    accepted = []
    for path, anew in changed(document):
        if anew == document:
            continue
        try:
            verdict = verify_document(json.loads(json.dumps(anew)))
        except Refused:
            continue
        if not verdict.reasons:
            accepted.append(path)
    assert accepted == []


@pytest.mark.parametrize("name", NETWORKS)
def test_what_is_informational_may_be_anything(name):
    document = json.loads(text_of(name))
    document["network"] = document["made_with"] = "something else"
    for family in document["claims"]["upper_bound"]["families"]:
        family["name"] = "something else"
    assert verify_document(document).reasons == ()
