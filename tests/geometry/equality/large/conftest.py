"""A small Llama with a point of its weights."""

from __future__ import annotations

import pytest

import algatt
from algatt import Reals, Weights
from scaled_points import network


@pytest.fixture(scope="module")
def llama():
    return network("llama_3_8b")


@pytest.fixture(scope="module")
def theta(llama):
    return algatt.sample(llama, Weights, field=Reals(), seed=2)
