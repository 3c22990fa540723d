"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any

from algatt.checkpoints import modules as modules
from algatt.checkpoints.attention import LeftOutWarning, flow_of, heads_of
from algatt.checkpoints.checkpoint import Checkpoint, load
from algatt.checkpoints.comparison import compare
from algatt.checkpoints.conversions import (
    Balance,
    Centre,
    Conversion,
    FoldNorms,
    FoldValueBiases,
    MergeLoRA,
    RotaryLayout,
    Rotate,
    SeparateKeys,
    Untie,
    largest_difference,
    transform,
)
from algatt.checkpoints.files.folder import read_tensors
from algatt.checkpoints.files.safetensors import write_safetensors
from algatt.checkpoints.folder import save
from algatt.checkpoints.moved import Invariants, balanced_form, invariants, move
from algatt.checkpoints.rotary import to_halves, to_interleaved
from algatt.checkpoints.tensors import Member, Tensors
from algatt.checkpoints.transformer_lens import from_transformer_lens, to_transformer_lens
from algatt.dispatch import Verb

__all__ = [
    "Balance",
    "Centre",
    "Checkpoint",
    "Conversion",
    "FoldNorms",
    "FoldValueBiases",
    "Invariants",
    "LeftOutWarning",
    "Member",
    "MergeLoRA",
    "RotaryLayout",
    "Rotate",
    "SeparateKeys",
    "Tensors",
    "Untie",
    "balanced_form",
    "compare",
    "flow_of",
    "from_torch",
    "from_transformer_lens",
    "heads_of",
    "invariants",
    "largest_difference",
    "load",
    "modules",
    "move",
    "read_tensors",
    "save",
    "to_halves",
    "to_interleaved",
    "to_transformer_lens",
    "transform",
    "write_safetensors",
]

class _FromTorch(Verb[..., Any]):
    def __call__(
        self,
        module: object,
        /,
        *,
        heads: int | None = None,
        tokens: int = 2,
    ) -> Checkpoint: ...

from_torch: _FromTorch
