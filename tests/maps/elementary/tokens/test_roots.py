"""Residues before roots of several sequences of tokens: which roots are said to depend on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, verbs
from algatt.architectures.base import unit_vectors
from algatt.errors import ConditionFailed
from algatt.fields import Elements
from algatt.layers import Layer
from algatt.maps import program
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.tokens import roots
from algatt.maps.elementary.tokens.joint import JointPlace, join_sequences


@dataclass(frozen=True, repr=False)
class Table(Layer):
    """A root for each token: of w, of u, and perhaps of v and v w, where w and u are of one weight and v of another."""

    tokens: int

    @property
    def name(self) -> str:
        return ""


@verbs.vocabulary.method
def vocabulary_of_table(layer: Table) -> int:
    return layer.tokens


@verbs.tensors.method
def tensors_of_table(layer: Table, shape: tuple) -> dict[str, tuple[int, ...]]:
    return {"A": (1, 2), "B": (3, 1)}


@verbs.apply.method
def apply_table(layer: Table, w: Any, X: Elements) -> Elements:
    v, a = w.A[:, :1] ** 2 + 1, w.A[:, 1:]
    arguments = [a**2 + 1, a + 3, v, v * (a**2 + 1)][: layer.tokens]
    terms = [one * X[k : k + 1] for k, one in enumerate(arguments)]
    return w.B @ sum(terms[1:], terms[0]).sqrt()


def joined(count: int) -> JointPlace:
    net = Network(Table(count), tokens=1)
    field = PrimeField(8388587)
    theta = algatt.sample(net, algatt.Weights, field=field, seed=0)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    inputs = unit_vectors(count, np.arange(count)[:, None])
    return join_sequences(read(program(net)), field, tensors, 0, inputs, {})


def test_one_of_three_roots_of_which_one_is_the_product_of_the_others_is_left_out():
    kept = joined(4).kept.tolist()
    assert len(kept) == 3
    assert 1 in kept


def test_a_draw_with_which_the_roots_never_exist_together_leaves_them_out(monkeypatch):
    """Although no product of their arguments is a square, as far as those residues say that were drawn."""
    true = roots.candidates

    def never_together(*arguments):
        for values, characters in true(*arguments):
            characters[(characters == 1).all(axis=1)] = -1
            yield values, characters

    monkeypatch.setattr(roots, "candidates", never_together)
    with pytest.raises(ConditionFailed, match="may be squares"):
        joined(2)
