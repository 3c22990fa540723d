"""HMK Corollary 3.8 (Eq 14): interior widths equal to delta <= d_0, d_l, ranks of at least two and at least
two tokens.
"""

import pytest

import algatt


def equation_14(dims, ranks, delta):
    layers = list(zip(dims, dims[1:], ranks, strict=False))
    alphas = [min(a, d) for d, _, a in layers]
    total = sum(alpha * (2 * d - alpha) + d * e for alpha, (d, e, _) in zip(alphas, layers, strict=True))
    return total - (len(layers) - 1) * delta**2 - len(layers)


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"),
    [
        ((2, 2, 2), (2, 2), 2),
        ((3, 2, 3), (2, 2), 2),
        ((3, 2, 3), (3, 2), 3),
        ((4, 3, 4), (2, 2), 3),
        ((3, 3, 3), (2, 3), 2),
        ((4, 2, 3), (2, 4), 3),
        ((2, 2, 5), (3, 2), 2),
        ((3, 1, 3), (2, 2), 3),
        ((3, 3, 3, 3), (2, 2, 2), 2),
        ((4, 2, 2, 3), (2, 3, 2), 3),
        ((3, 1, 1, 3), (2, 2, 2), 3),
    ],
)
def test_the_dimension_is_that_of_equation_14(plain, dims, ranks, tokens):
    report = algatt.dimension(algatt.Lightning(dims, ranks, tokens))
    assert report.status == "proven"
    assert report.value == equation_14(dims, ranks, dims[1]) == plain.dimension(dims, ranks, tokens)
    assert report.formula == report.value
    assert report.formula_source.startswith("HMK Corollary 3.8")


@pytest.mark.parametrize(("a", "published"), [(2, 49), (3, 58), (4, 61)])
def test_the_published_dimensions_of_three_layers(plain, a, published):
    dims, ranks = (4, 4, 4, 4), (a, a, a)
    assert equation_14(dims, ranks, 4) == published
    assert algatt.dimension(algatt.Lightning(dims, ranks, 3)).value == published == plain.dimension(dims, ranks, 3)


def test_the_published_dimension_at_rank_one_is_right_without_being_covered(plain):
    # The paper plots 34 for a = 1. A symmetric part k q^T + q k^T has 2 d - 1 dimensions, as many as k q^T: so nothing
    # is lost here.
    arch = algatt.Lightning((4, 4, 4, 4), (1, 1, 1), 3)
    assert equation_14(arch.dims, arch.ranks, 4) == 34
    assert algatt.dimension(arch).value == plain.dimension(arch.dims, arch.ranks, 3) == 34
    assert algatt.expected_dimension(arch) is None


@pytest.mark.parametrize(
    ("dims", "ranks", "truth", "formula"),
    [
        # After a layer of rank one all tokens are parallel: a later A_i counts by its symmetric part, of dimension 15
        # instead of 21 for d = 5, a = 3.
        ((5, 5, 5), (1, 3), 47, 53),
        # Here 2 (2 d - 2 a + 1) = 10 instead of a (2 d - a) = 12 in the second layer.
        ((4, 4, 4), (1, 2), 31, 33),
    ],
)
def test_rank_one_before_the_last_layer_loses_dimensions(plain, dims, ranks, truth, formula):
    arch = algatt.Lightning(dims, ranks, 3)
    assert equation_14(dims, ranks, dims[1]) == formula
    assert algatt.dimension(arch).value == plain.dimension(dims, ranks, 3) == truth
    assert algatt.expected_dimension(arch) is None


@pytest.mark.parametrize(("dims", "deltas"), [((2, 3, 2), (3,)), ((3, 4, 3), (4,)), ((4, 3, 2, 4), (3, 2))])
def test_interior_widths_that_are_wider_than_the_ends_or_unequal_are_not_covered(plain, dims, deltas):
    arch = algatt.Lightning(dims, (2,) * (len(dims) - 1), 3)
    truth = plain.dimension(arch.dims, arch.ranks, 3)
    assert algatt.dimension(arch).value == truth
    assert truth not in {equation_14(arch.dims, arch.ranks, delta) for delta in deltas}
    assert algatt.expected_dimension(arch) is None


def test_a_wide_interior_layer_fills_the_space_of_virtual_weights(plain):
    # dims (2, 3, 2), ranks (2, 2): M_1, M_2 and L are any 2 x 2 matrices, of which the torus of Eq 13 removes 2: 4 + 4
    # + 4 - 2.
    assert plain.dimension((2, 3, 2), (2, 2), 3) == algatt.dimension(algatt.Lightning((2, 3, 2), (2, 2), 3)).value == 10
    assert equation_14((2, 3, 2), (2, 2), 3) == 13


def test_one_token_loses_dimensions(plain):
    arch = algatt.Lightning((3, 3, 3), (3, 3), 1)
    truth = plain.dimension(arch.dims, arch.ranks, 1)
    assert algatt.dimension(arch).value == truth < equation_14(arch.dims, arch.ranks, 3)
    assert algatt.expected_dimension(arch) is None
