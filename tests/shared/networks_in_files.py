"""A network, modules that make it, and what a command prints of it."""

from __future__ import annotations

import json

import pytest

import algatt
from algatt.cli.main import main
from algatt.layers import Causal, Heads, Residual, Unnormalized

NETWORK = algatt.Network(Residual(Heads(1, width=2, score=Unnormalized(), mask=Causal())), tokens=2, width=2)


SOURCE = """
import algatt
from algatt.layers import Causal, Embedding, Feedforward, Heads, Power, Residual, Unembedding, Unnormalized
from sibling import WIDTH

print("this is printed while it is imported")
block = Residual(Heads(1, width=2, score=Unnormalized(), mask=Causal()))
net = algatt.Network(block, tokens=2, width=WIDTH)
lightning = algatt.Lightning((4, 3, 4), (2, 2), 3)
reader = Embedding(3, 2) >> block >> Unembedding(3)
number = 3


class Zoo:
    perceptron = Feedforward(3, Power(2), width=1)
"""


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main([*arguments, "--json"]) == 0
    printed: dict = json.loads(capsys.readouterr().out)
    return printed
