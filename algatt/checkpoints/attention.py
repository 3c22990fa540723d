"""Attention matrices and heads of the layers of checkpoints, for spectra and for flows."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import published, verbs
from algatt.architectures import Network
from algatt.architectures.base import entered_inputs
from algatt.arguments import instance, truth, whole
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.dynamics import FlatFlow, Flow, LowRankHead, PreNormFlow, SphereFlow
from algatt.errors import InvalidArgument, ScoreOverflow
from algatt.fields import Elements, PublicArray, Reals
from algatt.layers import Heads, Layer, Tie
from algatt.layers.base import Arrays, Node, Tensors, TensorShape, layout, run
from algatt.layers.combinators.tie import TiedSource
from algatt.layers.heads import mixtures_of_heads
from algatt.layers.scores import scaled
from algatt.parameters import Weights


class LeftOutWarning(UserWarning):
    """A flow leaves out a part of the layer that its heads are of."""


class Reached(Exception):
    """The layer that is asked for was reached; the rest of the network is of no interest.

    Parameters
    ----------
    attention : tuple of Elements
        The transposes of its attention matrices.
    """

    def __init__(self, attention: tuple[Elements, ...]) -> None:
        super().__init__()
        self.attention = attention


@dataclass(frozen=True, repr=False)
class LastHeads(Layer):
    """Heads in their place in a network, which ends there.

    Parameters
    ----------
    heads : Heads
        The heads.
    numbers : tuple of int
        Which of them are asked for, from 0.
    """

    heads: Heads
    numbers: tuple[int, ...]

    @property
    def parts(self) -> dict[str, Layer]:
        return self.heads.parts


@verbs.tensors.method
def tensors_of_last_heads(layer: LastHeads, shape: tuple) -> dict[str, TensorShape]:
    return dict(verbs.tensors(layer.heads, shape))


@verbs.apply.method
def apply_last_heads(layer: LastHeads, w: Tensors, X: Elements) -> Elements:
    identity = Elements(Reals(), np.eye(X.shape[-1]))
    mixtures = list(mixtures_of_heads(layer.heads, w, X, X))
    raise Reached(tuple(mixtures[number](identity) for number in layer.numbers))


def layers_of_heads(net: Network) -> list[Node]:
    """Return the layers of heads of a network, in its order."""
    return [node for node in layout(net.layers).walk() if isinstance(node.layer, Heads)]


def layer_of_heads(net: Network, layer: int) -> tuple[Node, Heads]:
    """Return the layer of heads of a number, counted from 1.

    Raises
    ------
    InvalidArgument
        If there is none.
    """
    nodes = layers_of_heads(net)
    if not nodes:
        raise InvalidArgument("network", "one without heads of attention", "one with them")
    if whole("layer", layer) > len(nodes):
        should = f"from 1 to {len(nodes)}, the number of layers of attention"
        raise InvalidArgument("layer", str(layer), should)
    node = nodes[layer - 1]
    heads: Any = node.layer
    return node, heads


def checked_head(head: Any, heads: Heads) -> int:
    """Return the number of a head, from 1, as one from 0."""
    if whole("head", head) > heads.heads:
        raise InvalidArgument("head", str(head), f"from 1 to {heads.heads}, the number of heads of the layer")
    return int(head) - 1


@verbs.attention_matrix.method
def attention_of_checkpoint(
    theta: Checkpoint, inputs: PublicArray, *, layer: int = 1, head: int | None = None, masked: bool = True
) -> np.ndarray:
    """Return the matrices of one head, or of all heads of a layer, by the network itself: its norms, positions, biases
    and masks are in them.
    """
    array = np.array(inputs)
    net = of_length(theta, array)
    node, heads = layer_of_heads(net, layer)
    numbers = tuple(range(heads.heads)) if head is None else (checked_head(head, heads),)
    seen = heads if masked else dataclasses.replace(heads, mask=None)
    last = Node(LastHeads(seen, numbers), node.path, node.parts)
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            if net.vocabulary is not None and array.ndim == 2 and array.dtype.kind == "f":
                run(last, source_of(net, theta.weights), read_by(last, theta, array))
            else:
                run(exchanged(layout(net.layers), last), Arrays(theta.weights.tensors), entered(net, inputs))
    except Reached as reached:
        matrices = np.stack([each.raw.T for each in reached.attention])
        if not np.isfinite(matrices).all():
            raise ScoreOverflow("the scores are too large for float64") from None
        return matrices if head is None else matrices[0]
    raise AssertionError("a layer in a network is reached when it is run")


def read_by(node: Node, checkpoint: Checkpoint, array: np.ndarray) -> Elements:
    """Return what a layer reads, if it is as wide as its queries take it."""
    width = checkpoint.weights[f"{resolved(checkpoint.network, node.path)}Q_1"].shape[1]
    if len(array) != width:
        should = f"what the layer reads, of shape ({width}, tokens), or numbers of tokens"
        raise InvalidArgument("inputs", f"of shape {array.shape}", should)
    return Elements.of(Reals(), array, "inputs")


def resolved(net: Network, path: str) -> str:
    """Return the path by which the tensors of a layer are kept, which may be tied to those of another one."""
    return net.layers.resolve(f"{path}Q_1").removesuffix("Q_1") if isinstance(net.layers, Tie) else path


def key_width(checkpoint: Checkpoint, layer: int) -> int:
    """Return the width of the queries and keys of a layer of heads."""
    node, _ = layer_of_heads(checkpoint.network, layer)
    return checkpoint.weights.tensors[f"{resolved(checkpoint.network, node.path)}Q_1"].shape[0]


def source_of(net: Network, theta: Weights) -> Any:
    """Return where the tensors of a layer come from."""
    arrays = Arrays(theta.tensors)
    return TiedSource(net.layers, "", arrays) if isinstance(net.layers, Tie) else arrays


def of_length(checkpoint: Checkpoint, inputs: np.ndarray) -> Network:
    """Return the network of a checkpoint for as many tokens as are given: no tensor depends on it, some angles do."""
    net, config = checkpoint.network, checkpoint.config
    if net.vocabulary is None or inputs.ndim != 1 or len(inputs) in (0, net.tokens):
        return net
    if config and published.read(config, tokens=net.tokens) == net:
        return published.read(config, tokens=len(inputs))
    return dataclasses.replace(net, tokens=len(inputs))


def entered(net: Network, inputs: Any) -> Elements:
    """Return the inputs of one evaluation."""
    elements = entered_inputs(net, Reals(), inputs)
    if len(elements.shape) != 2:
        raise InvalidArgument("inputs", f"of shape {np.shape(inputs)}", "one input, not several")
    return elements


def exchanged(node: Node, new: Node) -> Node:
    """Return a network in which another layer is in the place of the one whose tensors have the same path."""
    if node.path == new.path and isinstance(node.layer, Heads):
        return new
    return Node(node.layer, node.path, {key: exchanged(part, new) for key, part in node.parts.items()})


def heads_of(checkpoint: Checkpoint, *, layer: int = 1) -> tuple[LowRankHead, ...]:
    """Return the heads of a layer as those of flows, kept in their factors.

    The factors are Q, K, V and O as the checkpoint has them. Gains of norms before the layer are not in them unless
    they are folded, `FoldNorms`; nor are biases, positions and masks.

    Parameters
    ----------
    checkpoint : Checkpoint
        A network with weights.
    layer : int, optional
        Which of its layers of attention, counted from 1.

    Raises
    ------
    InvalidArgument
        If there is no such layer, or its heads have no output.
    """
    instance("checkpoint", checkpoint, Checkpoint, "a Checkpoint, as algatt.checkpoints.load returns it")
    node, heads = layer_of_heads(checkpoint.network, layer)
    if not heads.output:
        raise InvalidArgument("layer", f"{layer}, whose heads have no output", "one whose heads are added up")
    path, theta = resolved(checkpoint.network, node.path), checkpoint.weights
    made = []
    for number in range(1, heads.heads + 1):
        group = (number - 1) * heads.groups // heads.heads + 1
        factors = (f"Q_{number}", f"K_{group}", f"V_{group}", f"O_{number}")
        made.append(LowRankHead(*(theta[f"{path}{name}"] for name in factors)))
    return tuple(made)


def flow_of(
    checkpoint: Checkpoint,
    *,
    layer: int = 1,
    heads: Iterable[int] | None = None,
    beta: float = 1.0,
    kind: type[Flow] = SphereFlow,
    masked: bool = True,
) -> Flow:
    """Return the flow of the heads of a layer, with its score, as softmax divided by the root of a, and its mask.

    It is the layer without its positions, biases and norms of heads, and without the norms and the second layer
    of its block: what is left out of the heads is told by a warning. Behind a norm tokens have the length of the root
    of d, so that ``beta=d`` gives their scores to the unit vectors of a `SphereFlow`.

    Parameters
    ----------
    checkpoint : Checkpoint
        A network with weights.
    layer : int, optional
        Which of its layers of attention, counted from 1.
    heads : iterable of int, optional
        Which of its heads, counted from 1; all unless given.
    beta : float, optional
        The inverse temperature, by which scores are multiplied besides; 1 unless given.
    kind : type, optional
        `SphereFlow`, the default, `PreNormFlow` or `FlatFlow`.
    masked : bool, optional
        Whether the flow has the mask of the layer.

    Raises
    ------
    InvalidArgument
        If there is no such layer or head, or no flow has its score.

    Warns
    -----
    LeftOutWarning
        If the layer has positions, biases, or norms of queries and keys.
    """
    every = heads_of(checkpoint, layer=layer)
    _, noun = layer_of_heads(checkpoint.network, layer)
    numbers = range(noun.heads) if heads is None else [checked_head(number, noun) for number in heads]
    if not numbers:
        raise InvalidArgument("heads", "none", "at least one head")
    if kind not in (SphereFlow, PreNormFlow, FlatFlow):
        raise InvalidArgument("kind", repr(kind), "SphereFlow, PreNormFlow or FlatFlow")
    score, mask = scaled(noun.score, len(every[0].Q)), noun.mask if truth("masked", masked) else None
    flow = kind(tuple(every[number] for number in numbers), score, beta, mask)
    left = list(left_out(noun))
    if left:
        warnings.warn(f"the flow leaves out {', '.join(left)} of layer {layer}", LeftOutWarning, stacklevel=2)
    return flow


def left_out(heads: Heads) -> Iterator[str]:
    """Iterate over what a flow does not have of a layer of heads."""
    if heads.position is not None:
        yield f"the positions {type(heads.position).__name__}"
    if heads.norm is not None:
        yield "the norms of queries and keys"
    if heads.biases:
        yield f"the biases of {heads.biases}"
