"""Adapters of low rank added to the matrices that they belong to."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from algatt import published, verbs
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion, replaced
from algatt.checkpoints.files.folder import read_tensors
from algatt.errors import InvalidArgument, in_words
from algatt.fields import Elements, Reals
from algatt.files import shorten
from algatt.published.fields import Fields, values_of

NAME = re.compile(r"(?:base_model\.model\.)?(.+)\.lora_([AB])(?:\.default)?\.weight")
"""How the peft library names the two factors of a matrix."""

OTHERS = {
    "peft_type": "LORA",
    "bias": "none",
    "use_dora": False,
    "lora_bias": False,
    "rank_pattern": {},
    "alpha_pattern": {},
    "modules_to_save": None,
    "alora_invocation_tokens": None,
    "layer_replication": None,
}
"""What a config of an adapter says where nothing but a product of two matrices is added."""

KNOWN = frozenset(
    (
        *("r", "lora_alpha", "use_rslora", "fan_in_fan_out", *OTHERS),
        # names and versions
        *("auto_mapping", "base_model_name_or_path", "megatron_core", "peft_version", "revision", "task_type"),
        # which matrices have factors, as the tensors say
        *("exclude_modules", "layers_pattern", "layers_to_transform", "target_modules"),
        # training
        *("inference_mode", "init_lora_weights", "lora_dropout", "qalora_group_size"),
    )
)
"""The keys of such a config that are read, or have no effect; others have to be null, false or empty."""

STARTS = (True, False, "gaussian", "eva", "orthogonal")
"""The initial factors with which the matrices themselves stay as they are."""


@dataclass(frozen=True)
class MergeLoRA(Conversion):
    r"""The adapter of a checkpoint added to it: :math:`W + \frac{\alpha}{r} B A` for each matrix W that it has factors
    for (Hu et al., arXiv 2106.09685); with ``use_rslora`` the root of r.

    The network then is that of the checkpoint with its adapter; that of the checkpoint alone was another function.
    Refused if the adapter has anything but factors of matrices of the checkpoint.

    Parameters
    ----------
    adapter : path
        A folder with ``adapter_config.json`` and ``adapter_model.safetensors``, as the peft library writes them.
    """

    keeps_function: ClassVar[bool] = False

    adapter: str | os.PathLike[str]


@verbs.rewrite.method
def merge_lora(conversion: MergeLoRA, checkpoint: Checkpoint) -> Checkpoint:
    folder = Path(conversion.adapter)
    described = values_of(folder / "adapter_config.json")
    found = read_tensors(folder / "adapter_model.safetensors")
    if not checkpoint.config:
        raise InvalidArgument("checkpoint", "without a config, which has the names of matrices", "one with a config")
    arrays = published.checkpoint_tensors(checkpoint.config, checkpoint.weights)
    for name, (A, B) in factors(found).items():
        W = arrays.get(f"{name}.weight")
        if W is None or W.ndim != 2:
            raise InvalidArgument("adapter", f"with {name}, which is no matrix of the checkpoint", "one of it")
        added = B @ A * scale(described, len(A))
        added = added.T if described.get("fan_in_fan_out") else added
        if added.shape != W.shape:
            raise InvalidArgument("adapter", f"of shape {added.shape} for {name}", f"of shape {W.shape}")
        arrays[f"{name}.weight"] = W + added
    theta = published.weights(checkpoint.config, arrays)
    known = Reals().known_to(min(checkpoint.precision, found.precision))
    merged = replaced(checkpoint, {name: element.raw for name, element in theta.tensors.items()})
    elements = [Elements(known, element.raw) for element in merged.weights.elements]
    return dataclasses.replace(merged, weights=merged.weights.replace(elements))


def scale(described: Mapping[str, Any], rank: int) -> float:
    """Return by what the product of the factors is multiplied.

    Raises
    ------
    InvalidArgument
        If the config of the adapter says that something else is done, or another rank.
    """
    fields = Fields(dict(described))
    for name, usual in OTHERS.items():
        if described.get(name) not in (usual, None):
            raise InvalidArgument(name, in_words(described[name]), f"{usual!r}: nothing else can be merged")
    for name, value in described.items():
        if name not in KNOWN and value not in (None, False, [], {}):
            should = "not in the config: its effect is not known"
            raise InvalidArgument(shorten(str(name)), in_words(value), should)
    if (start := described.get("init_lora_weights", True)) not in STARTS:
        raise InvalidArgument("init_lora_weights", in_words(start), "one that leaves the matrices as they are")
    if fields.whole("r") != rank:
        raise InvalidArgument("r", repr(described["r"]), f"{rank}, as the tensors say")
    return fields.positive("lora_alpha", 8.0) / (math.sqrt(rank) if fields.truth("use_rslora", False) else rank)


def factors(found: Mapping[str, Any]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the two factors of each matrix.

    Raises
    ------
    InvalidArgument
        If there is another tensor, one of the factors is missing, or they do not fit.
    """
    parts: dict[str, dict[str, np.ndarray]] = {}
    for name in found:
        match = NAME.fullmatch(name)
        if match is None:
            raise InvalidArgument("adapter", f"with {name!r}", "one with lora_A.weight and lora_B.weight alone")
        parts.setdefault(match[1], {})[match[2]] = np.array(found[name], dtype=np.float64)
    for name, both in parts.items():
        shapes = {letter: part.shape for letter, part in both.items()}
        if set(both) != {"A", "B"} or both["A"].ndim != 2 or both["B"].shape[1:] != both["A"].shape[:1]:
            raise InvalidArgument("adapter", f"with factors of {name} of shapes {shapes}", "with (r, n) and (m, r)")
    return {name: (both["A"], both["B"]) for name, both in parts.items()}
