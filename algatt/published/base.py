"""What a family of published models is, and which are known."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument, in_words
from algatt.layers import Layer, Reading, Rotary
from algatt.layers.rewriting import rewritten
from algatt.loading import is_own
from algatt.published.fields import Fields, values_of
from algatt.published.keys import check_counts, check_keys, with_own_names
from algatt.published.stored import Stored


@dataclass(frozen=True)
class ModelFamily:
    """The models whose configs have the same fields.

    Parameters
    ----------
    model_types : tuple of str
        What their configs have as ``model_type``.
    layers : callable
        From the fields of a config, and how logits are read, to the layers of the network.
    sizes : mapping of str to str
        What its fields are called that are sizes: ``width``, ``layers``, ``heads``, ``vocabulary``, ``hidden``, and
        where there are such, ``key_heads``, ``head_width``, ``context`` for positions, ``narrow`` for the width of an
        embedding, ``experts`` and ``top`` for how many a token has, ``share`` or ``turned`` for the part or the number
        of the rows of a head that are turned, ``period`` for every how many layers one has no window,
        ``decoder_layers`` of what has an encoder, too, ``buckets`` and ``distance`` of relative positions, and for
        state spaces ``inner`` and ``expand``, ``states``, ``rank`` and ``kernel``.
    stored : callable, optional
        From the fields of a config, and the shapes of the tensors of its network by name, to the tensors of its
        checkpoints. One whose pieces the network does not have is not looked for, so that what a config switches off
        may be among them. Weights of a family without it cannot be read.
    architectures : tuple of str, optional
        What the names of the classes end with that it can read; those of language models with their unembedding unless
        given.
    inputs : callable, optional
        For models that read no tokens but vectors, as the patches of an image: from the fields of a config to how many
        entries each has, and how many there are.
    refine : callable, optional
        From the fields of a config at small sizes, and what these sizes are, to those with all fields that follow from
        them.
    small : callable, optional
        From the fields of a config, and the numbers ``layers``, ``head_width``, ``hidden``, ``tokens``, and perhaps
        ``vocabulary``, to the fields that `scaled` changes; those of `sizes` unless given.
    keys : tuple of str, optional
        The fields that it reads besides those of `sizes`, and those that have no effect on its models alone. Others are
        refused, unless they have no effect on models of any type; a family without it is not asked which it reads.
    aliases : mapping of str to str, optional
        Other names that the library takes for fields, and the names that its configs have for these.
    fixed : callable, optional
        From the fields of a config to arrays that are no parameters but in checkpoints all the same, by their names
        there: fixed positions, each a row, which may have been computed in single precision.
    """

    model_types: tuple[str, ...]
    layers: Callable[[Fields, Reading], Layer]
    sizes: Mapping[str, str]
    stored: Callable[[Fields, Mapping[str, tuple[int, int]]], Iterable[Stored]] | None = None
    architectures: tuple[str, ...] = ("ForCausalLM", "LMHeadModel")
    inputs: Callable[[Fields], tuple[int, int]] | None = None
    refine: Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]] | None = None
    small: Callable[[Fields, Mapping[str, int]], Mapping[str, Any]] | None = None
    keys: tuple[str, ...] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    fixed: Callable[[Fields], Mapping[str, np.ndarray]] | None = None


FAMILIES: dict[str, ModelFamily] = {}
"""The families by model type, those of the package when they have been imported."""

LAYOUTS = ("halves", "interleaved")
"""The layouts of rotary positions. No other library takes a model type with one of them for one of its own, and reads
rows as if they were in another order.
"""


def register(family: ModelFamily) -> None:
    """Add a family to those that are known; a model type that was known is replaced."""
    if not is_own(sys._getframe(1).f_globals.get("__name__")):
        families()  # else those of the package, which come when they are needed, would replace it
    FAMILIES.update(dict.fromkeys(family.model_types, family))


def families() -> dict[str, ModelFamily]:
    """Import the families of the package, one file for each, and return all by model type."""
    folder = importlib.import_module("algatt.published.families")
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        importlib.import_module(module.name)
    return FAMILIES


def model_types() -> tuple[str, ...]:
    """Return the model types that can be read, in the order of the alphabet.

    Examples
    --------
    >>> import algatt
    >>> "llama" in algatt.published.model_types()
    True
    """
    return tuple(sorted(families()))


def in_layout(family: ModelFamily, layout: str) -> ModelFamily:
    """Return a family whose rotary positions turn other rows."""

    def change(noun: Any) -> Any:
        return dataclasses.replace(noun, layout=layout) if isinstance(noun, Rotary) else noun

    def layers(fields: Fields, reading: Reading) -> Layer:
        made: Layer = rewritten(family.layers(fields, reading), change)
        return made

    return dataclasses.replace(family, layers=layers)


def opened(config: Any, tokens: int = 2) -> tuple[Fields, ModelFamily]:
    """Return the fields of a config, and its family.

    Parameters
    ----------
    config : path or mapping
        As for `algatt.published.read`.
    tokens : int, optional
        How many tokens the network reads.

    Raises
    ------
    InvalidArgument
        If the config cannot be read, its family is not known, or it has a key that is neither read nor known to be
        without effect.
    """
    values = values_of(config)
    family = family_of(Fields(values))
    values = with_own_names(values, family.aliases)
    check_counts(values)
    if family.keys is not None:
        read = {"model_type", "architectures", *family.sizes.values(), *family.keys}
        check_keys(values, values["model_type"].partition(":")[0], read)
    return Fields(values, tokens=tokens), family


def family_of(fields: Fields) -> ModelFamily:
    """Return the family of a config; behind its model type, as in ``llama:interleaved``, may be which rows of queries
    and keys rotary positions turn together, if these are others than in all models of its type.

    Raises
    ------
    InvalidArgument
        If its model type is not known, or its architecture is none that its family reads.
    """
    known = f"one of {', '.join(model_types())}"
    given = fields.values.get("model_type")
    if given is None:
        raise InvalidArgument("model_type", "missing from the config", known)
    name, mark, layout = given.partition(":") if isinstance(given, str) else (None, "", "")
    if name not in families() or (mark and layout not in LAYOUTS):
        raise InvalidArgument("model_type", in_words(given), known)
    family = in_layout(FAMILIES[name], layout) if mark else FAMILIES[name]
    named = fields.values.get("architectures")
    if named is not None and not (
        isinstance(named, list) and any(isinstance(one, str) and one.endswith(family.architectures) for one in named)
    ):
        raise InvalidArgument("architectures", in_words(named), f"a list with a {' or '.join(family.architectures)}")
    return family
