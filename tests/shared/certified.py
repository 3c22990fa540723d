"""Certificates of networks, as their claims."""

from __future__ import annotations

import json
from typing import Any

import algatt


def claims_of(network: Any, **options: Any) -> Any:
    """Return the claims of a certificate as they are in its file."""
    return json.loads(algatt.certify(network, **options).to_json())["claims"]
