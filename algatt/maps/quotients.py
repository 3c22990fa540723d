"""The quotient arrows Weights -> AttentionMatrix -> VirtualWeights."""

from __future__ import annotations

from algatt import verbs
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights


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
