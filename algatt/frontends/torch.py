"""Modules of torch as networks, by `torch.export`."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.errors import InvalidArgument, MissingExtra, in_words
from algatt.frontends.lowered import lowered_with, matrix_shape
from algatt.frontends.refusals import refused
from algatt.frontends.torch_reading import TorchReading, named, rows_of, shapes_of
from algatt.parameters import Weights

WHOLE = ("aten.scaled_dot_product_attention.default", "aten.softplus.default")
"""Operations that are not taken apart by torch."""


def from_torch(
    module: Any,
    example: Any,
    *,
    constants: Mapping[str, Any] | None = None,
    value: Callable[[Any], Any] | None = None,
    least: float | None = None,
) -> Network:
    """Return the network that a module of torch is.

    Parameters
    ----------
    module : torch.nn.Module
        The module, in evaluation; its parameters are the tensors, with the names of its state dict, vectors being
        matrices with one column, and its buffers are constants.
    example : torch.Tensor, or tuple or mapping of these
        What it is called with; its shapes are those of the network. Floats are vectors, the last axis, of tokens, and
        integers are numbers of tokens, which are read by embeddings alone.
    constants : mapping of str to object, optional
        Other arguments by name, which stay as they are.
    value : callable, optional
        What is the value of what the module returns; the first tensor unless given.
    least : float, optional
        Numbers that are at most this large, as the least float16, float32 or bfloat16, stand for minus infinity where
        they are added to scores or chosen in their place; the least float16 unless given.

    Returns
    -------
    Network
        With one layer, which computes what the program of the module says. Numbers of the module stand for exactly what
        they are, and results are not rounded.

    Raises
    ------
    InvalidArgument
        If torch cannot export the module, or an operation has no rule; with the operation and its line.
    MissingExtra
        If torch is not installed.
    """
    torch = imported()
    if not isinstance(module, torch.nn.Module):
        raise InvalidArgument("module", in_words(module), "a torch.nn.Module: an instance, as Block()")
    exported = export(torch, module, example, dict(constants or {}), value)
    lowered = lowered_with(shapes_of(module), least)
    return TorchReading(torch, module, exported, lowered).network()


def weights_of_module(module: Any) -> Weights:
    """Return the parameters of a module as weights; those that it has twice are there once."""
    rows, tensors = rows_of(imported(), module), named(module)
    return Weights.of(
        {name: one.detach().reshape(matrix_shape(tuple(one.shape), rows.get(name))) for name, one in tensors.items()}
    )


def load_into_module(module: Any, theta: Weights) -> None:
    """Put weights into the parameters of a module, rounded to their types."""
    torch = imported()
    parameters = named(module)
    if tuple(parameters) != theta.names():
        raise InvalidArgument("theta", f"{theta!r}", "weights of the network of the model")
    for name, one in parameters.items():
        array = np.array(theta[name], dtype=np.float64)
        if array.size != one.numel():
            raise InvalidArgument(
                "theta", f"{name} of shape {array.shape}", f"of as many numbers as {tuple(one.shape)}"
            )
        with torch.no_grad():
            one.copy_(torch.from_numpy(array.reshape(tuple(one.shape))))


def example_of(module: Any, tokens: int, width: int | None) -> Any:
    """Return an input of a module: vectors of a width, of the type of its parameters, or numbers of tokens."""
    torch = imported()
    if width is None:
        return torch.zeros(1, tokens, dtype=torch.int64)
    kinds = [one.dtype for one in module.parameters() if one.is_floating_point()]
    return torch.zeros(1, tokens, width, dtype=kinds[0] if kinds else None)


def imported() -> Any:
    """Return torch."""
    try:
        import torch
        import torch.export
    except ImportError as error:
        raise MissingExtra("torch", "torch") from error
    return torch


def export(torch: Any, module: Any, example: Any, constants: dict[str, Any], value: Any) -> Any:
    """Return the graph of a module in the core operations of torch.

    Raises
    ------
    InvalidArgument
        If it is in training, or torch cannot export it.
    """
    for path, one in module.named_modules():
        drops = getattr(one, "p", 0) or getattr(one, "dropout", 0)
        if one.training and isinstance(drops, float) and drops > 0:
            raise InvalidArgument("module", f"in training, with dropout in {path or 'it'}", "module.eval()")
    arguments = example if isinstance(example, tuple) else ()
    keywords = dict(example) if isinstance(example, Mapping) else {}
    if not isinstance(example, tuple | Mapping):
        arguments = (example,)
    call = wrapped(torch, module, constants, value)
    try:
        with quiet():
            exported = torch.export.export(call, arguments, keywords, strict=False)
            table = torch.export.default_decompositions()
            for operation in [one for one in table if str(one) in WHOLE]:
                table.pop(operation)
            return exported.run_decompositions(table)
    except Exception as error:
        raise refused(error, None, "which torch.export does not take") from error


def wrapped(torch: Any, module: Any, constants: dict[str, Any], value: Any) -> Any:
    """Return a module whose arguments are those of the example alone, and whose value is one tensor."""

    class Call(torch.nn.Module):  # type: ignore[misc]  # torch is imported when it is used
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, *arguments: Any, **keywords: Any) -> Any:
            output = self.module(*arguments, **keywords, **constants)
            return first_tensor(torch, output) if value is None else value(output)

    return Call().train(module.training)


def first_tensor(torch: Any, output: Any) -> Any:
    """Return the first tensor of what a module returns."""
    if isinstance(output, torch.Tensor):
        return output
    parts = output.values() if isinstance(output, Mapping) else output if isinstance(output, tuple | list) else ()
    for part in parts:
        found = first_tensor(torch, part)
        if found is not None:
            return found
    return None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what torch says while it exports to itself."""
    logger = logging.getLogger("torch")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
