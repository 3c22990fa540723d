"""Networks without their weights: one file for each architecture."""

from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning

__all__ = ["Architecture", "Lightning"]
