"""Convolutions along the tokens (arXiv 2312.00752, section 3.4), against that of numpy."""

import numpy as np
import pytest

from algatt.errors import InvalidArgument
from algatt.layers import DepthwiseConvolution

X = np.array([[1, -2, 3, 5], [4, 0, -1, 2]])


@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_each_row_is_convolved_with_its_own_kernel(is_value, size):
    W = np.random.default_rng(size).integers(-9, 9, (2, size))
    expected = np.array([np.convolve(row, kernel[::-1])[:4] for row, kernel in zip(X, W, strict=True)])
    is_value(DepthwiseConvolution(size, bias=False), {"convolution.W": W}, X, expected)
    b = np.array([[7], [-3]])
    is_value(DepthwiseConvolution(size), {"convolution.W": W, "convolution.b": b}, X, expected + b)


def test_what_is_no_size_is_refused():
    with pytest.raises(InvalidArgument, match=r"^size was 0; it should be an integer >= 1$"):
        DepthwiseConvolution(0)
    with pytest.raises(InvalidArgument, match=r"^bias was 1; it should be True or False$"):
        DepthwiseConvolution(2, bias=1)
