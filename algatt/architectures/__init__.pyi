"""The types of the public names.

Made by scripts/public_types.py from the methods of the verbs: what is written here by hand is lost.
"""

from typing import Any, overload

from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.base import Architecture
from algatt.architectures.lightning import Lightning
from algatt.architectures.network import Network
from algatt.architectures.normalized import Normalized, Softmax
from algatt.architectures.text import outline
from algatt.dispatch import Verb
from algatt.layers import Affine, Exponential, Power, Rational, Score

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

class _Expression(Verb[..., Any]):
    @overload
    def __call__(self, arch: Normalized, /) -> Network: ...
    @overload
    def __call__(self, arch: Lightning, /) -> Network: ...
    @overload
    def __call__(self, arch: Network, /) -> Network: ...
    @overload
    def __call__(self, arch: Architecture, /) -> Network: ...

expression: _Expression
