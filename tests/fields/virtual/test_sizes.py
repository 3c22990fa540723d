"""The virtual form of what is too large to be multiplied out."""

from __future__ import annotations

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from algatt import verbs
from algatt.fields import Elements, PrimeField, Virtual
from algatt.fields.virtual.forms import Columns, Scores
from algatt.fields.virtual.spanning import narrowed
from virtual_texts import FIELD, MASK, TOKENS, content


def test_scores_between_too_many_rows_stay_as_they_are():
    """Together they would be one matrix of 5,001 rows, with 200 MB."""
    forms = Virtual(FIELD)
    wide, narrow = (forms.atom(name, height) for name, height in (("wide", 5000), ("narrow", 1)))
    column = forms.numbers(np.ones((5000, 1), dtype=np.int64))
    values = Columns((1, TOKENS), {narrow: forms.row(1)})
    scores = Scores((TOKENS, TOKENS), {(wide, narrow): column})
    tracemalloc.start()
    assert narrowed(forms, values, scores) == (values, scores)
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def test_a_sum_of_many_atoms_is_named_by_its_terms():
    forms, width = Virtual(FIELD), 90
    mixings = [np.random.default_rng(seed).integers(0, 9, (TOKENS, TOKENS)) for seed in range(4)]

    def text(w, X):
        total = w["V"] @ X
        for mixing in mixings:
            total = total + X @ mixing
        return total

    one, two = (
        content(
            forms,
            text,
            {"V": Elements(FIELD, verbs.draw_array(FIELD, shape=(width, width), seed=k, label="V"))},
            width=width,
        )
        for k in range(2)
    )
    assert one != two


def test_products_that_are_too_large_to_multiply_out_are_seen():
    forms, width = Virtual(FIELD), 17
    one, two = (content(forms, text, {}, width=width) for text in (lambda w, X: X * X, lambda w, X: X * (X @ MASK)))
    assert one != two


def test_values_before_many_scores_that_are_too_large_to_multiply_out_are_seen():
    """Over GF(2), where a sum of four pairs of atoms is zero if each is counted."""
    field, width = PrimeField(2), 17
    forms = Virtual(field)

    def text(w, X):
        both = X + X @ MASK
        return (w["V"] @ X) @ (both.T @ both)

    drawn = [Elements(field, verbs.draw_array(field, shape=(width, width), seed=seed, label="V")) for seed in range(2)]
    X = Elements(field, verbs.draw_array(field, shape=(width, TOKENS), seed=0, label="X"))
    assert np.any(text({"V": drawn[0]}, X).raw != text({"V": drawn[1]}, X).raw)
    one, two = (content(forms, text, {"V": V}, width=width) for V in drawn)
    assert one != two
    one = content(forms, lambda w, X: X @ (X.T @ X), {}, width=width)
    assert one != content(forms, lambda w, X: (X @ MASK) @ (X.T @ X), {}, width=width)


def test_lengths_that_are_not_multiplied_out_are_known_by_both_factors():
    """Of 65 rows there are 4,225 products, more than are multiplied out."""
    rng = np.random.default_rng(0)
    tensors = {name: Elements(FIELD, verbs.embed(FIELD, rng.integers(-9, 10, (65, 65)))) for name in "AB"}
    forms = Virtual(FIELD)
    texts = (
        lambda w, X: X.column_products(w["A"] @ X),
        lambda w, X: (w["A"] @ X).column_products(X),
        lambda w, X: X.column_products(w["B"] @ X),
    )
    one, two, other = (content(forms, text, tensors, width=65) for text in texts)
    assert one == two != other


def test_the_order_of_the_terms_of_a_long_sum_does_not_matter():
    """Three terms of 100 rows each are more than a sum keeps apart, whichever come first."""
    width = 100
    forms = Virtual(FIELD)
    mixings = [np.random.default_rng(seed).integers(0, 9, (TOKENS, TOKENS)) for seed in range(3)]

    def text(order):
        def total(w, X):
            first, second, third = (X @ mixings[place] for place in order)
            return (first + second + third) * X[:1]

        return total

    contents = {content(forms, text(order), {}, width=width) for order in itertools.permutations(range(3))}
    assert len(contents) == 1
    assert content(forms, text((0, 0, 1)), {}, width=width) not in contents


@pytest.mark.parametrize("width", [20, 300])
def test_rows_whose_products_are_too_long_may_be_exchanged(width):
    """Of neurons with 20 inputs each the products are not multiplied out; each is known by its two rows."""
    rng = np.random.default_rng(0)
    tensors = {name: Elements(FIELD, verbs.embed(FIELD, rng.integers(-9, 10, (3, width)))) for name in "AB"}
    tensors["D"] = Elements(FIELD, verbs.embed(FIELD, rng.integers(-9, 10, (2, 3))))
    forms = Virtual(FIELD)
    texts = (
        lambda w, X: w["D"] @ ((w["A"] @ X) * (w["B"] @ X)),
        lambda w, X: w["D"][:, [2, 0, 1]] @ ((w["B"][[2, 0, 1]] @ X * 5) * (w["A"][[2, 0, 1]] @ X * Fraction(1, 5))),
        lambda w, X: w["D"] @ ((w["A"] @ X) * (w["B"][[2, 0, 1]] @ X)),
        lambda w, X: w["D"] @ ((w["A"] @ X) * (w["B"] @ X * 2)),
        lambda w, X: w["D"] @ ((w["A"] @ X * 2) * (w["B"] @ X)),
    )
    one, two, other, double, twice = (content(forms, text, tensors, width=width) for text in texts)
    assert one == two
    assert double == twice
    assert len({one, other, double}) == 3
