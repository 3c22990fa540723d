"""Rewritings of checkpoints that have names: one file for each."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.checkpoints.conversions.balance import Balance as Balance
    from algatt.checkpoints.conversions.base import Conversion as Conversion
    from algatt.checkpoints.conversions.base import largest_difference as largest_difference
    from algatt.checkpoints.conversions.base import transform as transform
    from algatt.checkpoints.conversions.centre import Centre as Centre
    from algatt.checkpoints.conversions.fold_norms import FoldNorms as FoldNorms
    from algatt.checkpoints.conversions.fold_value_biases import FoldValueBiases as FoldValueBiases
    from algatt.checkpoints.conversions.merge_lora import MergeLoRA as MergeLoRA
    from algatt.checkpoints.conversions.rotary_layout import RotaryLayout as RotaryLayout
    from algatt.checkpoints.conversions.rotate import Rotate as Rotate
    from algatt.checkpoints.conversions.separate_keys import SeparateKeys as SeparateKeys
    from algatt.checkpoints.conversions.untie import Untie as Untie

on_demand(__name__)
