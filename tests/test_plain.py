"""Values as JSON has them."""

from __future__ import annotations

import json
import math
from fractions import Fraction

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
        (Fraction(-1, 3), "-1/3"),
        (frozenset({2, 1}), [1, 2]),
        (np.longdouble("inf"), None),
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


@pytest.mark.parametrize(
    ("value", "result", "description"),
    [
        (math.inf, None, "inf"),
        ([-math.inf], [None], ["-inf"]),
        (np.array([math.nan]), [None], ["nan"]),
        ({"a": np.float32(math.inf)}, {"a": None}, {"a": "inf"}),
        (0.5, 0.5, 0.5),
        (
            algatt.layers.Exponential(2),
            {"name": "Exponential", "temperature": 2},
            {"name": "Exponential", "temperature": "2"},
        ),
    ],
    ids=repr,
)
def test_results_have_null_and_descriptions_have_text(value: object, result: object, description: object) -> None:
    assert (plain(value), plain(value, exactly=True)) == (result, description)


def test_a_result_that_json_does_not_have_is_not_made_text() -> None:
    """A program that writes a result is told: only a description has to have some text for everything."""
    with pytest.raises(TypeError):
        json.dumps(plain({"a": 1j}))
    assert plain({"a": 1j}, exactly=True) == {"a": "1j"}
