"""Spaces of polynomials: what an array is for any weights lies in its space, whatever was computed."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt.fields import Elements, PrimeField, concatenate
from algatt.fields.spans import Form, Spanned, Spans
from algatt.linalg import rank

FIELD = PrimeField()

SIZE, TOKENS = 2, 3

Program = Callable[[Elements, Elements, Elements, Elements], Elements]
"""A computation with weights W (2 x 2), b (2 x 1), G (3 x 3), and an input X (2 x 3)."""


def random(shape: tuple[int, ...], seed: int) -> Elements:
    """Return a random array of residues."""
    return Elements.of(FIELD, np.random.default_rng(seed).integers(0, FIELD.p, shape))


def over_spans(program: Program, field: Spans) -> Spanned:
    """Return the space of the values of a computation."""
    W, b, G = (Elements(field, field.tensor(shape)) for shape in ((SIZE, SIZE), (SIZE, 1), (TOKENS, TOKENS)))
    result: Spanned = program(W, b, G, Elements(field, field.input((SIZE, TOKENS)))).raw
    return result


def at(form: Form, X: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Return a form at an input, as a matrix of integers."""
    total = np.zeros(shape, dtype=object)
    for (i, j, monomial), value in form.items():
        term = int(value.numerator) * pow(int(value.denominator), -1, FIELD.p)
        for variable in monomial:
            term = term * int(X.flat[variable]) % FIELD.p
        total[i, j] = (total[i, j] + term) % FIELD.p
    return total


def members(value: Spanned, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """Return the values at inputs of matrices that span a space."""
    rows, columns = value.sizes
    found = []
    for (down, across), forms in value.moving.items():
        for form in forms:
            for i, j in itertools.product(range(rows) if down else (None,), range(columns) if across else (None,)):
                values = []
                for X in inputs:
                    M = at(form, X, (1 if down else rows, 1 if across else columns))
                    whole = np.zeros((rows, columns), dtype=object)
                    whole[slice(None) if i is None else i, slice(None) if j is None else j] = M.squeeze(
                        tuple(axis for axis, one in enumerate((i, j)) if one is not None)
                    )
                    values.append(whole)
                found.append(np.concatenate([one.ravel() for one in values]))
    return found


def dimension_at_most(value: Spanned) -> int:
    """Return the number of matrices that span a space."""
    rows, columns = value.sizes
    kinds = value.moving.items()
    return sum(len(forms) * (rows if down else 1) * (columns if across else 1) for (down, across), forms in kinds)


def lies_within(program: Program, seed: int) -> bool:
    """Say whether the value at random weights lies in its space, at more inputs than the space has dimensions."""
    value = over_spans(program, Spans())
    count = dimension_at_most(value) // (value.sizes[0] * value.sizes[1]) + 2
    inputs = [random((SIZE, TOKENS), seed + 10 + k).public().view(np.ndarray) for k in range(count)]
    W, b, G = random((SIZE, SIZE), seed), random((SIZE, 1), seed + 1), random((TOKENS, TOKENS), seed + 2)
    got = [program(W, b, G, Elements.of(FIELD, X)).public().view(np.ndarray).reshape(value.sizes) for X in inputs]
    given = [at(value.fixed, X, value.sizes) for X in inputs]
    rest = np.concatenate([(one - two).ravel() for one, two in zip(got, given, strict=True)]) % FIELD.p
    space = members(value, inputs)
    zero = [np.zeros_like(rest)]
    before, after = (
        rank(Elements.of(FIELD, np.array([*zero, *space, *more], dtype=np.int64))) for more in ([], [rest])
    )
    return len(rest) > before and before == after


PROGRAMS: dict[str, Program] = {
    "a product with weights": lambda W, b, G, X: W @ X,
    "a bias": lambda W, b, G, X: W @ X + b,
    "a residual": lambda W, b, G, X: X + W @ X,
    "a square": lambda W, b, G, X: (W @ X + b) ** 2,
    "an entrywise product of weights and input": lambda W, b, G, X: (W @ X) * X,
    "an entrywise product with a column": lambda W, b, G, X: X * b,
    "weights on both sides": lambda W, b, G, X: W @ X @ G,
    "weights between inputs": lambda W, b, G, X: X.T @ W @ X,
    "attention": lambda W, b, G, X: X @ ((W @ X).T @ X),
    "masked attention": lambda W, b, G, X: (W @ X) @ (((W @ X).T @ X) * np.triu(np.ones((3, 3), dtype=np.int64))),
    "rows": lambda W, b, G, X: (W @ X)[1:] + X[:1],
    "columns": lambda W, b, G, X: X[:, (2, 0)] + (X @ G)[:, 1:],
    "matrices below each other": lambda W, b, G, X: concatenate((W @ X, X, b * X)),
    "free matrices below each other": lambda W, b, G, X: concatenate((W @ X, b @ X[:1])),
    "matrices side by side": lambda W, b, G, X: concatenate((W @ X, X), axis=1),
    "means": lambda W, b, G, X: (W @ X).centre(),
    "products of columns": lambda W, b, G, X: (W @ X).column_products(X),
    "differences": lambda W, b, G, X: 1 - (X - W @ X) * 3,
    "a constant product": lambda W, b, G, X: np.array([[1, 2], [0, 3], [1, 1]]) @ (W @ X),
    "two free vectors": lambda W, b, G, X: (b.T @ W) @ X,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", [0, 100])
def test_values_lie_in_their_space(name: str, seed: int) -> None:
    assert lies_within(PROGRAMS[name], seed)


def test_a_generator_of_one_part_is_free_in_that_part_alone() -> None:
    """W X has two rows of combinations of two; below them are two multiples of the first row of X."""
    assert dimension_at_most(over_spans(PROGRAMS["free matrices below each other"], Spans())) == 2 * 2 + 2


OPERATIONS: list[Callable[[Elements, Elements, Elements, Elements, Elements], Elements]] = [
    lambda Y, W, b, G, X: W @ Y,
    lambda Y, W, b, G, X: Y + b,
    lambda Y, W, b, G, X: Y + X,
    lambda Y, W, b, G, X: Y * b,
    lambda Y, W, b, G, X: Y @ G,
    lambda Y, W, b, G, X: Y * Y,
    lambda Y, W, b, G, X: Y @ (X.T @ Y),
    lambda Y, W, b, G, X: concatenate((Y[1:], X[:1])),
    lambda Y, W, b, G, X: Y * np.array([[1, 0, 2], [0, 1, 1]]) - X,
]


@given(st.lists(st.integers(0, len(OPERATIONS) - 1), min_size=1, max_size=3), st.integers(0, 50))
def test_values_of_random_programs_lie_in_their_space(steps: list[int], seed: int) -> None:
    def program(W: Elements, b: Elements, G: Elements, X: Elements) -> Elements:
        Y = X
        for step in steps:
            Y = OPERATIONS[step](Y, W, b, G, X)
        return Y

    value = over_spans(program, Spans())
    if value.moving is not None and value.weight < 300:
        assert lies_within(program, seed)


def test_what_is_no_polynomial_has_no_space() -> None:
    assert over_spans(lambda W, b, G, X: (W @ X).reciprocal(), Spans()).moving is None
    assert over_spans(lambda W, b, G, X: (W @ X).exp() + X, Spans()).moving is None


def test_a_space_that_is_too_large_is_not_known() -> None:
    assert over_spans(lambda W, b, G, X: (W @ X + X + b) ** 64, Spans()).moving is None


def test_entries_of_unit_vectors_are_idempotent_and_orthogonal() -> None:
    field = Spans.of_tokens(2)
    X = Elements(field, field.unit_vectors((3, 2)))
    assert (X * X).raw.fixed == X.raw.fixed
    assert (X[:1] * X[1:2]).raw.fixed == {}
    assert X.sum(axis=0).raw.fixed == {(0, 0, ()): 1, (0, 1, ()): 1}
