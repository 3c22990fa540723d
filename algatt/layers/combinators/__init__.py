"""Layers that are made of layers."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.base import Chain as Chain
    from algatt.layers.base import Residual as Residual
    from algatt.layers.base import Stack as Stack
    from algatt.layers.combinators.beside import Concatenate as Concatenate
    from algatt.layers.combinators.beside import Parallel as Parallel
    from algatt.layers.combinators.beside import Product as Product
    from algatt.layers.combinators.encoder_decoder import EncoderDecoder as EncoderDecoder
    from algatt.layers.combinators.named import Named as Named
    from algatt.layers.combinators.repeat import Repeat as Repeat
    from algatt.layers.combinators.tie import Tie as Tie

on_demand(__name__)
