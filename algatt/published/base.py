"""What a family of published models is, and which are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from algatt.errors import InvalidArgument, in_words
from algatt.layers import Layer, Reading
from algatt.published.fields import Fields
from algatt.published.stored import Stored

__all__ = ["Family", "family_of", "model_types", "register"]


@dataclass(frozen=True)
class Family:
    """The models whose configs have the same fields.

    Parameters
    ----------
    model_types : tuple of str
        What their configs have as ``model_type``.
    layers : callable
        From the fields of a config, and how logits are read, to the layers of the network.
    sizes : mapping of str to str
        What its fields are called that are sizes: ``width``, ``layers``, ``heads``, ``vocabulary``, ``hidden``, and
        where there are such, ``key_heads``, ``head_width``, ``context`` for positions, ``experts``
        and ``top`` for how many a token has, ``share`` for the rows of a head that are turned, ``decoder_layers`` of
        what has an encoder, too, and ``buckets`` and ``distance`` of relative positions.
    stored : callable, optional
        From the fields of a config, and the shapes of the tensors of its network by name, to the tensors of its
        checkpoints. One whose pieces the network does not have is not looked for, so that what a config switches off
        may be among them. Weights of a family without it cannot be read.
    """

    model_types: tuple[str, ...]
    layers: Callable[[Fields, Reading], Layer]
    sizes: Mapping[str, str]
    stored: Callable[[Fields, Mapping[str, tuple[int, int]]], Iterable[Stored]] | None = None


LOGITS = ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel")
"""How the names of classes end that have an unembedding."""

FAMILIES: dict[str, Family] = {}
"""The families by model type."""


def register(family: Family) -> None:
    """Add a family to those that are known; a model type that was known is replaced."""
    FAMILIES.update(dict.fromkeys(family.model_types, family))


def model_types() -> tuple[str, ...]:
    """Return the model types that can be read, in the order of the alphabet.

    Examples
    --------
    >>> import algatt
    >>> "llama" in algatt.published.model_types()
    True
    """
    return tuple(sorted(FAMILIES))


def family_of(fields: Fields) -> Family:
    """Return the family of a config.

    Raises
    ------
    InvalidArgument
        If its model type is not known, or its architecture is none that reads logits.
    """
    known = f"one of {', '.join(model_types())}"
    name = fields.values.get("model_type")
    if name is None:
        raise InvalidArgument("model_type", "missing from the config", known)
    if not isinstance(name, str) or name not in FAMILIES:
        raise InvalidArgument("model_type", in_words(name), known)
    named = fields.values.get("architectures")
    if named is not None and not (isinstance(named, list) and any(has_logits(one) for one in named)):
        raise InvalidArgument(
            "architectures", in_words(named), f"a list with a {', '.join(LOGITS[:-1])} or {LOGITS[-1]}"
        )
    return FAMILIES[name]


def has_logits(name: object) -> bool:
    """Return whether the name of a class is that of a language model with its unembedding."""
    return isinstance(name, str) and name.endswith(LOGITS)
