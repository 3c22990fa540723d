"""Tokens: uniform on the sphere, the same everywhere, with given angles, of unit length."""

import hashlib

import numpy as np
import pytest
from scipy import stats

import algatt
from algatt.dynamics import equiangular_tokens, normalised, random_tokens


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 7])
def test_random_tokens_are_unit_vectors_and_uniform(dimension):
    tokens = random_tokens(4000, dimension, seed=3)
    assert tokens.shape == (dimension, 4000)
    assert np.abs(np.linalg.norm(tokens, axis=0) - 1).max() < 1e-15 * 10
    if dimension == 1:
        return
    direction = np.ones(dimension) / np.sqrt(dimension)
    # The projection t of a uniform point has the density (1 - t^2)^((d - 3) / 2): (1 + t) / 2 is Beta((d - 1) / 2, (d -
    # 1) / 2).
    for axis in (direction, np.eye(dimension)[0], np.eye(dimension)[-1]):
        projections = (1 + axis @ tokens) / 2
        assert stats.kstest(projections, stats.beta((dimension - 1) / 2, (dimension - 1) / 2).cdf).pvalue > 1e-3


def test_the_first_token_is_what_the_stream_says():
    # In dimension 2 the token is the square of the first point of the stream that is in the disc, as a complex number
    # of length 1.
    digest = hashlib.shake_256(b"algatt/1/0/tokens/directions").digest(1600)
    words = [int.from_bytes(digest[k : k + 8], "little") >> 11 for k in range(0, 1600, 8)]
    points = [complex(2 * u / 2**53 - 1, 2 * v / 2**53 - 1) for u, v in zip(words[::2], words[1::2], strict=True)]
    first = next(point for point in points if abs(point) < 1)
    expected = (first / abs(first)) ** 2
    assert np.allclose(random_tokens(1, 2)[:, 0], [expected.real, expected.imag], atol=1e-15)


def test_seeds_name_tokens():
    assert np.array_equal(random_tokens(5, 3, seed=1), random_tokens(5, 3, seed=1))
    assert not np.array_equal(random_tokens(5, 3, seed=1), random_tokens(5, 3, seed=2))


@pytest.mark.parametrize(
    ("n", "d", "g"), [(2, 2, 0.0), (5, 7, 0.3), (4, 4, -1 / 3), (6, 6, -0.19), (3, 3, 1.0), (1, 1, 0.5)]
)
def test_equiangular_tokens_have_their_angles(n, d, g):
    tokens = equiangular_tokens(n, d, g)
    assert tokens.shape == (d, n)
    assert np.allclose(tokens.T @ tokens, (1 - g) * np.eye(n) + g * np.ones((n, n)), atol=1e-14) or n == 1
    assert np.allclose(np.linalg.norm(tokens, axis=0), 1, atol=1e-15 * 10)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_normalising_survives_any_scale(scale):
    tokens = np.random.default_rng(0).standard_normal((3, 6)) * scale
    assert np.abs(np.linalg.norm(normalised(tokens), axis=0) - 1).max() < 1e-15 * 10


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: random_tokens(0, 3), "count was 0"),
        (lambda: random_tokens(3, 0), "dimension was 0"),
        (lambda: random_tokens(3, 3, seed=-1), "seed was -1"),
        (lambda: equiangular_tokens(4, 3, 0.0), "dimension was 3; it should be at least the number 4"),
        (lambda: equiangular_tokens(4, 4, -0.5), "cosine was -0.5"),
        (lambda: equiangular_tokens(4, 4, 1.5), "cosine was 1.5"),
        (lambda: normalised([[0.0, 1.0], [0.0, 1.0]]), "a zero column 0"),
    ],
)
def test_bad_arguments(make, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        make()
