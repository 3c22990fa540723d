"""One way in: whatever holds a network, its weights, or a certificate, as a value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algatt import published
from algatt.architectures import Architecture, Network
from algatt.architectures.attention_of_score import attention_of_score
from algatt.certificates import Certificate
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.checkpoint import load as load_checkpoint
from algatt.checkpoints.comparison import is_model
from algatt.checkpoints.files.folder import NAMES, SUFFIXES
from algatt.checkpoints.files.torch import member_of
from algatt.checkpoints.tensors import FileTensors
from algatt.errors import AlgattError, InvalidArgument, in_words
from algatt.files import parse_json, read_bytes, shorten, told
from algatt.frontends.models import called, network_of_model, weights_of
from algatt.layers import Layer, noun_of
from algatt.parameters import Parameters
from algatt.parameters import load as load_parameters
from algatt.published.known import config_of_name, similar_models
from algatt.sources.loaded import Loaded, lengths_of, lengths_of_config

MOST_BYTES = 2**24
"""Maximum number of bytes of a description, a config or a certificate."""

DESCRIPTION = "a JSON description of a network"

SHOULD = (
    "the path of a checkpoint, of a config.json, of an ONNX file, of a network's JSON, of weights (.npz) or of a "
    "certificate; the name of a known model; or a config, a model, a network, weights, or a certificate"
)
"""What `load` takes."""


def load(
    source: Any,
    *,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    tokens: int | None = None,
    width: int | None = None,
    example: Any = None,
) -> Loaded:
    """Read a network, weights, or a certificate, from whatever holds them.

    Parameters
    ----------
    source : path, str, mapping, or model
        The folder or file of a checkpoint (safetensors, PyTorch, GGUF, CTranslate2, ONNX with a config beside it); a
        ``config.json``, or a folder with nothing else, or its fields; the name of a model in
        `algatt.published.known_models`; a config or a model of the transformers library; a module of torch; an ONNX
        file; a network's description in JSON, or its fields; a file of weights that ``save`` wrote; a certificate; or a
        network, a layer, a `Checkpoint`, weights or a `Certificate` as they are.
    config : path or mapping, optional
        The config of a checkpoint that has none beside it.
    tokens : int, optional
        The number of tokens that the network reads. A layer needs one, a module of torch needs one unless it has an
        example, and weights of attention are those of a network with one. As for `algatt.published.read` and
        `algatt.checkpoints.load` where a config says what else there is.
    width : int, optional
        The width of an input, for a layer that does not begin with an embedding, and for a module of torch that reads
        vectors.
    example : object, optional
        An input of a module of torch, as for `algatt.from_torch`.

    Returns
    -------
    Loaded
        With its `network`, its `weights`, and the `lengths` of inputs that the layers read. It may be given to all
        functions that take a network. What there is not, as the weights of a config, raises an `AttributeError`.

    Raises
    ------
    InvalidArgument
        If nothing reads it, or an option is given that it has no use for.
    CertificateError
        If it is a certificate of another version.
    MissingExtra
        If a package that the format needs is not installed.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.load("gpt2")
    >>> found.kind, found.network.parameters, found.lengths, hasattr(found, "weights")
    ('config', 124439808, (1, 1024), False)
    """
    options = {"config": config, "tokens": tokens, "width": width, "example": example}
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(source, str | os.PathLike):
        return of_path(os.fspath(source), given)
    if isinstance(source, Mapping):
        return of_fields(dict(source), given)
    if isinstance(source, Certificate):
        refuse(given, "a certificate")
        return Loaded("certificate", {"certificate": source})
    if isinstance(source, Checkpoint):
        refuse(given, "a checkpoint that was read")
        return of_checkpoint(source)
    if isinstance(source, Parameters):
        return of_weights(source, given)
    if isinstance(source, Architecture | Layer):
        return of_network(source, given)
    fields = fields_of_transformers(getattr(source, "config", source))
    if fields is not None and example is None:
        return of_transformers(source, fields, given)
    if is_model(source):
        return of_model(source, given)
    raise InvalidArgument("source", in_words(source), SHOULD)


def refuse(given: Mapping[str, Any], what: str, but: tuple[str, ...] = ()) -> None:
    """Raise `InvalidArgument` for an option of which a source makes no use."""
    for name in given:
        if name not in but:
            uses = f"; {' and '.join(but)} may be" if but else ""
            raise InvalidArgument(name, f"given with {what}", f"not given{uses}")


def of_path(path: str, given: Mapping[str, Any]) -> Loaded:
    """Return what a folder or a file holds, or the model of a name."""
    if not os.path.exists(path):
        if config_of_name(path) is None:
            near = similar_models(path)
            hint = f" (similar: {', '.join(near)})" if near else ""
            was = f"{shorten(path)!r}, which is no file, and no name of a known model{hint}"
            raise InvalidArgument("source", was, SHOULD)
        return of_config(path, given)
    config = Path(path, "config.json")
    if config.is_file() and not any(one.name in NAMES or one.suffix in SUFFIXES for one in Path(path).iterdir()):
        return of_config(config, given)
    suffix = "" if Path(path).is_dir() else Path(path).suffix
    if suffix == ".npz":
        return of_weights(load_parameters(path), given)
    if suffix == ".onnx" and is_model(path) and "config" not in given:
        return of_model(path, given)
    if suffix == ".json" and not path.endswith(".index.json"):
        return of_fields(fields_of_file(path, "source"), given, path)
    refuse(given, "a checkpoint", ("config", "tokens"))
    return of_checkpoint(load_checkpoint(path, given.get("config"), tokens=given.get("tokens")))


def fields_of_file(path: str, argument: str) -> Any:
    """Return what the JSON of a file holds."""
    try:
        return parse_json(read_bytes(path, MOST_BYTES))
    except OSError as error:
        was = f"{shorten(path)!r}, which cannot be read ({error.strerror or told(error)})"
        raise InvalidArgument(argument, was, DESCRIPTION) from error
    except ValueError as error:
        raise InvalidArgument(argument, f"{shorten(path)!r}, which {error}", DESCRIPTION) from error


def of_fields(fields: Any, given: Mapping[str, Any], path: str = "") -> Loaded:
    """Return what JSON says: the config of a published model, a certificate, or a network; a config and a certificate
    are those of a file where there is one.
    """
    if isinstance(fields, dict) and "model_type" in fields:
        return of_config(fields, given)
    if isinstance(fields, dict) and "format" in fields and path:
        refuse(given, "a certificate")
        return Loaded("certificate", {"certificate": Certificate.load(path)})
    found = described(fields, path or "a mapping", "source")
    if not isinstance(found, Architecture | Layer):
        raise InvalidArgument("source", f"{shorten(path)!r}, which is JSON of something else", SHOULD)
    return of_network(found, given)


def described(fields: Any, source: str, argument: str) -> Any:
    """Return the network or the layer that a description names."""
    try:
        return noun_of(fields, argument)
    except (ValueError, RecursionError, TypeError) as error:
        if isinstance(error, AlgattError):
            raise
        was = f"{shorten(source)!r}, which is JSON of something else"
        raise InvalidArgument(argument, was, DESCRIPTION) from error


def of_network(found: Architecture | Layer, given: Mapping[str, Any]) -> Loaded:
    """Return a network, or that of a layer for a number of tokens."""
    if isinstance(found, Layer):
        refuse(given, "a layer", ("tokens", "width"))
        if "tokens" not in given:
            raise InvalidArgument("tokens", "not given", "given: a layer is a network for a number of tokens")
        found = Network(found, given["tokens"], given.get("width"))
    else:
        refuse(given, "a network")
    return Loaded("network", {"network": found, "lengths": lengths_of(found)})


def of_config(config: Any, given: Mapping[str, Any]) -> Loaded:
    """Return the network of a published model's config."""
    refuse(given, "a config", ("tokens",))
    network = published.read(config, tokens=given.get("tokens"))
    return Loaded("config", {"network": network, "lengths": lengths_of_config(network, config)})


def of_checkpoint(found: Checkpoint) -> Loaded:
    """Return a checkpoint."""
    lengths = lengths_of_config(found.network, found.config) if found.config else lengths_of(found.network)
    parts = {"network": found.network, "weights": found.weights, "lengths": lengths, "checkpoint": found}
    return Loaded("checkpoint", parts)


def of_weights(theta: Parameters, given: Mapping[str, Any]) -> Loaded:
    """Return weights; those of attention alone are of a network for a number of tokens."""
    refuse(given, "weights", ("tokens",))
    if "tokens" not in given:
        return Loaded("weights", {"weights": theta})
    widths = theta.widths
    if widths is None:
        raise InvalidArgument("tokens", "given with weights that do not tell their layers", "not given")
    network = attention_of_score(widths, theta.ranks or widths[:-1], given["tokens"], None)
    return Loaded("weights", {"network": network, "weights": theta, "lengths": lengths_of(network)})


def of_model(model: Any, given: Mapping[str, Any]) -> Loaded:
    """Return a module of torch, or the graph of an ONNX file, of which inputs have one size."""
    refuse(given, "a model", ("tokens", "width", "example"))
    if callable(model) and not hasattr(model, "named_parameters"):
        model = called(model)  # once, as it may draw its weights
    traced = (model, given["example"]) if "example" in given else model
    network = network_of_model(traced, given.get("tokens"), given.get("width"))
    theta = weights_of(model[0] if isinstance(model, tuple) else model)
    return Loaded("model", {"network": network, "weights": theta, "lengths": lengths_of(network)})


def fields_of_transformers(config: Any) -> dict[str, Any] | None:
    """Return the fields of a config of the transformers library; None for what is none."""
    if isinstance(getattr(config, "model_type", None), str) and callable(getattr(config, "to_dict", None)):
        return dict(config.to_dict())
    return None


def of_transformers(source: Any, fields: dict[str, Any], given: Mapping[str, Any]) -> Loaded:
    """Return a config of the transformers library, or a model with its tensors."""
    if not hasattr(source, "state_dict"):
        return of_config(fields, given)
    refuse(given, "a model of transformers", ("tokens",))
    members = {name: member_of(name, one) for name, one in source.state_dict().items()}
    tensors = FileTensors(type(source).__name__, members)
    return of_checkpoint(load_checkpoint(tensors, fields, tokens=given.get("tokens")))
