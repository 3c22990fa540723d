"""Activations and scores: functions of one variable that are applied entry by entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.activations.base import Activation as Activation
    from algatt.layers.activations.elu import ELU as ELU
    from algatt.layers.activations.gelu import GELU as GELU
    from algatt.layers.activations.gelu import TanhGELU as TanhGELU
    from algatt.layers.activations.relu import ReLU as ReLU
    from algatt.layers.activations.score import Affine as Affine
    from algatt.layers.activations.score import Exponential as Exponential
    from algatt.layers.activations.score import Power as Power
    from algatt.layers.activations.score import Rational as Rational
    from algatt.layers.activations.score import Score as Score
    from algatt.layers.activations.sigmoid import Sigmoid as Sigmoid
    from algatt.layers.activations.silu import SiLU as SiLU
    from algatt.layers.activations.softplus import Softplus as Softplus
    from algatt.layers.activations.tanh import Tanh as Tanh
    from algatt.layers.activations.tanh import tanh as tanh

on_demand(
    __name__,
    {
        "algatt.layers.activations.base": "Activation",
        "algatt.layers.activations.elu": "ELU",
        "algatt.layers.activations.gelu": "GELU TanhGELU",
        "algatt.layers.activations.relu": "ReLU",
        "algatt.layers.activations.score": "Affine Exponential Power Rational Score",
        "algatt.layers.activations.sigmoid": "Sigmoid",
        "algatt.layers.activations.silu": "SiLU",
        "algatt.layers.activations.softplus": "Softplus",
        "algatt.layers.activations.tanh": "Tanh tanh",
    },
)
