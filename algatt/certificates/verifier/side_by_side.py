"""Dimensions of transformers at full size, up to the theorem of blocks side by side: its hypotheses, what parts add,
and whether a program is that of the transformer.

The theorem is in docs/theory/side_by_side.md. It is assumed, and the verdict says so; all else is checked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .limits import Refused, in_a_line
from .network import Network, Progress, hash_of, tensors_of
from .terms import Terms
from .transformer import Description, HeadsPart, NeuronsPart, TransformerSizes

ASSUMED = "the theorem of blocks side by side: docs/theory/side_by_side.md of algatt proves it, and no machine does"
LEAST_TOKENS, LEAST_WIDTH, MOST_CODES = 7, 8, 3


def shown_by_parts(model: TransformerSizes) -> list[list[Any]]:
    """Return what the parts add, by the theorem: a name, how often, and how much each time."""
    seen, found = model.seen, list[tuple[str, int]]()
    if model.tied:
        found += [("embedding", model.vocabulary * model.width), ("last norm", model.width * (1 + model.centred))]
    else:
        found += [("embedding", model.vocabulary * seen)]
        found += [("unembedding", model.vocabulary * (seen + model.is_affine(model.unembedding)))]
        found += [("rotations of the stream", -seen * (seen - 1) // 2)]
    found += [("positions", seen * (model.tokens - (not model.tied))) for _ in model.positions]
    found += [("constants", constants_shown(model, block)) for block in model.blocks]
    for part in model.parts:
        if isinstance(part, NeuronsPart):
            rows = (1 + bool(part.gate)) * (seen + model.is_affine(part.up))
            factors = bool(part.gate) + (part.activation == "ReLU")
            found.append(("neurons", part.hidden * (rows + seen - factors)))
            continue
        count, groups, width, values = len(part.queries), len(part.keys), part.width, part.value_width
        still, keys_affine = width - 2 * len(part.angles), model.is_affine(*part.keys)
        matrices = count * width * (seen + model.is_affine(*part.queries)) + groups * width * (seen + keys_affine)
        found.append(("queries and keys", matrices - groups * (width - still + still**2 + still * keys_affine)))
        found.append(("values and outputs", (count + groups) * values * seen - groups * values**2))
    return [[name, times, each] for (name, each), times in Counter(found).items() if each]


def constants_shown(model: TransformerSizes, block: Sequence[HeadsPart | NeuronsPart]) -> int:
    """Return the dimension of the vectors that a block may add to all tokens alike."""
    found = 0
    for part in block:
        if isinstance(part, NeuronsPart):
            found += model.seen * (len(part.down) == 2)
        elif part.bias:
            found += model.seen
        elif model.is_affine(*part.values):
            found += len(part.keys) * part.value_width
    return min(found, model.seen)


def missing_hypotheses(model: TransformerSizes) -> Iterator[str]:
    """Yield the hypotheses of the theorem that do not hold."""
    seen, heads = model.seen, model.heads
    if min([model.tokens, *(part.window for part in heads)]) < LEAST_TOKENS:
        yield f"sequences, or windows, have fewer than {LEAST_TOKENS} tokens"
    if seen < LEAST_WIDTH or sum(len(part.queries) for part in heads) > seen - 2:
        yield f"the stream has {seen} coordinates: fewer than {LEAST_WIDTH}, or than all heads and 2"
    for part in heads:
        count, groups = len(part.queries), len(part.keys)
        if count > groups * part.width or part.width > seen or not 2 <= part.value_width <= seen:
            yield f"{count} heads for {groups} of keys have widths {part.width} and {part.value_width}"
        if len(set(part.angles)) < len(part.angles):
            yield "two angles of positions are equal"
    first = [part for part in model.blocks[0] if isinstance(part, HeadsPart)] if model.blocks else []
    if len(first) != 1:
        yield "the first block has no layer of heads, or two"
        return
    values, beside = first[0].value_width, [part for part in model.blocks[0] if isinstance(part, NeuronsPart)]
    written, affine = len(first[0].queries) * values, model.centred or len(model.unembedding) == 2
    if any(model.tied or not model.is_affine(part.up) or part.activation == "ReLU" for part in beside):
        yield "neurons beside the first heads are not affine, or of ReLU, or embedding and unembedding are tied"
    if beside and len(first[0].keys) * values < seen:
        yield "the first heads, which have neurons beside them, do not read all of the stream"
    if written < (seen if affine else LEAST_WIDTH):
        yield "the first heads do not write to all of the stream"
    yield from missing_tokens(model, beside, written, values)


def missing_tokens(model: TransformerSizes, beside: Sequence[NeuronsPart], written: int, values: int) -> Iterator[str]:
    """Yield that there are too few tokens, if there are."""
    seen, later = model.seen, [part for block in model.blocks[1:] for part in block]
    affine = model.is_affine(model.unembedding) or any(
        model.is_affine(*maps)
        for part in model.parts
        for maps in ((part.queries, part.keys, part.values) if isinstance(part, HeadsPart) else ((part.up,),))
    )
    constant = any(constants_shown(model, block) for block in model.blocks)
    rest = max(seen - written, 0)
    needed = (7 if model.tied or affine or constant else 2) * (seen + 1) + rest * (rest + 1) // 2 + 1
    hidden = sum(part.hidden for part in beside)
    needed += hidden + -(-hidden // seen) * max((1 + bool(part.gate) for part in beside), default=0) * (seen + 1)
    neurons = sum(part.hidden for part in later if isinstance(part, NeuronsPart))
    left = model.vocabulary - needed - (3 * (seen + 1) if neurons else 0)
    if left < 0:
        yield f"{model.vocabulary} tokens are {-left} too few"
        return
    room = min(values, seen - 2)
    sets = [math.comb(left, codes) for codes in range(1, MOST_CODES + 1) if 2 * codes < room]
    if neurons > max(sets, default=0):
        yield f"{left} tokens, or values {room} wide, do not tell {neurons} neurons apart"


def verify_transformer(claims: Any, key: str, progress: Progress) -> tuple[str, list[str]]:
    """Verify the dimension of a transformer, up to the theorem of blocks side by side."""
    lines = claims["program"]
    if not all(isinstance(line, str) and line.isascii() for line in lines):
        raise Refused("program", in_a_line(lines), "a list of lines in ASCII")
    if claims["reads"] != "tokens":
        raise Refused("claims.reads", in_a_line(claims["reads"]), "'tokens'")
    model = Description(tensors_of(claims)).transformer(claims["transformer"])
    reasons, parts = list(missing_hypotheses(model)), shown_by_parts(model)
    wrong = None if reasons else Terms(model).mismatch(lines)
    reasons += [wrong] if wrong else []
    if repr(claims["parts"]) != repr(parts):  # true is 1 otherwise
        reasons.append("the parts, how often they occur, or what they add, are not those of the theorem")
    progress(1, 1)
    network = Network((), hash_of(lines), dict(model.tensors), (model.vocabulary, model.tokens), (0, 0))
    dimension = sum(times * each for _, times, each in parts)
    gates = any(isinstance(part, NeuronsPart) and part.activation == "ReLU" for part in model.parts)
    claim = f"by the theorem of blocks side by side {network.in_words} has a neuromanifold of dimension {dimension}"
    return claim + " around almost all weights of an open set" * gates, reasons
