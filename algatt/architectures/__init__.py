"""Networks without their weights: one file for each architecture."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.architectures.attention_network import AttentionNetwork as AttentionNetwork
    from algatt.architectures.base import Architecture as Architecture
    from algatt.architectures.base import sample_inputs as sample_inputs
    from algatt.architectures.base import unflatten as unflatten
    from algatt.architectures.lightning import Lightning as Lightning
    from algatt.architectures.network import Network as Network
    from algatt.architectures.normalized import Normalized as Normalized
    from algatt.architectures.normalized import Softmax as Softmax
    from algatt.architectures.text import outline as outline
    from algatt.layers import Affine as Affine
    from algatt.layers import Exponential as Exponential
    from algatt.layers import Power as Power
    from algatt.layers import Rational as Rational
    from algatt.layers import Score as Score
    from algatt.verbs import expression as expression

on_demand(__name__)
