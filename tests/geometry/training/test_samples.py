"""How many random inputs determine a function."""

from __future__ import annotations

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Embedding, Heads, Linear, Residual, Unembedding
from training_networks import NETWORKS


@pytest.mark.parametrize("width", [1, 3, 5])
def test_linear_maps_by_a_basis(width: int) -> None:
    found = algatt.geometry.samples(algatt.Network(Linear(2), tokens=1, width=width))
    assert (found.lower, found.upper, found.status) == (width, width, "proven")
    assert found.ranks == tuple(2 * number for number in range(1, width + 1))


def test_low_rank_by_counting() -> None:
    """2 x 4 matrices of rank 1 have dimension 5. At N generic vectors the values are N points of a line through 0, in a
    variety of dimension N + 1, so that N = 4 inputs are needed although 3 have 6 numbers.
    """
    found = algatt.geometry.samples(algatt.Network(Linear(1) >> Linear(2), tokens=1, width=4))
    assert (found.dimension, found.ranks, found.lower, found.upper) == (5, (2, 3, 4, 5), 3, 4)
    assert found.status == "probable"


@pytest.mark.parametrize("name", NETWORKS)
def test_ranks_end_at_the_dimension_and_add_less_and_less(name: str) -> None:
    found = algatt.geometry.samples(NETWORKS[name])
    assert found.ranks[-1] == found.dimension == algatt.dimension(NETWORKS[name]).value
    assert len(found.ranks) == found.upper >= found.lower
    steps = [after - before for before, after in zip((0, *found.ranks), found.ranks, strict=False)]
    if name != "relu":  # gates that are closed at one input are open at another
        assert steps == sorted(steps, reverse=True)


def test_sequences_of_tokens() -> None:
    reader = algatt.Network(Embedding(4, 3) >> Residual(Heads(1, width=2)) >> Unembedding(4), tokens=3)
    found = algatt.geometry.samples(reader)
    assert found.ranks[-1] == found.dimension == algatt.dimension(reader).value
    assert found.to_dict()["upper"] == len(found.ranks)
    assert "are enough" in found._repr_html_()


def test_bad_input() -> None:
    with pytest.raises(InvalidArgument, match="arch was 3"):
        algatt.geometry.samples(3)
    with pytest.raises(InvalidArgument, match="seed was -1"):
        algatt.geometry.samples(NETWORKS["linear"], seed=-1)
