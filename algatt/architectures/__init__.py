"""Networks without their weights: one file for each architecture."""

from algatt.loading import load_below

load_below(__name__)

from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning
from algatt.architectures.network import Network
from algatt.architectures.normalized import Normalized, Softmax
from algatt.architectures.text import outline
from algatt.layers import Affine, Exponential, Power, Rational, Score
from algatt.verbs import expression

__all__ = [
    "Affine",
    "Architecture",
    "AttentionNetwork",
    "Exponential",
    "Lightning",
    "Network",
    "Normalized",
    "Power",
    "Rational",
    "Score",
    "Softmax",
    "expression",
    "outline",
]
