"""HMK Corollary 3.3 (Eq 7): one layer and at least two tokens have dimension alpha (2 d - alpha) + d d' - 1, alpha =
min(a, d).
"""

from itertools import product

import pytest

import algatt


def equation_7(d, e, a):
    alpha = min(a, d)
    return alpha * (2 * d - alpha) + d * e - 1


@pytest.mark.parametrize(("d", "e", "a", "t"), list(product((1, 2, 3, 4), (1, 3), (1, 2, 5), (2, 3))))
def test_the_dimension_is_that_of_equation_7(plain, d, e, a, t):
    report = algatt.dimension(algatt.Lightning((d, e), (a,), t))
    assert report.status == "proven"
    assert report.value == equation_7(d, e, a) == plain.dimension((d, e), (a,), t)
    assert report.formula == report.value
    covered = a > 1 or e > 1  # the corollary asks for it; what is derived beyond is named otherwise
    assert report.formula_source == ("HMK Corollary 3.3 (Eq 7)" if covered else "derived from HMK Theorem 3.2, as Eq 7")


@pytest.mark.parametrize("d", [2, 3, 4])
def test_with_both_ranks_one_there_are_two_orbits_and_the_same_dimension(plain, d):
    """q (k . x)(h . x): the d entries of q, products of two linear forms (2 d - 1), less a factor between the two."""
    arch = algatt.Lightning((d, 1), (1,), 2)
    assert plain.dimension((d, 1), (1,), 2) == d + (2 * d - 1) - 1 == equation_7(d, 1, 1)
    fiber = algatt.fiber(arch, algatt.sample(arch, algatt.AttentionMatrix))
    assert (fiber.dimension, fiber.components) == (1, 2)
    assert algatt.geometry.formulas(arch)[0].theorem


def test_the_dimension_does_not_grow_with_the_rank_beyond_the_width(plain):
    # alpha, not a, is in the formula: with a = 5 in place of alpha = 3 it would say 5 (6 - 5) + 6 - 1 = 10.
    assert algatt.dimension(algatt.Lightning((3, 2), (5,), 2)).value == equation_7(3, 2, 3) == 14


@pytest.mark.parametrize(
    ("d", "e", "a", "symmetric"), [(3, 2, 2, 6), (3, 2, 3, 6), (2, 3, 2, 3), (4, 1, 2, 10), (5, 2, 2, 14)]
)
def test_with_one_token_only_the_symmetric_part_of_the_scores_is_seen(plain, d, e, a, symmetric):
    # x^T A x sees A + A^T: all symmetric matrices if 2 a >= d, of dimension d (d + 1) / 2, those of rank <= 2 a
    # otherwise: 2 a d - a (2 a - 1).
    arch = algatt.Lightning((d, e), (a,), 1)
    truth = plain.dimension((d, e), (a,), 1)
    assert truth == symmetric + d * e - 1
    assert truth < equation_7(d, e, a)
    assert algatt.dimension(arch).value == truth
    assert algatt.expected_dimension(arch) is None


def test_deep_networks_are_not_covered(plain):
    # Eq 7 for each layer, added up, is too large: the layers share a basis.
    dims, ranks = (3, 2, 3), (2, 2)
    added = equation_7(3, 2, 2) + equation_7(2, 3, 2)
    assert plain.dimension(dims, ranks, 2) == algatt.dimension(algatt.Lightning(dims, ranks, 2)).value == added - 2 * 2
