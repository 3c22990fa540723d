"""Points of the parameter spaces: one file for each coordinate system."""

from algatt.loading import load_below

load_below(__name__)

from algatt.parameters.attention_matrix import AttentionMatrix, AttentionMatrixLayer
from algatt.parameters.base import Parameters, load
from algatt.parameters.virtual_weights import VirtualWeights
from algatt.parameters.weights import Weights, WeightsLayer
from algatt.verbs import convert, coordinates, flatten, sample, sample_inputs, shapes, unflatten

__all__ = [
    "AttentionMatrix",
    "AttentionMatrixLayer",
    "Parameters",
    "VirtualWeights",
    "Weights",
    "WeightsLayer",
    "convert",
    "coordinates",
    "flatten",
    "load",
    "sample",
    "sample_inputs",
    "shapes",
    "unflatten",
]
