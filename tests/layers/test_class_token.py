"""Tokens that are no part of the input."""

import pytest

import algatt
from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import ClassToken, Linear, MaskToken

X = [[5, 6], [7, 8], [9, 10]]
C = [[1], [2], [3]]


def test_the_class_token_stands_before_all_others(is_value):
    is_value(ClassToken(), {"class_token.c": C}, X, [[1, 5, 6], [2, 7, 8], [3, 9, 10]])


def test_it_may_have_a_position(is_value):
    tensors = {"class_token.c": C, "class_token.p": [[10, 20, 30]]}
    is_value(ClassToken(position=True), tensors, X, [[11, 5, 6], [22, 7, 8], [33, 9, 10]])
    with pytest.raises(InvalidArgument, match="position was 2; it should be True or False"):
        ClassToken(position=2)


def test_of_a_token_and_its_position_the_sum_is_seen():
    net = Network(ClassToken(position=True) >> Linear(2), tokens=1, width=2)
    report = algatt.dimension(net)
    assert (report.status, report.lower, report.upper) == ("proven", 6, 6)  # 2 x 2 numbers, and the token behind them


def test_the_mask_token_is_not_read(is_value):
    is_value(MaskToken(), {"mask_token.m": C}, X, X)
    net = Network(MaskToken() >> Linear(2), tokens=2, width=3)
    report = algatt.dimension(net)
    assert (net.parameters, report.status, report.lower, report.upper) == (9, "proven", 6, 6)
    assert algatt.symmetry.symbolic_symmetries(net).upper == 6
