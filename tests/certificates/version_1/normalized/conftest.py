"""Claims of a certificate with a real minor, and of one modulo a prime."""

from __future__ import annotations

import json

import pytest

import algatt
from claims import RATIONAL, SOFTMAX, Claims


@pytest.fixture(scope="module")
def softmax() -> Claims:
    return json.loads(algatt.certify(SOFTMAX, field=algatt.Balls()).to_json())["claims"]


@pytest.fixture(scope="module")
def rational() -> Claims:
    return json.loads(algatt.certify(RATIONAL).to_json())["claims"]
