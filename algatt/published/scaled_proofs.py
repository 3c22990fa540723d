"""Proofs that the symmetries of an architecture are all there are, at small sizes, by exact rank."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any, cast

from algatt import verbs
from algatt.architectures import Network
from algatt.errors import InvalidArgument
from algatt.geometry.dimensions.dimension import dimension
from algatt.layers import Reading
from algatt.layers.lengths import is_noun
from algatt.published.fields import values_of
from algatt.published.models import is_narrow, scaled
from algatt.published.networks import check_epsilon, network_to_count
from algatt.version import __version__

RECORD = "proofs.json"
"""The package data with the proofs that a whole run of scripts/published_proofs.py has found."""

SIZES: tuple[Mapping[str, int], ...] = (
    {"layers": 1, "hidden": 3, "vocabulary": 16, "tokens": 2},
    {"layers": 2, "hidden": 2, "vocabulary": 16, "tokens": 2},
)
"""The two sizes at which an architecture is proven, as `scaled` takes them. With many tokens in the vocabulary short
sequences do, whose exponents and roots are few.
"""

OF_THREE: tuple[Mapping[str, int], ...] = (
    {"layers": 1, "hidden": 3, "tokens": 3},
    {"layers": 2, "hidden": 2, "tokens": 3},
)
"""The sizes of those that read three tokens at least."""

THREE = ("dinov2", "mamba", "vit")
"""The model types that read patches of an image, or the last tokens: two of them would not show what is before."""

OF_BOTH_SIDES: tuple[Mapping[str, int], ...] = (
    {"layers": 1, "hidden": 3, "tokens": 3},
    {"layers": 1, "hidden": 2, "tokens": 2},
)
"""The sizes of those whose tokens read all others: no token has what another one has."""

OF_PAIRS: tuple[Mapping[str, int], ...] = ({"layers": 1, "hidden": 3}, {"layers": 2, "hidden": 2})
"""The sizes of those that read two sequences."""

PAIRS = {"t5": 4}
"""How many tokens the small networks of these model types read, those of both sequences together: fewer than reach all
entries of their tables of positions. Entries that no two tokens reach are seen neither in the rank nor by symbols.
"""

BOTH_SIDES = ("albert", "bert", "roberta")
"""The model types of these."""

NARROW: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "albert": (
        {"layers": 2, "head_width": 3, "hidden": 2, "tokens": 2},
        {"layers": 2, "head_width": 3, "hidden": 3, "tokens": 2},
    ),
    "opt": (
        {"layers": 2, "hidden": 2, "vocabulary": 16, "tokens": 3},
        {"layers": 2, "hidden": 3, "vocabulary": 16, "tokens": 3},
    ),
}
"""The sizes of those whose embedding is narrower than the stream, by model type. What the first block reads is a map of
narrow vectors, so that it does not see all of its matrices if there is no other block. Of narrow vectors of 3 numbers a
LayerNorm leaves two, which are too few; and the queries of the first block are seen at two tokens at least, if each
reads what is before it: so there are three.
"""

NEURONS = {"deepseek_v2": 3, "gemma2": 6, "gemma3_text": 6, "olmo2": 6}
"""How many neurons the small networks of these model types have.

Three have norms behind layers. A gain there may be traded against the matrix before it wherever that leaves the
length of all that the matrix writes as it is. Of n columns this takes n (n + 1) / 2 equations for as many factors as
the stream is wide, so that few neurons leave more than symmetries of what is large. And two blocks of DeepSeek V2
with 2 neurons were found near weights at which so few tokens choose one of the experts that two directions of it are
not seen; with 3 neurons, or at 24 tokens, all are.
"""

PARALLEL = ("gpt_neox", "gptj", "phi")
"""The model types whose blocks add attention and neurons to the same vectors. What neurons make of a first block is
seen at as many vectors as there are tokens: with few of them, attention can make up for a change of neurons.
"""

VOCABULARY = 24
"""Of so many tokens are the small networks of these."""

ONE_TOKEN = ("vit",)
"""The model types that read the class token alone. Before the first block it is a constant, and if there is no other
block, one constant query is all that is seen of the matrix of queries: they have a block more. Of 2 neurons in
width 4 less is seen than symbols say.
"""

TOKENS = 3
"""Small networks read so many tokens at least, unless their sizes say another number."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class ScaledProof:
    """The exact dimension of an architecture at small sizes.

    Parameters
    ----------
    model : str
        The published model that has the architecture, and the constants of the network, such as epsilon.
    model_type : str
        Its model type.
    sizes : mapping of str to int
        The sizes, as `scaled` takes them.
    reading : str
        ``logits``, ``probabilities``, or another reading in words.
    eps : int or None
        0 if the epsilon of norms is 0; None if it is that of the config.
    parameters : int
        The number of parameters.
    lower, upper : int
        The proven bounds of the dimension, by exact rank and by symmetries, those on symbols among them.
    symbols : int
        The upper bound that `symbolic_symmetries` has.
    seed : int
        Names the point at which the rank was computed.
    version : str
        That of the package.
    pattern : str
        A digest of the layers without their numbers, and of the shapes of all tensors.
    seconds : float, optional
        The processor time that it took; 0 if it is not known.
    """

    model: str
    model_type: str
    sizes: Mapping[str, int]
    reading: str
    eps: int | None
    parameters: int
    lower: int
    upper: int
    symbols: int
    seed: int
    version: str
    pattern: str
    seconds: float = 0.0

    @property
    def proven(self) -> bool:
        """Whether the dimension is proven, and the upper bound at full size is it at these sizes."""
        return self.lower == self.upper == self.symbols

    def to_dict(self) -> dict[str, Any]:
        """Return the proof as plain values for JSON."""
        return dataclasses.asdict(self)


def reading_name(reading: Reading | None) -> str:
    """Return how logits are read, as records have it."""
    return "logits" if reading is None else repr(reading).removesuffix("()").lower()


def sizes_of(values: Mapping[str, Any]) -> tuple[Mapping[str, int], ...]:
    """Return the two sizes at which the architecture of a config is proven, as `scaled` takes them."""
    model_type = values["model_type"]
    if model_type in NARROW and is_narrow(values):
        return NARROW[model_type]
    if model_type in PAIRS:
        return OF_PAIRS
    small = OF_THREE if model_type in THREE else OF_BOTH_SIDES if model_type in BOTH_SIDES else SIZES
    if model_type in ONE_TOKEN:
        return tuple({**sizes, "layers": sizes["layers"] + 1, "hidden": 3} for sizes in small)
    more = {"vocabulary": VOCABULARY} if model_type in PARALLEL else {}
    return tuple({**sizes, **more, "hidden": NEURONS.get(model_type, sizes["hidden"])} for sizes in small)


def prove_scaled(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    model: str = "",
    sizes: Mapping[str, int] = SIZES[0],
    reading: Reading | None = None,
    eps: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> ScaledProof:
    """Compute the exact dimension of an architecture at small sizes, and what symbols say of it.

    Parameters
    ----------
    config : path or mapping
        As for `read`.
    model : str, optional
        What the model is called.
    sizes : mapping of str to int, optional
        As `scaled` takes them; one block of 3 neurons unless given.
    reading : Reading, optional
        How logits are read; as they are unless given.
    eps : int, optional
        0 for norms without an epsilon; that of the config unless given.
    seed : int, optional
        Names the point at which the rank is computed.
    progress : callable, optional
        Called with what is done and what there is to do, as `algatt.dimension` does.

    Returns
    -------
    ScaledProof

    Examples
    --------
    >>> import algatt
    >>> sizes = {"hidden_size": 4, "num_attention_heads": 2, "num_hidden_layers": 1, "vocab_size": 6}
    >>> config = {"model_type": "llama", "intermediate_size": 2, **sizes}
    >>> proof = algatt.published.prove_scaled(config, sizes={"hidden": 1, "head_width": 2})
    >>> proof.parameters, proof.lower, proof.upper, proof.symbols
    (136, 105, 105, 105)
    """
    values = values_of(config)
    began = time.process_time()
    net = small_network(values, sizes, reading, check_epsilon(eps))
    report = dimension(net, seed=seed, progress=progress)
    lower, upper = cast("tuple[int, int]", (report.lower, report.upper))  # over an exact field there are both
    symbols = verbs.symbolic_symmetries(net).upper
    return ScaledProof(
        model,
        values["model_type"],
        dict(sizes),
        reading_name(reading),
        check_epsilon(eps),
        net.parameters,
        lower,
        min(upper, symbols),
        symbols,
        report.seed,
        __version__,
        pattern_of(net),
        round(time.process_time() - began, 1),
    )


def small_network(
    values: Mapping[str, Any], sizes: Mapping[str, int], reading: Reading | None, eps: int | None
) -> Network:
    """Return the network of a config at small sizes."""
    tokens = sizes.get("tokens", TOKENS)
    net = network_to_count(scaled(values, **{**sizes, "tokens": tokens}), reading, eps, tokens)
    return dataclasses.replace(net, tokens=PAIRS.get(values["model_type"], net.tokens))


def pattern_of(net: Network) -> str:
    """Return a digest of a network without its numbers, but for the shapes of its tensors: networks that differ in
    constants alone, such as the base of angles, have the same. It stays as it is when layers get new fields.
    """
    shapes = [[name, *shape] for name, shape in verbs.coordinates(net).items()]
    text = json.dumps([without_numbers(net.layers), shapes, net.tokens])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def without_numbers(value: Any) -> Any:
    """Return a noun as plain values, with the signs of numbers alone, and without the fields that are as by default."""
    if isinstance(value, tuple):
        return [without_numbers(entry) for entry in value]
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        return (value > 0) - (value < 0)
    if not is_noun(value):
        return value
    fields = ((one.name, without_numbers(getattr(value, one.name)), one) for one in dataclasses.fields(value))
    return {"name": type(value).__name__} | {name: plain for name, plain, one in fields if plain != default_of(one)}


def default_of(field: dataclasses.Field[Any]) -> Any:
    """Return what `without_numbers` makes of the default of a field; what no field is, if it has none."""
    if field.default_factory is not dataclasses.MISSING:
        return without_numbers(field.default_factory())
    return without_numbers(field.default)


@functools.cache
def shipped_proofs() -> tuple[ScaledProof, ...]:
    """Return the proofs that come with the package, from a whole run of ``scripts/published_proofs.py``."""
    text = (resources.files("algatt.published") / RECORD).read_text(encoding="utf-8")
    return tuple(ScaledProof(**row) for row in json.loads(text)["proofs"])


def proofs_of(values: Mapping[str, Any], reading: Reading | None, eps: int | None) -> tuple[ScaledProof, ...]:
    """Return the proofs that come with the package for the architecture of a config, read in a way."""
    named = reading_name(reading)
    rows = [
        one for one in shipped_proofs() if (one.model_type, one.reading, one.eps) == (values["model_type"], named, eps)
    ]
    patterns: dict[tuple[tuple[str, int], ...], str] = {}
    for one in rows:
        key = tuple(one.sizes.items())
        if key not in patterns:
            try:
                patterns[key] = pattern_of(small_network(values, one.sizes, reading, eps))
            except InvalidArgument:  # of what is not known at small sizes nothing is proven
                patterns[key] = ""
    return tuple(one for one in rows if patterns[tuple(one.sizes.items())] == one.pattern)
