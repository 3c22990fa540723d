"""Biases of scores by distance: ALiBi (arXiv 2108.12409, section 3) and those of T5 (arXiv 1910.10683, section 2.1)."""

import math
from fractions import Fraction

import numpy as np
import pytest

from algatt import PrimeField
from algatt.errors import InvalidArgument
from algatt.layers import Affine, ALiBi, Causal, Exponential, Heads, RelativeBias, SoftCap, Unnormalized
from algatt.layers.base import Noun
from algatt.verbs import bias_scores

X = [[1, 2, -1, 3], [0, 1, 3, -2]]
TENSORS = {
    "heads.Q_1": [[1, 2]],
    "heads.Q_2": [[0, -1]],
    "heads.K_1": [[3, 1]],
    "heads.K_2": [[1, 1]],
    "heads.V_1": [[1, -1]],
    "heads.V_2": [[2, 5]],
}


def noun(value: object) -> str | None:
    """Return how a parameter of a test is called: a function's address is another in each process."""
    return repr(value) if isinstance(value, Noun) else None


def with_biases(bias, function, sees=lambda query, key: True):
    """Two heads of width 1, whose values stand below each other; function makes scores weights."""
    columns = list(zip(*X, strict=True))
    result = []
    for head in (1, 2):
        q, k, v = (
            [sum(w * x for w, x in zip(TENSORS[f"heads.{letter}_{head}"][0], one, strict=True)) for one in columns]
            for letter in "QKV"
        )
        row = []
        for i in range(4):
            seen = [j for j in range(4) if sees(i, j)]
            weights = function([k[j] * q[i] + bias(head, i, j) for j in seen])
            row.append(sum(w * v[j] for w, j in zip(weights, seen, strict=True)))
        result.append(row)
    return result


def affine(scores):
    return [Fraction(7 * x + 1) / sum(7 * y + 1 for y in scores) for x in scores]


def softmax(scores):
    return [math.exp(x) / sum(map(math.exp, scores)) for x in scores]


def test_scores_fall_linearly_with_the_distance(is_value, is_real_value):
    def bias(head, i, j):
        return -Fraction(1, 2 ** (4 * head)) * abs(i - j)  # 2^(-8 h / H) for H = 2

    layer = {"width": 1, "position": ALiBi(), "output": False}
    is_value(Heads(2, score=Unnormalized(), **layer), TENSORS, X, with_biases(bias, lambda x: x))
    is_value(
        Heads(2, score=Affine(7, 1), mask=Causal(), **layer), TENSORS, X, with_biases(bias, affine, lambda i, j: j <= i)
    )
    is_real_value(Heads(2, **layer), TENSORS, X, with_biases(lambda *where: float(bias(*where)), softmax))


@pytest.mark.parametrize(
    ("score", "weights"),
    [
        (None, lambda x, b: x / math.sqrt(3) + b),
        (Exponential(5), lambda x, b: x / 5 + b),
        (SoftCap(2, Exponential(5)), lambda x, b: 2 * math.tanh((x / 5 + b) / 2)),
    ],
    ids=noun,
)
def test_products_are_divided_by_the_temperature_and_biases_are_not(is_real_value, score, weights):
    """softmax(q^T k / sqrt(a) + bias), as in the models that have been trained so."""
    layer = Heads(1, width=3, value_width=1, score=score, position=ALiBi(), output=False)
    Q, K, V = [[1, 2], [0, -1], [3, 1]], [[1, 0], [2, 1], [-1, 1]], [[1, -1]]
    q, k, v = (np.array(matrix) @ np.array(X) for matrix in (Q, K, V))
    row = []
    for i in range(4):
        shares = softmax([weights(float(k[:, j] @ q[:, i]), -abs(i - j) / 256) for j in range(4)])
        row.append(sum(share * float(v[0, j]) for j, share in enumerate(shares)))
    is_real_value(layer, {"heads.Q_1": Q, "heads.K_1": K, "heads.V_1": V}, X, [row])


@pytest.mark.parametrize(
    ("heads", "powers"),
    [
        (1, [8]),
        (2, [4, 8]),
        (4, [2, 4, 6, 8]),
        (8, range(1, 9)),
        (3, [4, 8, 2]),
        (6, [2, 4, 6, 8, 1, 3]),
        (12, [*range(1, 9), 0.5, 1.5, 2.5, 3.5]),
    ],
)
def test_the_slopes_are_powers_of_two(heads, powers):
    for head, power in enumerate(powers):
        bias = bias_scores(ALiBi(), None, head, heads, 3)
        assert [[float(entry) for entry in row] for row in bias] == [
            [-abs(i - j) * 2.0**-power for i in range(3)] for j in range(3)
        ]


def bucket_by_integers(position, offset):
    """Single distances first; then bucket n begins at the distance s (D / s)^(n / N), in powers of integers."""
    count = position.buckets // 2 if position.bidirectional else position.buckets
    start = count if position.bidirectional and offset > 0 else 0
    far = abs(offset) if position.bidirectional else max(-offset, 0)
    single = count // 2
    if far < single:
        return start + far
    steps = count - single
    reached = [n for n in range(steps) if far**steps * single**n >= position.distance**n * single**steps]
    return start + single + max(reached)


@pytest.mark.parametrize(
    "position",
    [
        RelativeBias(),
        RelativeBias(bidirectional=False),
        RelativeBias(12, 20),
        RelativeBias(64, 1024, False),
        RelativeBias(4, 2),
        RelativeBias(2, 9, False),
    ],
    ids=noun,
)
def test_buckets_grow_by_powers(position):
    found = [position.bucket(offset) for offset in range(-1100, 1101)]
    assert found == [bucket_by_integers(position, offset) for offset in range(-1100, 1101)]
    assert set(found) <= set(range(position.buckets))


def test_each_head_adds_its_number_for_the_bucket(is_value, is_real_value):
    position = RelativeBias(6, 3)
    table = [[1, 2], [3, -1], [0, 4], [-2, 0], [5, 1], [2, 2]]
    tensors = TENSORS | {"heads.bias": table}

    def bias(head, i, j):
        return table[bucket_by_integers(position, j - i)][head - 1]

    layer = {"width": 1, "position": position, "output": False}
    is_value(Heads(2, score=Unnormalized(), **layer), tensors, X, with_biases(bias, lambda x: x))
    is_value(
        Heads(2, score=Affine(7, 1), mask=Causal(), **layer), tensors, X, with_biases(bias, affine, lambda i, j: j <= i)
    )
    is_real_value(Heads(2, **layer), tensors, X, with_biases(bias, softmax))


def test_slopes_are_exact_modulo_p(value):
    layer = Heads(1, width=1, score=Unnormalized(), position=ALiBi(), output=False)
    tensors = {"heads.Q_1": [[0]], "heads.K_1": [[0]], "heads.V_1": [[1]]}
    field = PrimeField()
    expected = [-sum(abs(i - j) * [1, 5, 2][j] for j in range(3)) * pow(256, -1, field.p) % field.p for i in range(3)]
    assert np.array_equal(value(layer, tensors, [[1, 5, 2]], field), [expected])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"buckets": 2}, "buckets was 2; it should be an integer >= 4"),
        ({"buckets": 7}, "buckets was 7; it should be even"),
        ({"buckets": 1, "bidirectional": False}, "buckets was 1; it should be an integer >= 2"),
        ({"distance": 8}, "distance was 8; it should be an integer >= 9"),
        ({"bidirectional": "no"}, "bidirectional was 'no'; it should be True or False"),
    ],
)
def test_what_the_slots_may_hold(options, message):
    with pytest.raises(InvalidArgument) as told:
        RelativeBias(**options)
    assert str(told.value) == message
