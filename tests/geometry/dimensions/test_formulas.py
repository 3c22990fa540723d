"""The closed formulas: values from the paper, hypotheses exactly where they hold."""

from __future__ import annotations

import pytest

import algatt


def eq_7(d: int, e: int, a: int) -> int:
    alpha = min(a, d)
    return 2 * d * alpha - alpha**2 + d * e - 1


def eq_14(dims: tuple[int, ...], ranks: tuple[int, ...]) -> int:
    layers = len(ranks)
    alphas = [min(a, d) for a, d in zip(ranks, dims, strict=False)]
    per_layer = sum(alpha * (2 * d - alpha) + d * e for alpha, d, e in zip(alphas, dims, dims[1:], strict=False))
    return per_layer - (layers - 1) * dims[1] ** 2 - layers


@pytest.mark.parametrize(("d", "e", "a", "t"), [(2, 1, 2, 2), (3, 3, 1, 2), (4, 2, 3, 5), (5, 5, 9, 3)])
def test_one_layer_is_eq_7(d: int, e: int, a: int, t: int) -> None:
    assert algatt.expected_dimension(algatt.Lightning((d, e), (a,), t)) == eq_7(d, e, a)


@pytest.mark.parametrize("a", [2, 3, 4])
def test_deep_published_values(a: int) -> None:
    """The settings of the authors' public script: l = 3, d = 4, t = 3 (HMK, Section 4)."""
    published = {2: 49, 3: 58, 4: 61}
    arch = algatt.Lightning((4, 4, 4, 4), (a, a, a), 3)
    assert algatt.expected_dimension(arch) == published[a] == eq_14((4, 4, 4, 4), (a, a, a))


def test_whitney_umbrella_has_dimension_five() -> None:
    """Figure 1: d = 2, d' = 1, a = 2."""
    assert algatt.expected_dimension(algatt.Lightning((2, 1), (2,), 2)) == 5


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"),
    [
        ((4, 4), (2,), 1),  # one token
        ((4, 3, 4), (2, 2), 1),  # one token, deep
        ((4, 3, 4), (1, 2), 3),  # a rank of one
        ((4, 5, 4), (2, 2), 3),  # no bottleneck
        ((3, 4, 5), (2, 2), 3),  # wider than the input
        ((5, 4, 3), (2, 2), 3),  # wider than the output
        ((4, 2, 3, 4), (2, 2, 2), 3),  # unequal interior widths
    ],
)
def test_no_theorem_outside_the_hypotheses(dims: tuple[int, ...], ranks: tuple[int, ...], tokens: int) -> None:
    arch = algatt.Lightning(dims, ranks, tokens)
    assert algatt.expected_dimension(arch) is None
    assert not any(formula.theorem for formula in algatt.geometry.formulas(arch))


# Dimensions found without the package: ranks by FLINT of Jacobians by the product rule (`PlainIntegers.dimension` in
# tests/theorems/conftest.py).
RANKS_OF_THE_PLAIN_IMPLEMENTATION = [
    # An interior layer is wider than what later layers read: d_i > 2 a_{i+1} + d_{i+1}.
    ((6, 4, 1), (2, 1), 3, 35),
    ((4, 5, 2), (2, 1), 2, 25),
    ((5, 6, 1), (1, 1), 3, 21),
    ((5, 5, 1), (3, 1), 3, 33),
    ((6, 6, 4, 1), (2, 2, 1), 2, 54),
    ((4, 6, 6, 2), (2, 1, 1), 3, 31),
    # An interior layer is wider than what reaches it.
    ((2, 3, 2), (2, 2), 3, 10),
    ((3, 5, 1), (3, 2), 2, 18),
    # The tokens are parallel after a layer of rank one.
    ((5, 5, 5), (1, 3), 3, 47),
    ((4, 2, 4), (1, 3), 2, 20),
    ((3, 3, 3, 3), (2, 1, 2), 2, 25),
    # One token.
    ((4, 4), (2,), 1, 25),
    ((4, 4), (4,), 1, 25),
    ((3, 2), (1,), 1, 10),
    ((4, 3, 4), (2, 2), 1, 29),
    ((5, 4, 1), (2, 1), 1, 26),
    ((3, 3, 3), (1, 1), 1, 17),
    ((2, 4, 3), (3, 1), 1, 10),
    ((4, 4, 4, 4), (2, 2, 2), 1, 43),
]


@pytest.mark.parametrize(("dims", "ranks", "tokens", "rank"), RANKS_OF_THE_PLAIN_IMPLEMENTATION)
def test_the_derived_formula_gives_ranks_that_were_found_without_the_package(
    dims: tuple[int, ...], ranks: tuple[int, ...], tokens: int, rank: int
) -> None:
    (formula,) = algatt.geometry.formulas(algatt.Lightning(dims, ranks, tokens))
    assert formula.value == rank
    assert not formula.theorem
    assert "conjecture" in formula.source


@pytest.mark.parametrize(
    ("width", "read"), [((6, 4, 1), (6, 3, 1)), ((5, 9, 2), (5, 4, 2)), ((4, 6, 6, 2), (4, 6, 4, 2))]
)
def test_a_width_that_is_not_read_counts_like_the_width_that_is(width: tuple[int, ...], read: tuple[int, ...]) -> None:
    """With d_i linear forms for 2 a_{i+1} + d_{i+1} that are read, the functions are those of the narrower network."""
    values = {
        formula.value
        for dims in (width, read)
        for formula in algatt.geometry.formulas(algatt.Lightning(dims, (2,) + (1,) * (len(dims) - 2), 3))
    }
    assert len(values) == 1


@pytest.mark.parametrize(("d", "e", "a"), [(2, 1, 1), (3, 2, 2), (4, 4, 1), (5, 3, 2), (3, 1, 4)])
def test_one_token_counts_symmetric_matrices(d: int, e: int, a: int) -> None:
    """x -> (x^T S x) V x: S is a sum of `a` products of two linear forms, so symmetric of rank at most 2 a, and scales
    against V.
    """
    rank = min(2 * a, d)
    symmetric = rank * (2 * d - rank + 1) // 2
    (formula,) = algatt.geometry.formulas(algatt.Lightning((d, e), (a,), 1))
    assert formula.value == symmetric + d * e - 1


@pytest.mark.parametrize(("dims", "ranks"), [((5, 3, 5), (2, 4)), ((4, 2, 2, 6), (3, 2, 5)), ((4, 4), (3,))])
def test_the_derived_formula_extends_the_theorems(dims: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    formulas = algatt.geometry.formulas(algatt.Lightning(dims, ranks, 3))
    assert len({formula.value for formula in formulas}) == 1
    assert [formula.theorem for formula in formulas] == [True, False]
