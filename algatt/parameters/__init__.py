"""Points of the parameter spaces: one file for each coordinate system."""

from algatt.parameters.attention_matrix import AttentionMatrix, AttentionMatrixLayer
from algatt.parameters.base import Parameters, load
from algatt.parameters.virtual_weights import VirtualWeights
from algatt.parameters.weights import Weights, WeightsLayer

__all__ = ["AttentionMatrix", "AttentionMatrixLayer", "Parameters", "VirtualWeights", "Weights", "WeightsLayer", "load"]
