"""Masks: which tokens see which."""

from algatt.layers.masks.base import Mask, checked_mask
from algatt.layers.masks.causal import Causal, Window
from algatt.layers.masks.pattern import Pattern

__all__ = ["Causal", "Mask", "Pattern", "Window", "checked_mask"]
