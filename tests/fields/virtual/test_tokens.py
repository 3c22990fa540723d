"""The virtual form of inputs of tokens, which are unit vectors that add up to one."""

from __future__ import annotations

import numpy as np

from algatt.fields import Virtual, concatenate
from virtual_texts import FIELD, content, drawn, softmax


def test_tokens_add_up_to_one():
    """An input of tokens is one of unit vectors: a bias may be taken to all rows of an embedding."""
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    shifted = lambda w, X: (w["V"] + w["b"] @ np.ones((1, 4), dtype=np.int64)) @ X  # noqa: E731
    biased = lambda w, X: w["V"] @ X + w["b"]  # noqa: E731
    assert content(forms, shifted, tensors, tokens=True) == content(forms, biased, tensors, tokens=True)
    assert content(forms, shifted, tensors) != content(forms, biased, tensors)
    mixed = lambda text: lambda w, X: text(w, X @ (X.T @ X).exp())  # noqa: E731
    assert content(forms, mixed(shifted), tensors, tokens=True) != content(forms, mixed(biased), tensors, tokens=True)


def test_tokens_beside_zeros_do_not_add_up_to_one():
    """(V + b 1^T) [x 0] is V [x 0] + [b 0], and not V [x 0] + [b b]."""
    forms, tensors = Virtual(FIELD), drawn(FIELD)
    zero = np.zeros((4, 1), dtype=np.int64)

    def shifted(w, X):
        x = concatenate((X[:, [0]], X[:, [0]] * 0 + zero), axis=1)
        return (w["V"] + w["b"] @ np.ones((1, 4), dtype=np.int64)) @ x

    def biased(w, X):
        return w["V"] @ concatenate((X[:, [0]], X[:, [0]] * 0 + zero), axis=1) + w["b"]

    assert content(forms, shifted, tensors, tokens=True) != content(forms, biased, tensors, tokens=True)


def test_products_of_unit_vectors_are_zero_but_with_themselves():
    """Of one token, (x_1 + 2 x_2)^2 = x_1 + 4 x_2, and sums over tokens of such products, too."""
    forms = Virtual(FIELD)
    row, squares = np.array([[1, 2, 3, 4]]), np.array([[1, 4, 9, 16]])
    texts = (
        lambda w, X: (row @ X) * (row @ X),
        lambda w, X: squares @ X,
        lambda w, X: (row @ X) @ ((row @ X).T @ (row @ X)),
        lambda w, X: (squares @ X) @ ((np.ones((1, 4), dtype=np.int64) @ X).T @ (row @ X)),
    )
    one, same, total, again = (content(forms, text, {}, tokens=True) for text in texts)
    assert one == same
    assert total == again
    assert content(forms, texts[0], {}) != content(forms, texts[1], {})
    assert content(forms, texts[2], {}) != content(forms, texts[3], {})


def test_means_of_unit_vectors_are_no_unit_vectors():
    forms = Virtual(FIELD)
    row, squares = np.array([[1, 2, 3, 4]]), np.array([[1, 4, 9, 16]])
    texts = (
        lambda w, X: (row @ X @ softmax(X.T @ X)) * (row @ X @ softmax(X.T @ X)),
        lambda w, X: squares @ X @ softmax(X.T @ X),
    )
    one, other = (content(forms, text, {}, tokens=True) for text in texts)
    assert one != other
