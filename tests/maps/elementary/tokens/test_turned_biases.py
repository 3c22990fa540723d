"""Biases of queries and keys that rotary positions turn, in networks that read tokens."""

from __future__ import annotations

import algatt
from algatt.layers import Embedding, Heads, Residual, Rotary, Unembedding


def test_dimension_by_the_formulas_of_its_components() -> None:
    """A change of basis of the stream, a complex number for the one frequency, GL(2) of the values; turned biases are
    seen.
    """
    heads = Heads(1, position=Rotary(layout="halves"), biases="QK")
    net = algatt.Network(Embedding(4, 2) >> Residual(heads) >> Unembedding(4), tokens=2)
    report = algatt.dimension(net)
    assert (report.status, net.parameters - report.lower) == ("proven", 2**2 + 2 + 2**2)
