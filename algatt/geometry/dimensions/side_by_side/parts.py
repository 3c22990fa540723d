r"""What each part of a transformer adds to the dimension of its functions.

The stream has n coordinates that norms see. A head of keys and values that m heads of queries share, all a wide, and
values b wide, adds what its matrices have less the matrices that commute with the rotations of queries and keys, and
less b^2 for the coordinates of values; a neuron adds its rows and its column, less one for each factor that may go from
one to another. Each block that adds a constant vector to the stream adds its n coordinates. Of an embedding and an
unembedding that are not tied n (n - 1) / 2 are lost to rotations of the stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from algatt.geometry.dimensions.evidence import Parts, RepeatedPart
from algatt.geometry.dimensions.side_by_side.encoder import Encoder
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered, Reader, Transformer, has_bias
from algatt.layers import AcrossHeads, Experts, Feedforward, Heads, ReLU, Rotary


def parts_of(model: Transformer | Encoder) -> Parts:
    """Return what each part of a transformer adds.

    Raises
    ------
    NotCovered
        If the theorem does not say what the embedding adds.
    """
    found = [*(around_stream(model) if isinstance(model, Encoder) else ends_of(model))]
    found += [("constants", constants_of(block, model)) for block in model.blocks]
    for reader in model.readers:
        found += of_reader(reader, model)
    counted = Counter((name, value) for name, value in found if value)
    return Parts(tuple(RepeatedPart(name, times, value) for (name, value), times in counted.items()))


def ends_of(model: Transformer) -> Iterator[tuple[str, int]]:
    """Yield what the embedding, the unembedding and learned positions add."""
    vocabulary, width, seen = model.embedding.vocabulary, model.embedding.width, model.width
    affine = model.unembedding.bias or has_bias(model.norm)
    if model.tied:
        if model.unembedding.bias or not model.norm.gain or affine != (seen < width):
            raise NotCovered("for a tied network with a bias of logits, or a last norm without gains or bias")
        yield "embedding", vocabulary * width
        yield "last norm", width * (1 + affine)
        if model.of_differences:
            yield "a vector for all tokens", -width if model.position is not None else seen - width
    else:
        yield "embedding", vocabulary * seen
        yield "unembedding", (vocabulary - model.of_differences) * (seen + affine)
        yield "rotations of the stream", -seen * (seen - 1) // 2
    if model.position is not None:
        yield "positions", seen * (model.tokens - (not model.tied))


def around_stream(model: Encoder) -> Iterator[tuple[str, int]]:
    """Yield what all parts of an encoder but its layers add: its ends, and the gains of the norms in its stream."""
    vocabulary, width, seen = model.embedding.vocabulary, model.embedding.width, model.width
    yield "embedding", vocabulary * width
    yield "types and positions", (model.embedding.types + model.tokens - 1) * seen - 1
    yield "gains of the stream", len(model.readers) * width
    yield "layer before the logits", width * (seen + 1) + width
    yield "bias of the logits", vocabulary


def of_reader(reader: Reader, model: Transformer | Encoder) -> Iterator[tuple[str, int]]:
    """Yield what heads, or neurons, add, and the norm behind them."""
    seen, layer = model.width, reader.layer
    if isinstance(layer, Heads):
        yield from of_heads(layer, reader, model)
    elif reader.neurons is not None:
        count, neurons = reader.neurons
        rows = (1 + neurons.gated) * (seen + reader.is_affine())
        factors = neurons.gated + isinstance(neurons.activation, ReLU)
        yield "neurons", count * neurons.hidden * (rows + seen - factors)
    if isinstance(layer, Experts):
        yield "router", (layer.count - 1) * seen
    if reader.after is not None:
        yield "norm behind a layer", seen


def of_heads(layer: Heads, reader: Reader, model: Transformer | Encoder) -> Iterator[tuple[str, int]]:
    """Yield what queries and keys, and values and outputs add."""
    seen = model.width
    keys, values = layer.widths((model.embedding.width, model.tokens))
    still = keys - 2 * len(angles_of(layer, keys))
    affine_queries, affine_keys = (seen + reader.is_affine(letter) for letter in "QK")
    matrices = layer.heads * keys * affine_queries + layer.groups * keys * affine_keys
    if layer.norm is None:
        unseen = keys - still + still**2 + (still if reader.is_affine("K") else 0)
        yield "queries and keys", matrices - layer.groups * unseen
    else:  # gains of queries and keys, less one factor for each pair of coordinates
        pairs = keys // 2
        together = isinstance(layer.norm, AcrossHeads)
        gains = (layer.heads + layer.groups) * keys - layer.groups * pairs if together else 2 * keys - pairs
        yield "queries and keys", matrices + gains
    yield "values and outputs", (layer.heads + layer.groups) * values * seen - layer.groups * values**2


def angles_of(layer: Heads, width: int) -> tuple[float, ...]:
    """Return the angles by which pairs of coordinates of queries and keys are turned."""
    return layer.position.angles(width) if isinstance(layer.position, Rotary) else ()


def constants_of(block: tuple[Reader, ...], model: Transformer | Encoder) -> int:
    """Return the dimension of the vectors that a block may add to all tokens alike."""
    found = 0
    for reader in block:
        layer = reader.layer
        if isinstance(layer, Feedforward):
            found += model.width * layer.bias
        elif isinstance(layer, Heads) and "O" in layer.biases:
            found += model.width
        elif isinstance(layer, Heads) and reader.is_affine("V"):
            found += layer.groups * layer.widths((model.embedding.width, model.tokens))[1]
    return min(found, model.width)
