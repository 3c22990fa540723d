"""Front ends: models of other libraries as networks."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.frontends.jax import from_jax as from_jax
    from algatt.frontends.models import load_into as load_into
    from algatt.frontends.models import weights_of as weights_of
    from algatt.frontends.onnx import from_onnx as from_onnx
    from algatt.frontends.torch import from_torch as from_torch

on_demand(__name__)
