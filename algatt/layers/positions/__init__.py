"""Position encodings: how attention sees where tokens are."""

from algatt.layers.positions.alibi import ALiBi
from algatt.layers.positions.base import Position
from algatt.layers.positions.relative import RelativeBias
from algatt.layers.positions.rotary import Rotary

__all__ = ["ALiBi", "Position", "RelativeBias", "Rotary"]
