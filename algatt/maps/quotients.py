"""The quotient arrows Weights -> AttentionMatrix -> VirtualWeights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights


def as_weights(arch: Any, theta: Any) -> tuple[Any, Weights]:
    """Return a point in other coordinates as weights of a network with the same function: with the identity for all
    keys, and with virtual weights for the values of all layers but the last one.
    """
    if isinstance(theta, Weights):
        return arch, theta
    if isinstance(theta, VirtualWeights):
        width = theta.L_elements.shape[1]
        values = [Elements.of(theta.field, np.eye(width, dtype=np.int64))] * (len(theta.M_elements) - 1)
        theta = AttentionMatrix(
            tuple(one for pair in zip(theta.M_elements, (*values, theta.L_elements), strict=True) for one in pair)
        )
    arrays: list[Elements] = []
    for A, V in theta.layer_elements:
        arrays += [A, Elements.of(theta.field, np.eye(A.shape[0], dtype=np.int64)), V]
    dims = theta.widths
    return replace(arch, dims=dims, ranks=dims[:-1]), Weights(tuple(arrays))


@verbs.convert.method
def convert_weights_to_attention_matrix(theta: Weights, coordinates: type[AttentionMatrix]) -> AttentionMatrix:
    arrays: list[Elements] = []
    for Q, K, V in theta.layer_elements:
        arrays += [K.T @ Q, V]
    return AttentionMatrix(tuple(arrays))


@verbs.convert.method
def convert_attention_matrix_to_virtual_weights(
    theta: AttentionMatrix, coordinates: type[VirtualWeights]
) -> VirtualWeights:
    (first, L), *rest = theta.layer_elements
    M = [first]
    for A, V in rest:
        M.append(L.T @ A @ L)
        L = V @ L
    return VirtualWeights((*M, L))


@verbs.convert.method
def convert_weights_to_virtual_weights(theta: Weights, coordinates: type[VirtualWeights]) -> VirtualWeights:
    return verbs.convert(verbs.convert(theta, AttentionMatrix), VirtualWeights)


@verbs.convert.method
def convert_weights_to_weights(theta: Weights, coordinates: type[Weights]) -> Weights:
    return theta


@verbs.convert.method
def convert_attention_matrix_to_attention_matrix(
    theta: AttentionMatrix, coordinates: type[AttentionMatrix]
) -> AttentionMatrix:
    return theta


@verbs.convert.method
def convert_virtual_weights_to_virtual_weights(
    theta: VirtualWeights, coordinates: type[VirtualWeights]
) -> VirtualWeights:
    return theta
