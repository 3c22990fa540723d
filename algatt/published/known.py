"""Configs of models that come with the package."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import Any

CONFIGS = Path(__file__).with_name("configs")
"""Folder of the configs: a JSON file for each model, with its name, source, number of parameters and config."""


def known_models() -> tuple[str, ...]:
    """Return the names of the models whose configs come with the package, as `read` and `parameters` take them.

    Examples
    --------
    >>> import algatt
    >>> [name for name in algatt.published.known_models() if name.startswith("llama")]
    ['llama-2-7b', 'llama-3-1-8b', 'llama-3-2-1b', 'llama-3-8b']
    """
    return tuple(sorted(path.stem.replace("_", "-") for path in CONFIGS.glob("*.json")))


def config_of_name(source: Any) -> Path | None:
    """Return the file of the config of a model by its name, None if there is a file of that name or no such model.

    Case, dots, and what stands before a slash do not matter: ``Qwen/Qwen2.5-7B`` is ``qwen2-5-7b``.
    """
    if not isinstance(source, str) or os.path.exists(source):
        return None
    path = CONFIGS / f"{plain(source)}.json"
    return path if path.is_file() else None


def similar_models(name: str) -> list[str]:
    """Return the names of models that are spelled like one."""
    return difflib.get_close_matches(plain(name).replace("_", "-"), known_models(), n=3)


def plain(name: str) -> str:
    """Return the name of a model in lower case, its parts separated by underscores."""
    return re.sub(r"[^a-z0-9]+", "_", name.rpartition("/")[2].lower())
