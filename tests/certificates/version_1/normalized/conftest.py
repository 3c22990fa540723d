"""Claims of a certificate with a real minor, and of one modulo a prime."""

from __future__ import annotations

import json

import pytest

import algatt
from claims import RATIONAL, SOFTMAX, Claims
from old_certificates import old_certificate


@pytest.fixture(scope="module")
def softmax() -> Claims:
    return json.loads(old_certificate(SOFTMAX, field=algatt.Balls()).to_json())["claims"]


@pytest.fixture(scope="module")
def rational() -> Claims:
    return json.loads(old_certificate(RATIONAL).to_json())["claims"]
