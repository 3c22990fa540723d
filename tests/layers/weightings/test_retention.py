"""Retention (arXiv 2307.08621, equation 6: the recurrent form)."""

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Causal, Heads, Residual, Retention, Rotary

X = np.array([[1, -2, 3, 1], [2, 0, -1, 4]])


def recurrent(w, decays):
    """Return the sum over heads of S_n q_n with S_n = gamma S_{n-1} + v_n k_n^T."""
    total = 0
    for head, decay in enumerate(decays, start=1):
        Q, K, V = (w[f"heads.{letter}_{head}"] @ X for letter in "QKV")
        state, columns = 0, []
        for n in range(X.shape[1]):
            state = decay * state + np.outer(V[:, n], K[:, n])
            columns.append(state @ Q[:, n])
        total = total + w[f"heads.O_{head}"] @ np.array(columns).T
    return total


@pytest.mark.parametrize(
    ("score", "decays"),
    [
        (Retention(), (Fraction(31, 32), Fraction(63, 64))),  # 1 - 2^(-5 - h), h = 0, 1, as in section 3.1
        (Retention((Fraction(1, 3), 0.5)), (Fraction(1, 3), Fraction(1, 2))),
    ],
    ids=repr,
)
def test_the_state_decays(is_value, score, decays):
    generator = np.random.default_rng(0)
    shapes = {"Q": (2, 2), "K": (2, 2), "V": (3, 2), "O": (2, 3)}
    tensors = {
        f"heads.{name}_{head}": generator.integers(-3, 4, shape) for name, shape in shapes.items() for head in (1, 2)
    }
    layer = Heads(2, width=2, value_width=3, score=score, mask=Causal())
    is_value(layer, tensors, X, recurrent(tensors, decays))


@pytest.mark.parametrize(("position", "own"), [(None, 16), (Rotary(), 4)])
def test_what_is_redundant(position, own):
    """Keys and queries, values and outputs, and the scale of the scores, which values undo."""
    heads = Heads(1, score=Retention(), mask=Causal(), position=position)
    report = algatt.dimension(algatt.Network(Residual(heads), tokens=3, width=4))
    assert (report.status, report.parameters - report.value) == ("proven", own + 16 + 1)


def test_what_are_no_decays_is_refused():
    with pytest.raises(InvalidArgument, match=r"^decays\[1\] was 0; it should be a positive"):
        Retention((0.5, 0))
    with pytest.raises(InvalidArgument, match=r"^decays was 3 numbers; it should be one for each of the 2 heads$"):
        algatt.Network(Heads(2, score=Retention((1, 1, 1))), tokens=2, width=2)
