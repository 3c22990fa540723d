"""Layers that are made of layers."""

from algatt.layers.combinators.chain import Chain
from algatt.layers.combinators.concatenate import Concatenate
from algatt.layers.combinators.encoder_decoder import EncoderDecoder
from algatt.layers.combinators.named import Named
from algatt.layers.combinators.parallel import Parallel
from algatt.layers.combinators.product import Product
from algatt.layers.combinators.repeat import Repeat
from algatt.layers.combinators.residual import Residual
from algatt.layers.combinators.stack import Stack
from algatt.layers.combinators.tie import Tie

__all__ = [
    "Chain",
    "Concatenate",
    "EncoderDecoder",
    "Named",
    "Parallel",
    "Product",
    "Repeat",
    "Residual",
    "Stack",
    "Tie",
]
