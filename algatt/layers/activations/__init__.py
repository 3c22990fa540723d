"""Activations and scores: functions of one variable that are applied entry by entry."""

from algatt.layers.activations.base import Activation
from algatt.layers.activations.elu import ELU
from algatt.layers.activations.gelu import GELU, TanhGELU
from algatt.layers.activations.relu import ReLU
from algatt.layers.activations.score import Affine, Exponential, Power, Rational, Score
from algatt.layers.activations.sigmoid import Sigmoid
from algatt.layers.activations.silu import SiLU
from algatt.layers.activations.softplus import Softplus
from algatt.layers.activations.tanh import Tanh, tanh

__all__ = [
    "ELU",
    "GELU",
    "Activation",
    "Affine",
    "Exponential",
    "Power",
    "Rational",
    "ReLU",
    "Score",
    "SiLU",
    "Sigmoid",
    "Softplus",
    "Tanh",
    "TanhGELU",
    "tanh",
]
