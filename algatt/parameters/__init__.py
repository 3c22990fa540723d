"""Points of the parameter spaces: one file for each coordinate system."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.parameters.attention_matrix import AttentionMatrix as AttentionMatrix
    from algatt.parameters.base import Parameters as Parameters
    from algatt.parameters.base import Weights as Weights
    from algatt.parameters.base import flatten as flatten
    from algatt.parameters.base import load as load
    from algatt.parameters.virtual_weights import VirtualWeights as VirtualWeights
    from algatt.verbs import convert as convert
    from algatt.verbs import coordinates as coordinates
    from algatt.verbs import sample as sample

on_demand(__name__)
