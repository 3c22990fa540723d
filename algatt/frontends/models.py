"""Weights of models of other libraries, there and back."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from algatt.arguments import whole
from algatt.errors import AlgattError, InvalidArgument
from algatt.files import shorten, told
from algatt.parameters import Weights


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


def network_of_model(model: Any, tokens: int | None = None, width: int | None = None) -> Any:
    """Return the network of a model, or of what a function without arguments returns.

    Parameters
    ----------
    model : object
        A `torch.nn.Module`; a pair of one and an example; the path of an ONNX file; a function without arguments that
        returns one of these, or a network. Others are returned as they are.
    tokens : int, optional
        The number of tokens of an example, where none is given, and the size of axes of an ONNX file that have a name;
        of those with `batch` in it, it is 1.
    width : int, optional
        The width of an example; unless given it is of numbers of tokens.

    Raises
    ------
    InvalidArgument
        If the number of tokens is not given, and asked for.
    """
    if isinstance(model, str | os.PathLike):
        from algatt.frontends.onnx import from_onnx, named_sizes

        return from_onnx(model, sizes={name: 1 if "batch" in name else asked(tokens) for name in named_sizes(model)})
    if isinstance(model, type) and hasattr(model, "named_parameters"):
        should = f"an instance of it, as {model.__name__}(), or a function that returns one"
        raise InvalidArgument("network", f"{model.__name__}, a class of modules", should)
    if hasattr(model, "named_parameters"):
        from algatt.frontends.torch import example_of, from_torch

        return from_torch(model, example_of(model, asked(tokens), width))
    if isinstance(model, tuple) and len(model) == 2 and hasattr(model[0], "named_parameters"):
        from algatt.frontends.torch import from_torch

        return from_torch(*model)
    if callable(model) and not isinstance(model, type) and not hasattr(model, "input_shape"):
        return network_of_model(called(model), tokens, width)
    return model


def called(function: Callable[[], Any]) -> Any:
    """Return what a function of the user returns."""
    try:
        return function()
    except AlgattError:
        raise
    except Exception as error:
        name = getattr(function, "__name__", "function")
        was = f"{name}, which raised {type(error).__name__}: {shorten(told(error))}"
        raise InvalidArgument(
            "network", was, "a function without arguments that returns a network or a model"
        ) from error


def asked(tokens: int | None) -> int:
    """Return the number of tokens, which has to be given."""
    if tokens is None:
        raise InvalidArgument("tokens", "not given", "the number of tokens that it reads, as tokens=3 or --tokens 3")
    return whole("tokens", tokens)
