"""Where configs come from: files, folders of models, files that describe a model with its config, and mappings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algatt.published.fields import values_of
from algatt.published.known import config_of_name


def config_of(source: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return what a model is called, empty if that is not known, and the fields of its config.

    Parameters
    ----------
    source : path or mapping
        A config; the name of a model whose config comes with the package; a folder with a ``config.json``; or what has
        the config in the field ``config``, beside the name of the model in ``model``.

    Raises
    ------
    InvalidArgument
        If it is none of these.
    """
    if (known := config_of_name(source)) is not None:
        source = known
    elif isinstance(source, str | os.PathLike) and Path(source).is_dir():
        source = Path(source) / "config.json"
    values = values_of(source)
    inner = values.get("config")
    if "model_type" in values or not isinstance(inner, Mapping):
        return "", values
    name = values.get("model")
    return name if isinstance(name, str) else "", dict(inner)
