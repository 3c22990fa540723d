"""The published models of algatt/published/configs: their configs, and how many parameters they have."""

from __future__ import annotations

import json
from typing import Any

from algatt.layers import Heads
from algatt.layers.base import layout
from algatt.published import read
from algatt.published.known import CONFIGS

FOLDER = CONFIGS

NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def model(name: str) -> dict[str, Any]:
    """Return what a file says of a model."""
    described: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return described


def config(name: str) -> dict[str, Any]:
    """Return the fields of a config."""
    fields: dict[str, Any] = model(name)["config"]
    return fields


def heads_of(fields: dict[str, Any]) -> list[Heads]:
    """Return the attention of each block of the network of a config."""
    return [node.layer for node in layout(read(fields).layers).walk() if isinstance(node.layer, Heads)]
