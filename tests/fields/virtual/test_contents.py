"""The virtual form: texts of one computation have one content, others have not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.fields import Elements, Exp, Positive, PrimeField, Rationals, Shape, Shapes, Sigmoid, Virtual
from different_texts import DIFFERENT
from equal_texts import SAME
from virtual_texts import FIELD, SHAPES, TOKENS, WIDTH, content, drawn, of_rows, softmax


@pytest.mark.parametrize("field", [FIELD, Rationals()], ids=str)
@pytest.mark.parametrize("texts", SAME.values(), ids=SAME.keys())
def test_texts_of_one_computation_have_one_content(texts, field):
    forms = Virtual(field)
    tensors = drawn(field)
    one, two = (content(forms, text, tensors) for text in texts)
    assert one == two
    assert content(forms, texts[0], drawn(field, seed=1)) != one


@pytest.mark.parametrize("texts", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_other_computations_have_other_contents(texts):
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    one, two = (content(forms, text, tensors) for text in texts)
    assert one != two


@pytest.mark.parametrize("text", [text for texts in (*SAME.values(), *DIFFERENT.values()) for text in texts])
def test_forms_have_the_shapes_of_values(text):
    virtual, shapes = Virtual(FIELD), Shapes()
    forms = {name: Elements(virtual, virtual.tensor(one)) for name, one in drawn(FIELD).items()}
    sizes = {name: Elements(shapes, Shape(size)) for name, size in SHAPES.items()}
    form = text(forms, Elements(virtual, virtual.input((WIDTH, TOKENS))))
    assert form.shape == text(sizes, Elements(shapes, Shape((WIDTH, TOKENS)))).shape


def test_exponentials_of_zero_are_ones_for_each_token() -> None:
    """Scores that are zero for each token."""
    forms = Virtual(FIELD)
    tensors = dict(drawn(FIELD))
    tensors["Z"] = Elements(FIELD, tensors["V"].raw * 0)
    one, two = (
        content(forms, text, tensors)
        for text in (
            lambda w, X: (w["V"] @ X) * ((w["Z"] @ X)[[0]].exp()),
            lambda w, X: w["V"] @ X,
        )
    )
    assert one == two


class Steep(algatt.fields.Function):
    """A function of a class that is no dataclass, so that nothing says when two of them are equal."""


def test_functions_without_equality_are_others():
    functions = Steep(), Steep()
    texts = [lambda w, X, function=function: X.entrywise(function) for function in functions]
    forms = Virtual(FIELD)
    one, two = (content(forms, text, {}) for text in texts)
    assert one != two
    assert one == content(forms, texts[0], {})


@pytest.mark.parametrize("tokens", [1, 2, 3])
def test_of_one_token_alone_values_keys_and_queries_may_be_exchanged(tokens):
    forms = Virtual(FIELD)
    tensors = {name: Elements(forms, forms.tensor(one)) for name, one in drawn(FIELD).items()}
    X = Elements(forms, forms.input((4, tokens)))
    one = (tensors["Q"] @ X) @ ((tensors["V"] @ X).T @ (tensors["O"] @ X))
    two = (tensors["Q"] @ X) @ ((tensors["O"] @ X).T @ (tensors["V"] @ X))
    assert (forms.content(one.raw) == forms.content(two.raw)) == (tokens == 1)


def test_gates_and_other_functions_are_atoms_of_one_row():
    forms = Virtual(FIELD)
    rows = Elements(forms, forms.tensor(drawn(FIELD)["U"])) @ Elements(forms, forms.input((WIDTH, TOKENS)))
    for function in (Positive(), Sigmoid(), Exp()):
        terms = forms.as_columns(rows.entrywise(function).raw).terms
        assert [(atom.height, numbers.shape) for atom, numbers in terms.items()] == 3 * [(1, (3, 1))]


def test_a_single_query_sees_its_keys():
    """There is one share for each key: they are 1 where there is one key, and not where there is one query."""
    forms = Virtual(FIELD)

    def text(w, X):
        query = X[:, [0]]
        return w["V"] @ X @ softmax((w["K"] @ X).T @ (w["Q"] @ query))

    tensors = drawn(FIELD)
    one = content(forms, text, tensors)
    assert one != content(forms, text, tensors | {"K": tensors["K"] * 2})
    assert one == content(forms, text, tensors | {"K": tensors["K"] * 2, "Q": tensors["Q"] / 2})


def test_squares_in_linear_attention_are_not_zero_over_two_elements():
    forms = Virtual(PrimeField(2))
    one, two = (content(forms, text, {}) for text in (lambda w, X: X[:1] @ (X[:1].T @ X[:1]), lambda w, X: X[:1] * 0))
    assert one != two


def test_functions_of_weights_are_known_by_their_names():
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    one = content(forms, lambda w, X: w["V"].exp() @ X, tensors)
    assert one != content(forms, lambda w, X: w["V"].entrywise(algatt.fields.Sigmoid()) @ X, tensors)
    assert one != content(forms, lambda w, X: w["O"].exp() @ X, tensors)


@pytest.mark.parametrize("p", [2, 3])
def test_a_softmax_of_rows_whose_mean_is_no_number_is_seen(p):
    """Three rows have no mean modulo 3, and neither have two modulo 2."""
    forms = Virtual(PrimeField(p))
    shift = np.array([[1], [0], [0]])
    for rows in (2, 3):
        for text in (of_rows, lambda scores: scores.largest(1)):
            one, two = (
                content(forms, lambda w, X, by=by, rows=rows, text=text: text(X[:rows] + by[:rows]), {})
                for by in (0 * shift, shift)
            )
            assert one != two


@pytest.mark.parametrize(("factor", "equal"), [(3, True), (Fraction(1, 7), True), (-3, False)])
def test_gates_see_signs_alone(factor, equal):
    """Over the rational numbers; modulo p no number is positive."""
    gate = algatt.fields.Positive()
    for field, same in ((Rationals(), equal), (PrimeField(FIELD.p), False)):
        forms, tensors = Virtual(field), drawn(field)
        one, two = (content(forms, lambda w, X, c=c: (w["V"] @ X * c).entrywise(gate), tensors) for c in (1, factor))
        assert (one == two) == same
