"""Attention whose scores decay with the distance of the tokens: an architecture of one's own, in one file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

import algatt
from algatt import verbs

Families = type[algatt.symmetry.KeyQuery] | type[algatt.symmetry.Interlayer] | type[algatt.symmetry.Rescaling]


@dataclass(frozen=True)
class Decay(algatt.architectures.AttentionNetwork):
    r"""Layers :math:`X \mapsto V X (D \circ X^T A X)` with the fixed matrix :math:`D_{ji} = t - |j - i|` and the entrywise product."""

    @classmethod
    def examples(cls) -> Iterable[Decay]:
        return (cls((3, 2), (2,), 3), cls((4, 3, 4), (2, 2), 3), cls((4, 4, 4), (1, 3), 3))


@verbs.evaluate.method
def evaluate_decay(arch: Decay, theta: algatt.Weights, inputs: algatt.fields.Elements) -> algatt.fields.Elements:
    place = np.arange(arch.tokens)
    D = arch.tokens - abs(place[:, None] - place)
    X = inputs
    for Q, K, V in theta.layer_elements:
        X = V @ X @ (D * ((K @ X).T @ (Q @ X)))
    return X


@verbs.members.method
def families_of_decay(family: Families, arch: Decay) -> tuple[algatt.symmetry.Symmetry, ...]:
    return (family(arch),)
