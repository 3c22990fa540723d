"""Values as JSON has them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import algatt
from algatt.plain import plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        ("text", "text"),
        (3, 3),
        (0.5, 0.5),
        (math.inf, None),
        (math.nan, None),
        (np.float64(0.5), 0.5),
        (np.int64(3), 3),
        (np.array([[1.0, -math.inf]]), [[1.0, None]]),
        ((1, [math.nan, "a"]), [1, [None, "a"]]),
        ({"a": {"b": np.arange(2)}}, {"a": {"b": [0, 1]}}),
        (
            algatt.spectra.LinearEnsemble(3, 4, 5, 0.5),
            {"name": "LinearEnsemble", "tokens": 3, "width": 4, "key_dim": 5, "beta": 0.5},
        ),
        (
            algatt.dynamics.ProjectorHead(np.eye(2)[:, :1], 2.0),
            {"name": "ProjectorHead", "basis": [[1.0], [0.0]], "strength": 2.0},
        ),
    ],
    ids=repr,
)
def test_plain_values(value: object, expected: object) -> None:
    assert plain(value) == expected
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == expected
