"""Masks, entry by entry: row j, column i says whether query i sees key j."""

import pytest

from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import Causal, Heads, Pattern, Window
from algatt.verbs import mask_matrix


@pytest.mark.parametrize("tokens", [1, 2, 5])
def test_no_token_sees_a_later_one(tokens):
    expected = [[int(key <= query) for query in range(tokens)] for key in range(tokens)]
    assert mask_matrix(Causal(), tokens).tolist() == expected


@pytest.mark.parametrize("tokens", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
def test_a_window_shows_so_many_tokens_itself_included(tokens, size):
    expected = [[int(query - size < key <= query) for query in range(tokens)] for key in range(tokens)]
    assert mask_matrix(Window(size), tokens).tolist() == expected


def test_a_pattern_is_its_matrix():
    rows = [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert mask_matrix(Pattern(rows), 3).tolist() == rows
    assert Pattern(rows) == Pattern(tuple(map(tuple, rows)))


@pytest.mark.parametrize("rows", [[], [[1, 0]], [[1, 2], [1, 1]], [[1], [1, 1]], "ab", 3, [["a"]]])
def test_what_is_no_square_matrix_of_0_and_1(rows):
    with pytest.raises(InvalidArgument, match=r"^rows was .*; it should be a square matrix of 0 and 1$"):
        Pattern(rows)


def test_what_hides_all_tokens_or_does_not_fit():
    with pytest.raises(InvalidArgument) as told:
        Pattern([[1, 0], [1, 0]])
    should = "a mask that shows at least one token to each token"
    assert str(told.value) == f"rows was a mask that hides all tokens from token 1; it should be {should}"
    with pytest.raises(InvalidArgument) as told:
        Network(Heads(1, mask=Pattern([[1, 1], [0, 1]])), tokens=3, width=2)
    assert str(told.value) == "mask was for 2 tokens; it should be for the 3 tokens of the network"
    with pytest.raises(InvalidArgument, match=r"^size was 0; it should be an integer >= 1$"):
        Window(0)
