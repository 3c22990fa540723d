"""Weights of models of other libraries, there and back."""

from __future__ import annotations

import os
from typing import Any

from algatt.parameters import Weights

__all__ = ["load_into", "weights_of"]


def weights_of(model: Any) -> Weights:
    """Return the parameters of a model as weights of its network, with the names that they have there.

    Parameters
    ----------
    model : torch.nn.Module, path of an ONNX file, or tree of arrays
        What `algatt.from_torch` or `algatt.from_onnx` was given, or the parameters that `algatt.from_jax` was given.
    """
    if isinstance(model, str | os.PathLike):
        from algatt.frontends.onnx import weights_of_file

        return weights_of_file(model)
    if hasattr(model, "named_parameters"):
        from algatt.frontends.torch import weights_of_module

        return weights_of_module(model)
    from algatt.frontends.jax import weights_of_tree

    return weights_of_tree(model)


def load_into(model: Any, theta: Weights) -> Any:
    """Put weights into a model, rounded to the types of its parameters, and return it.

    Parameters
    ----------
    model : torch.nn.Module, or tree of arrays
        The module, whose parameters are changed; or parameters of JAX, which stay as they are.
    theta : Weights
        Weights of its network, over the reals.

    Returns
    -------
    torch.nn.Module or tree of arrays
        The module; of a tree, one with other arrays.

    Raises
    ------
    InvalidArgument
        If the names or sizes are not those of the model.
    """
    if hasattr(model, "named_parameters"):
        from algatt.frontends.torch import load_into_module

        load_into_module(model, theta)
        return model
    from algatt.frontends.jax import tree_with

    return tree_with(model, theta)
