"""What commands print for other programs."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["print_json"]


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout."""
    print(json.dumps(value, indent=2))
