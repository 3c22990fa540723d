"""What the theorem about blocks side by side asks of a transformer: docs/theory/side_by_side.md has the proof."""

from __future__ import annotations

import math

from algatt.geometry.dimensions.side_by_side.encoder import Encoder
from algatt.geometry.dimensions.side_by_side.parts import angles_of, constants_of
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered, Transformer
from algatt.layers import AcrossHeads, Experts, Feedforward, Heads, LayerNorm, ReLU, RMSNorm, Window

LEAST_TOKENS = 7
"""Sequences of six and seven tokens tell the scores of heads from their values."""

LEAST_WIDTH = 8
"""The stream is at least so wide."""

MOST_CODES = 3
"""A neuron is told from others by at most so many tokens."""


LEAST_VALUES = 3
"""Values are at least so wide where all sequences have one length."""


def check_hypotheses(model: Transformer | Encoder) -> None:
    """Raise `NotCovered` if the sizes of a transformer are not those that the theorem asks for."""
    if isinstance(model, Encoder):
        check_encoder(model)
        return
    check_kinds(model)
    check_tokens(model)
    check_heads(model)
    check_vocabulary(model)


def check_kinds(model: Transformer) -> None:
    """Check combinations of kinds that the proof does not have."""
    if not model.blocks or not any(isinstance(reader.layer, Heads) for reader in model.blocks[0]):
        raise NotCovered("for a network that has no heads in its first block")
    for reader in model.blocks[0]:
        layer = reader.layer
        plain = isinstance(layer, Feedforward) and reader.is_affine() and not isinstance(layer.activation, ReLU)
        if not isinstance(layer, Heads) and (model.tied or not plain or reader.after is not None):
            raise NotCovered(f"for a network that has {layer} beside the heads of its first block")
    for reader in model.readers:
        layer = reader.layer
        if isinstance(model.norm, LayerNorm) and (isinstance(layer, Experts) or reader.after is not None):
            raise NotCovered(f"for a network that has LayerNorm beside {layer}")
        biased = reader.is_affine() or (isinstance(layer, Heads) and layer.biases)
        if reader.after is not None and (isinstance(layer, Experts) or biased):
            raise NotCovered(f"for a network that has a norm behind {layer}")
        if isinstance(layer, Heads) and layer.norm is not None and (reader.is_affine("Q") or reader.is_affine("K")):
            raise NotCovered(f"for a network that has {layer}, with a norm and biases of queries or keys")


def least_tokens(model: Transformer) -> int:
    """Return how many tokens heads have to see: norms behind heads are told by the lengths of sequences, of which two
    last tokens are compared where each length has a position of its own.
    """
    if not any(reader.after is not None for reader in model.readers if isinstance(reader.layer, Heads)):
        return LEAST_TOKENS
    return (3 if model.position is None else 6) * sum(layer.heads for layer, _, _ in model.heads) + 8


def check_tokens(model: Transformer) -> None:
    """Check how many tokens heads see."""
    windows = [layer.mask.size for layer, _, _ in model.heads if isinstance(layer.mask, Window)]
    if min([model.tokens, *windows]) < least_tokens(model):
        raise NotCovered(f"for a network that reads, or sees, fewer than {least_tokens(model)} tokens")


def check_heads(model: Transformer) -> None:
    """Check the widths and angles of heads."""
    seen = model.width
    if seen < LEAST_WIDTH or sum(layer.heads for layer, _, _ in model.heads) > seen - 2:
        raise NotCovered(
            f"for a network with a stream less than {LEAST_WIDTH} wide, or more than its width less 2 heads in all"
        )
    for reader in model.readers:
        if not isinstance(reader.layer, Heads):
            if reader.after is not None and (reader.neurons is None or reader.neurons[1].hidden < seen):
                raise NotCovered(f"for a network that has a norm behind {reader.layer}, which has too few neurons")
            continue
        layer = reader.layer
        keys, values = layer.widths((model.embedding.width, model.tokens))
        angles = angles_of(layer, keys)
        together = max(layer.heads, layer.groups) * keys if isinstance(layer.norm, AcrossHeads) else keys
        if layer.heads > layer.groups * keys or together > seen or not 2 <= values <= seen:
            raise NotCovered(f"for a network that has {layer}, with widths too small or larger than its stream")
        if len(set(angles)) < len(angles) or not all(0 < angle < math.pi for angle in angles):
            raise NotCovered(f"for a network that has {layer}, with angles that are equal, or not between 0 and pi")
        if layer.norm is not None and (2 * len(angles) < keys or keys < 4):
            raise NotCovered(f"for a network that has {layer}, with a norm, and not all coordinates turned")
        if reader.after is not None and values * (values + 1) // 2 < seen:
            raise NotCovered(f"for a network that has a norm behind {layer}, whose values are too narrow")


def check_vocabulary(model: Transformer) -> None:
    """Check that there are tokens enough, and that values of the first heads have room for those that tell neurons and
    experts apart.
    """
    neurons = [reader.neurons for block in model.blocks[1:] for reader in block if reader.neurons is not None]
    count = sum(networks * layer.hidden for networks, layer in neurons)
    routed = [reader.layer for reader in model.readers if isinstance(reader.layer, Experts)]
    chosen = max((2 * (layer.router.top or 0) + 1 for layer in routed), default=0)
    tops = {layer.router.top for layer in routed}
    experts = sum(max(layer.count for layer in routed if layer.router.top == top) for top in tops)
    first = next(reader.layer for reader in model.blocks[0] if isinstance(reader.layer, Heads))
    beside = [reader.layer for reader in model.blocks[0] if isinstance(reader.layer, Feedforward)]
    values = first.widths((model.embedding.width, model.tokens))[1]
    if beside and first.groups * values < model.width:
        raise NotCovered("for a network with neurons beside first heads that do not read all of its stream")
    written = first.heads * values
    if written < (model.width if model.unembedding.bias or isinstance(model.norm, LayerNorm) else LEAST_WIDTH):
        raise NotCovered("for a network whose first heads do not write to all of its stream")
    left = model.embedding.vocabulary - general_tokens(model, written) - table_tokens(model, beside) - experts - 1
    if count:
        left -= (3 + chosen // 2) * (model.width + 1)
    check_codes(count, left, min(values, model.width - 2) - chosen)


def check_codes(neurons: int, tokens: int, room: int) -> None:
    """Check that there are as many sets of tokens as neurons, and coordinates that tell such sets apart."""
    sets = [math.comb(tokens, codes) for codes in range(1, MOST_CODES + 1) if 2 * codes < room] if tokens >= 0 else []
    if tokens < 0 or (neurons and max(sets, default=0) < neurons):
        raise NotCovered("for a network whose vocabulary, or first values, are too small for its neurons")


def general_tokens(model: Transformer, written: int) -> int:
    """Return how many tokens show all but neurons: of those directions of the stream that the first heads do not write,
    so many that no quadratic form vanishes at all.
    """
    seen = model.width
    affine = model.unembedding.bias or isinstance(model.norm, LayerNorm)
    affine = affine or any(reader.is_affine(letter) for reader in model.readers for letter in "QKV")
    normed = any(isinstance(layer.norm, AcrossHeads | RMSNorm) for layer, _, _ in model.heads)
    behind = any(reader.after is not None for reader in model.readers)
    constant = any(constants_of(block, model) for block in model.blocks)
    rest = max(seen - written, 0)
    each = 7 if model.tied or affine or constant else 2
    return (each + 4 * normed + behind) * (seen + 1) + rest * (rest + 1) // 2


def table_tokens(model: Transformer, layers: list[Feedforward]) -> int:
    """Return how many tokens show the neurons beside the first heads, which read nothing but tokens: so many as one
    coordinate of their table has unknowns, when neurons write to one coordinate each.
    """
    hidden = sum(layer.hidden for layer in layers)
    rows = max((1 + layer.gated for layer in layers), default=0) * (model.width + 1)
    return hidden + -(-hidden // model.width) * rows


def check_encoder(model: Encoder) -> None:
    """Check the sizes of an encoder."""
    layers, seen = [reader.layer for reader in model.readers], model.width
    heads = [layer for layer in layers if isinstance(layer, Heads)]
    if not heads or layers[0] is not heads[0]:
        raise NotCovered("for an encoder whose first layer has no heads")
    if model.tokens < LEAST_TOKENS:
        raise NotCovered(f"for an encoder that reads fewer than {LEAST_TOKENS} tokens")
    widths = [layer.widths((model.embedding.width, model.tokens)) for layer in heads]
    for layer, (keys, values) in zip(heads, widths, strict=True):
        if not 2 <= keys <= seen or layer.heads > layer.groups * keys or not LEAST_VALUES <= values <= seen:
            raise NotCovered(f"for an encoder that has {layer}, with widths too small or larger than its stream")
    if seen < LEAST_WIDTH or sum(layer.heads for layer in heads) > seen - 2:
        raise NotCovered(
            f"for an encoder of width {model.embedding.width}, with {sum(layer.heads for layer in heads)} heads"
        )
    neurons = sum(layer.hidden for layer in layers if isinstance(layer, Feedforward))
    general = 5 * model.embedding.width + 4 * len(layers) + 8
    left = model.embedding.vocabulary - general - 3 * (seen + 1) - 1
    check_codes(neurons, left, min(widths[0][1], seen - len(layers) - 2))
