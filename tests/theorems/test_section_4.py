"""HMK section 4, an outlook: networks with skip connections and several heads, derived here and by exact ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.layers import Heads, Parallel, Residual, Unnormalized


def head(d, a, score=None):
    return Heads(1, width=a, value_width=d, output=False, score=score or Unnormalized())


def of(layers, d, tokens=2):
    return algatt.Network(layers, tokens=tokens, width=d)


def chain(layer, times):
    layers = layer
    for _ in range(times - 1):
        layers = layers >> layer
    return layers


@pytest.mark.parametrize(("d", "a"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 4), (4, 2)])
@pytest.mark.parametrize("tokens", [2, 3])
def test_one_layer_with_a_skip_connection_has_the_dimension_of_corollary_3_3(d, a, tokens):
    report = algatt.dimension(of(Residual(head(d, a)), d, tokens))
    alpha = min(a, d)
    assert (report.value, report.status) == (alpha * (2 * d - alpha) + d * d - 1, "proven")
    assert report.value == algatt.expected_dimension(algatt.Lightning((d, d), (a,), tokens))


@pytest.mark.parametrize(("layers", "expected"), [(1, 16), (2, 32), (3, 48)])
def test_each_layer_with_a_skip_connection_keeps_its_rescaling(layers, expected):
    report = algatt.dimension(of(chain(Residual(head(3, 2)), layers), 3))
    assert (report.value, report.status) == (expected, "proven")
    scales = [family.removes for family in report.symmetries if family.name.endswith("scale")]
    assert scales == [1] * layers


@pytest.mark.parametrize("layers", [1, 2])
def test_the_rescaling_leaves_the_function_as_it_was(layers):
    """By numpy: X + V X X^T A X with (s A, V / s)."""
    rng = np.random.default_rng(0)
    X = rng.integers(-5, 6, (3, 2)) * Fraction(1)
    moved = X
    for _ in range(layers):
        A, V = (rng.integers(-5, 6, (3, 3)) * Fraction(1) for _ in range(2))
        s = Fraction(int(rng.integers(2, 7)), 11)
        X = X + V @ X @ X.T @ A @ X
        moved = moved + (V / s) @ moved @ moved.T @ (s * A) @ moved
    assert (moved == X).all()


def test_a_skip_connection_breaks_the_interlayer_gauge():
    without = algatt.dimension(of(chain(head(3, 2), 2), 3))
    assert without.value == algatt.expected_dimension(algatt.Lightning((3, 3, 3), (2, 2), 2)) == 32 - 9


@pytest.mark.parametrize(("layers", "expected"), [(1, 17), (2, 34)])
def test_softmax_has_no_rescaling(layers, expected):
    softmax = Heads(1, width=2, value_width=3, output=False)
    report = algatt.dimension(of(chain(Residual(softmax), layers), 3))
    assert (report.value, report.status) == (expected, "proven")


@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize(("d", "heads"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2)])
def test_heads_mix_where_scores_are_not_normalised(d, heads, skip):
    """The bound from above is the dimension of the matrices of d^2 rows and columns of rank at most h."""
    layers = Parallel(*[head(d, d)] * heads) if heads > 1 else head(d, d)
    report = algatt.dimension(of(Residual(layers) if skip else layers, d, tokens=3))
    assert report.lower == heads * (2 * d * d - heads)


@pytest.mark.parametrize("heads", [2, 3])
def test_a_mixture_of_heads_has_the_same_function(heads):
    """By numpy: GL(h) on the V_h, its inverse transposed on the A_h."""
    rng = np.random.default_rng(1)
    C = np.triu(rng.integers(1, 4, (heads, heads)))
    C[0, 0], C[np.diag_indices(heads)] = 1, 1  # so that the inverse has integers
    D = np.rint(np.linalg.inv(C)).astype(int).T
    A, V = (rng.integers(-5, 6, (heads, 3, 3)) for _ in range(2))
    X = rng.integers(-5, 6, (3, 2))

    def value(A, V):
        return sum(v @ X @ X.T @ a @ X for a, v in zip(A, V, strict=True))

    moved = value(np.einsum("hk,kij->hij", D, A), np.einsum("hk,kij->hij", C, V))
    assert (moved == value(A, V)).all()
    assert not (np.eye(heads) == C).all()


def test_softmax_heads_do_not_mix():
    softmax = Heads(1, width=3, value_width=3, output=False)
    report = algatt.dimension(of(Parallel(softmax, softmax), 3))
    assert (report.value, report.status) == (2 * (3 * 6 + 9) - 2 * 9, "proven")


@pytest.mark.parametrize(("heads", "expected"), [(2, 2 * 16), (3, 3 * (9 + 9 - 3))])
def test_heads_of_small_ranks_mix_where_a_space_of_matrices_has_many_singular_ones(heads, expected):
    """Lines of singular matrices in a plane of 3 x 3 matrices are 3 points, in a space of three a curve."""
    report = algatt.dimension(of(Residual(Parallel(*[head(3, 2)] * heads)), 3))
    assert report.lower == expected
