"""Checkpoints: files of tensors as networks with weights."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.checkpoints.alignment import align as align
    from algatt.checkpoints.attention import LeftOutWarning as LeftOutWarning
    from algatt.checkpoints.attention import flow_of as flow_of
    from algatt.checkpoints.attention import heads_of as heads_of
    from algatt.checkpoints.checkpoint import Checkpoint as Checkpoint
    from algatt.checkpoints.checkpoint import load as load
    from algatt.checkpoints.comparison import compare as compare
    from algatt.checkpoints.conversions import Balance as Balance
    from algatt.checkpoints.conversions import Centre as Centre
    from algatt.checkpoints.conversions import Conversion as Conversion
    from algatt.checkpoints.conversions import FoldNorms as FoldNorms
    from algatt.checkpoints.conversions import FoldValueBiases as FoldValueBiases
    from algatt.checkpoints.conversions import MergeLoRA as MergeLoRA
    from algatt.checkpoints.conversions import RotaryLayout as RotaryLayout
    from algatt.checkpoints.conversions import Rotate as Rotate
    from algatt.checkpoints.conversions import SeparateKeys as SeparateKeys
    from algatt.checkpoints.conversions import Untie as Untie
    from algatt.checkpoints.conversions import largest_difference as largest_difference
    from algatt.checkpoints.conversions import transform as transform
    from algatt.checkpoints.drift import CheckpointDrift as CheckpointDrift
    from algatt.checkpoints.drift import drift as drift
    from algatt.checkpoints.files.folder import read_tensors as read_tensors
    from algatt.checkpoints.files.safetensors import write_safetensors as write_safetensors
    from algatt.checkpoints.folder import save as save
    from algatt.checkpoints.moved import Invariants as Invariants
    from algatt.checkpoints.moved import balanced_form as balanced_form
    from algatt.checkpoints.moved import invariants as invariants
    from algatt.checkpoints.moved import move as move
    from algatt.checkpoints.rotary import to_halves as to_halves
    from algatt.checkpoints.rotary import to_interleaved as to_interleaved
    from algatt.checkpoints.tensors import FileTensor as FileTensor
    from algatt.checkpoints.tensors import FileTensors as FileTensors
    from algatt.checkpoints.transformer_lens import from_transformer_lens as from_transformer_lens
    from algatt.checkpoints.transformer_lens import to_transformer_lens as to_transformer_lens

on_demand(__name__)
