"""Activations and scores: functions of one variable that are applied entry by entry."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.activations.pointwise import ELU as ELU
    from algatt.layers.activations.pointwise import GELU as GELU
    from algatt.layers.activations.pointwise import Activation as Activation
    from algatt.layers.activations.pointwise import ReLU as ReLU
    from algatt.layers.activations.pointwise import Sigmoid as Sigmoid
    from algatt.layers.activations.pointwise import SiLU as SiLU
    from algatt.layers.activations.pointwise import Softplus as Softplus
    from algatt.layers.activations.pointwise import Tanh as Tanh
    from algatt.layers.activations.pointwise import TanhGELU as TanhGELU
    from algatt.layers.activations.pointwise import tanh as tanh
    from algatt.layers.activations.score import Affine as Affine
    from algatt.layers.activations.score import Exponential as Exponential
    from algatt.layers.activations.score import Power as Power
    from algatt.layers.activations.score import Rational as Rational
    from algatt.layers.activations.score import Score as Score

on_demand(__name__)
