"""Rewritings of checkpoints that have names: one file for each."""

from algatt.checkpoints.conversions.balance import Balance
from algatt.checkpoints.conversions.base import Conversion, largest_difference, transform
from algatt.checkpoints.conversions.centre import Centre
from algatt.checkpoints.conversions.fold_norms import FoldNorms
from algatt.checkpoints.conversions.fold_value_biases import FoldValueBiases
from algatt.checkpoints.conversions.merge_lora import MergeLoRA
from algatt.checkpoints.conversions.rotary_layout import RotaryLayout
from algatt.checkpoints.conversions.rotate import Rotate
from algatt.checkpoints.conversions.separate_keys import SeparateKeys
from algatt.checkpoints.conversions.untie import Untie

__all__ = [
    "Balance",
    "Centre",
    "Conversion",
    "FoldNorms",
    "FoldValueBiases",
    "MergeLoRA",
    "RotaryLayout",
    "Rotate",
    "SeparateKeys",
    "Untie",
    "largest_difference",
    "transform",
]
