"""Certificates in which a leaf is changed: they are refused, or what they say is true as well."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import algatt
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.network import network_of
from algatt.fields import Balls
from algatt.layers import Embedding, Heads, LayerNorm, LearnedPosition, Residual, Rotary, Unembedding, Unnormalized
from changed_documents import INFORMATIONAL, Document, at, places, replaced, verdict
from words_oracle import moves

NETWORKS = {
    "lightning": (algatt.Lightning((2, 2, 1), (1, 1), 2), None),
    "softmax": (algatt.Softmax((2, 2), (1,), 2), Balls()),
    "tokens": (
        algatt.Network(
            Embedding(3, 2) >> LearnedPosition() >> Residual(Heads(1, width=1, score=Unnormalized())) >> Unembedding(3),
            tokens=2,
        ),
        None,
    ),
    "norms": (algatt.Network(LayerNorm() >> Heads(1, width=1, biases="VO"), tokens=2, width=2), None),
    "turns": (
        algatt.Network(Residual(Heads(1, width=2, score=Unnormalized(), position=Rotary())), tokens=2, width=2),
        None,
    ),
}


@functools.cache
def made(name: str) -> Document:
    network, field = NETWORKS[name]
    certificate = algatt.certify(network, field=field)
    assert algatt.verify(certificate).ok
    return certificate.document


def others(value: Any) -> list[Any]:
    """Return three other values for a leaf."""
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1]
    if isinstance(value, str):
        return [f"{value}x", value[:-1] + ("0" if value[-1:] != "0" else "1"), value.replace("1", "2", 1) + ""]
    return [[0], {"x": 0}, 0]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NETWORKS)
def test_every_leaf_in_three_ways(name: str) -> None:
    """What is accepted says as much: its families do not move the value, by the gradient, and bounds are as before, as
    they are numbers of rows, columns and directions.
    """
    document = made(name)
    accepted = refused = 0
    for place in places(document):
        if place[0] in INFORMATIONAL or place[-1] == "name":
            continue
        for value in others(at(document, place)):
            other = replaced(document, place, value)
            if other == document:
                continue
            if verdict(other):
                refused += 1
                continue
            accepted += 1
            claims = other["claims"]
            assert place[1] in ("rows", "columns", "directions", "program", "point", "inputs", "families"), place
            network = network_of(claims)
            for family in claims["families"]:
                assert not moves(network, directions_of("family", family, network)), place
    assert refused > 3 * accepted
    assert refused > 100
