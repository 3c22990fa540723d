"""Networks that files hold: a Python file with the name of a network in it, a description in JSON, or a config."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import algatt
from algatt.cli.parser import Parser, suggestion
from algatt.errors import InvalidArgument
from algatt.files import shorten
from algatt.layers import Layer

SOURCE = (
    "a network in a file: net.py:NAME, package.module:NAME, or net.json; or a layer, with --tokens and --width; or "
    "with --tokens a published model by its name, its config.json, or the folder in which that is; or model.onnx; or "
    "a module of torch, or a function that returns one and an example, in model.py:NAME"
)
"""What the argument is, for the help."""

SHOULD = "net.py:NAME, package.module:NAME, net.json or model.onnx"


def add_width(parser: Parser) -> None:
    """Add the width of an input, which a layer needs to be a network."""
    parser.option("--width D", "width of an input, for a layer from a file that does not begin with an embedding", int)


def network_in(source: str, options: argparse.Namespace) -> algatt.architectures.Architecture:
    """Return the network that a file holds; a layer becomes one for the number of tokens and the width of the options.

    Raises
    ------
    InvalidArgument
        If the file cannot be read or imported, has no such name, or no network under it.
    """
    from algatt.frontends.models import network_of_model
    from algatt.published.known import config_of_name

    path = str(Path(source, "config.json")) if Path(source).is_dir() else source
    found: Any = path
    if config_of_name(path) is not None:
        found = algatt.published.read(path).layers
    elif not path.endswith(".onnx"):
        found = read_description(path) if path.endswith(".json") else import_network(source)
    made = network_of_model(found, options.tokens, options.width)
    if made is not found and isinstance(made, algatt.architectures.Architecture):
        return made
    found = made
    given = {f"--{name}": getattr(options, name) for name in ("tokens", "width") if getattr(options, name) is not None}
    if isinstance(found, Layer):
        if "--tokens" not in given:
            should = f"the number of tokens, such as --tokens 3: {shorten(source)} takes any"
            raise InvalidArgument("--tokens", "not given", should)
        return algatt.Network(found, tokens=options.tokens, width=options.width)
    if not isinstance(found, algatt.architectures.Architecture):
        kind = f"the class {found.__name__}" if isinstance(found, type) else f"of type {type(found).__name__}"
        raise refusal(source, f"which is {kind}", "a network, or a layer with --tokens and --width")
    for name in given:
        raise InvalidArgument(name, "given with a network", "given with a layer only: a network has its own")
    return found


def read_description(path: str) -> Any:
    """Return what a JSON description in a file describes; of the config of a published model, its layers."""
    from algatt.sources.front_door import described, fields_of_file

    fields = fields_of_file(path, "network")
    if isinstance(fields, dict) and "model_type" in fields:
        return algatt.published.read(fields).layers
    return described(fields, path, "network")


def refusal(source: str, was: str, should: str) -> InvalidArgument:
    """Return the error for a file."""
    return InvalidArgument("network", f"{shorten(source)!r}, {was}", should)


def import_network(source: str) -> Any:
    """Return what a module calls by a name."""
    from algatt.published.known import similar_models

    path, colon, name = source.rpartition(":")
    if not colon or not path or not name:
        near = suggestion(source, similar_models(source))
        if source.endswith(".py"):
            raise refusal(source, "a file", f"{shorten(source)}:NAME, with the name of a network or layer in it")
        raise InvalidArgument("network", repr(shorten(source)), f"{SHOULD}, or a name as gpt2{near}")
    module = module_of(source, path)
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            known = [other for other in vars(module) if not other.startswith("_")]
            should = f"the name of a network in it{suggestion(part, known)}"
            raise refusal(source, f"and there is no {shorten(part)} in {shorten(path)}", should)
        value = getattr(value, part)
    return value


def module_of(source: str, path: str) -> ModuleType:
    """Import a module; what it prints goes to stderr, where it is in nobody's way."""
    if path.endswith(".py") and not Path(path).is_file():
        raise refusal(source, f"and there is no file {shorten(path)}", SHOULD)
    with contextlib.redirect_stdout(sys.stderr), importable(str(Path(path).parent) if path.endswith(".py") else ""):
        try:
            return load_module(path) if path.endswith(".py") else importlib.import_module(path)
        except (Exception, SystemExit) as error:
            told = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 120)
            frames = traceback.extract_tb(error.__traceback__)
            at = [one.lineno for one in frames if os.path.realpath(one.filename) == os.path.realpath(path)]
            place = f", line {at[-1]}" if at else ""
            raise refusal(source, f"whose module cannot be imported ({told}{place})", "a module that runs") from error


@contextlib.contextmanager
def importable(folder: str) -> Iterator[None]:
    """Have Python look for modules in a folder, as it does for a program that it runs."""
    sys.path.insert(0, os.path.realpath(folder))
    try:
        yield
    finally:
        sys.path.pop(0)


def load_module(path: str) -> ModuleType:
    """Run a Python file as a module of its name, or of a longer one if there is such a module already."""
    name = Path(path).stem
    while name in sys.modules:
        name += "_"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # where dataclasses look for the names in it
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
