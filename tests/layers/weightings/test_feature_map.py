"""Linear attention (arXiv 2006.16236, equations 5 and 7), against its sums over keys."""

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Causal, Exponential, FeatureMap, Heads, Power, ReLU, Residual

WIDTH, TOKENS = 3, 4


def recurrent(w, X, phi, normalized, causal):
    """Return the value of one head by the state that is summed up key by key, as in section 3.4 of the paper."""
    keys, queries, values = (phi(w["heads.K_1"] @ X), phi(w["heads.Q_1"] @ X), w["heads.V_1"] @ X)
    result = []
    for i in range(X.shape[1]):
        state, total = np.zeros((len(values), len(keys))), np.zeros(len(keys))
        for j in range(i + 1 if causal else X.shape[1]):
            state += np.outer(values[:, j], keys[:, j])
            total += keys[:, j]
        result.append(state @ queries[:, i] / (total @ queries[:, i] if normalized else 1))
    return w["heads.O_1"] @ np.array(result).T


def elu_plus_one(x):
    return np.array([[entry + 1 if entry > 0 else np.exp(entry) for entry in row] for row in x])


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
def test_the_state_is_a_sum_over_keys(is_real_value, is_value, causal, normalized):
    mask = Causal() if causal else None
    generator = np.random.default_rng(0)
    shapes = {"Q_1": (2, WIDTH), "K_1": (2, WIDTH), "V_1": (2, WIDTH), "O_1": (WIDTH, 2)}
    tensors = {f"heads.{name}": generator.standard_normal(shape) for name, shape in shapes.items()}
    X = generator.standard_normal((WIDTH, TOKENS))
    for features, phi in ((FeatureMap().features, elu_plus_one), (Exponential(), np.exp)):
        layer = Heads(1, width=2, score=FeatureMap(features, normalized), mask=mask)
        is_real_value(layer, tensors, X, recurrent(tensors, X, phi, normalized, causal))
    whole = {name: generator.integers(1, 5, tensor.shape) for name, tensor in tensors.items()}
    layer, X = Heads(1, width=2, score=FeatureMap(Power(2), False), mask=mask), generator.integers(1, 5, X.shape)
    is_value(layer, whole, X, recurrent(whole, X, np.square, False, causal).astype(int))


@pytest.mark.parametrize(
    ("score", "own"),
    [
        (FeatureMap(), 0),  # elu + 1 has no scale
        (FeatureMap(ReLU(), normalized=False), 2 + 1),  # one for each feature, and one that values undo
        (FeatureMap(Exponential()), 4),  # what is added to all rows of Q cancels
        (FeatureMap(Power(1)), 4 + 1),  # a^2, and the scale of all products
    ],
    ids=repr,
)
def test_what_is_redundant_in_two_heads_of_width_2(score, own):
    """Values and outputs, 4 for each head, and what features leave."""
    report = algatt.dimension(algatt.Network(Residual(Heads(2, score=score)), tokens=3, width=4))
    assert (report.status, report.parameters - report.value) == ("proven", 2 * (4 + own))


def test_what_is_no_activation_is_refused():
    with pytest.raises(InvalidArgument, match=r"^features was 'elu'; it should be an activation, such as "):
        FeatureMap("elu")
