"""Gemma 3: Gemma 2 with norms of heads in place of caps, and other angles in blocks with windows."""

from __future__ import annotations

from dataclasses import replace

from algatt.errors import InvalidArgument, in_words
from algatt.layers import Layer, Reading, RMSNorm, Rotary
from algatt.published.base import ModelFamily, register
from algatt.published.families.gemma2 import KEYS, cap, sandwich, stored
from algatt.published.families.llama import SIZES
from algatt.published.fields import Fields
from algatt.published.parts import layer_kinds, rotary


def gemma3(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Gemma 3 (arXiv 2503.19786), those that read text."""
    fields.only("use_bidirectional_attention", False)
    if cap(fields, "attn_logit_softcapping") is not None:
        was = in_words(fields.values["attn_logit_softcapping"])
        raise InvalidArgument("attn_logit_softcapping", was, "null, as the scores of this model type have no cap")
    period = fields.whole("sliding_window_pattern", 6)
    numbers = range(1, fields.whole("num_hidden_layers") + 1)
    kinds = layer_kinds(fields, ["sliding" if number % period else "full" for number in numbers])
    angles = positions(fields)
    head_norm = RMSNorm(fields.not_negative("rms_norm_eps", 1e-6))
    blocks = [(kind, angles[kind]) for kind in kinds]
    return sandwich(fields, reading, blocks, None, cap(fields, "final_logit_softcapping"), head_norm)


def positions(fields: Fields) -> dict[str, Rotary]:
    """Return the rotary positions of blocks that see everything before, and of those with windows.

    Newer configs have a part for each kind; in older ones what is scaled are the angles of the former alone.
    """
    new, old = fields.part("rope_parameters"), fields.part("rope_scaling")
    for name, value in new.values.items():
        if not isinstance(value, dict | None):
            should = "a mapping, as there are two kinds of angles"
            raise InvalidArgument(f"rope_parameters.{name}", in_words(value), should)
    made = {}
    for kind, base, usual in (("full", "rope_theta", 1e6), ("sliding", "rope_local_base_freq", 10000.0)):
        scaling = old.values if kind == "full" else {}
        part = {**new.part(f"{kind}_attention").values, **scaling}
        of_kind = replace(fields, values={**fields.values, "rope_scaling": None, "rope_parameters": part})
        made[kind] = rotary(of_kind, fields.whole("head_dim", 256), base, usual=usual)
    return made


register(
    ModelFamily(
        ("gemma3_text",),
        gemma3,
        {**SIZES, "period": "sliding_window_pattern"},
        stored,
        keys=(*KEYS, "rope_local_base_freq"),
        aliases={"_sliding_window_pattern": "sliding_window_pattern"},
    )
)
