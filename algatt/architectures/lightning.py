"""Lightning self-attention: attention without a normalisation of the scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.network import Network
from algatt.fields import Elements
from algatt.layers import Heads, Stack, Unnormalized
from algatt.parameters import AttentionMatrix, VirtualWeights


@dataclass(frozen=True)
class Lightning(AttentionNetwork):
    r"""Deep lightning self-attention, the composition of layers :math:`X \mapsto V X X^T A X` with :math:`A = K^T Q`
    (HMK Eq 2 and 4).

    Parameters
    ----------
    dims : sequence of int
        The widths d_0, ..., d_l.
    ranks : sequence of int
        The ranks a_1, ..., a_l of the attention matrices.
    tokens : int
        The number t of tokens, the columns of the input.

    Raises
    ------
    InvalidArgument
        If a number is not an integer >= 1, or the lengths do not match.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)
    >>> arch.layers, arch.parameters
    (2, 52)
    """

    def __init_subclass__(cls) -> None:
        raise TypeError("Lightning is final, since theorems are about it; make your network of layers")

    @classmethod
    def examples(cls) -> Iterable[Lightning]:
        return (
            cls((2, 1), (1,), 1),
            cls((3, 2), (2,), 2),
            cls((2, 3), (3,), 4),
            cls((4, 3, 4), (2, 2), 3),
            cls((4, 2, 4), (2, 2), 3),
            cls((3, 5, 2), (4, 1), 2),
            cls((4, 4, 4, 4), (2, 2, 2), 3),
            cls((2, 3, 2), (2, 2), 2),
            cls((4, 3, 1), (1, 2), 2),
            cls((5, 4, 1), (2, 1), 2),
        )


@verbs.expression.method
def expression_of_lightning(arch: Lightning) -> Network:
    sizes = zip(arch.ranks, arch.dims[1:], strict=True)
    layers = [Heads(1, width=a, value_width=d, score=Unnormalized(), output=False) for a, d in sizes]
    return Network(Stack(tuple(layers)), tokens=arch.tokens, width=arch.dims[0])


@verbs.evaluate.method
def evaluate_attention_matrix(arch: Lightning, theta: AttentionMatrix, inputs: Elements) -> Elements:
    X = inputs
    for A, V in theta.layer_elements:
        X = V @ (X @ X.T) @ A @ X
    return X


@verbs.evaluate.method
def evaluate_virtual_weights(arch: Lightning, theta: VirtualWeights, inputs: Elements) -> Elements:
    """Run the recursion of HMK Lemma 3.6: P_0 = X X^T, P_i = P_{i-1} M_i P_{i-1} M_i^T P_{i-1}."""
    P = inputs @ inputs.T
    Z = P @ (theta.M_elements[0] @ inputs)
    for previous, M in zip(theta.M_elements, theta.M_elements[1:], strict=False):
        half = P @ previous @ P
        P = half @ previous.T @ P
        Z = P @ (M @ Z)
    return theta.L_elements @ Z
