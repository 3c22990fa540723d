"""Which sequences of tokens are looked at, where experts are chosen by few of them."""

import numpy as np
import pytest

from algatt import Network, PrimeField, verbs
from algatt.fields.elementary import ELEMENTARY_PRIME
from algatt.geometry.dimensions.elementary import tokens as sequences
from algatt.geometry.dimensions.elementary.tokens import joint_place
from algatt.geometry.dimensions.question import Question
from algatt.layers import Embedding, Experts, Feedforward, LearnedPosition, Residual, SigmoidRouter, SiLU, Unembedding
from algatt.maps import program
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.tokens import joint
from algatt.parameters import Weights

RARE = Network(
    Embedding(6, 2)
    >> LearnedPosition()
    >> Residual(Experts(4, Feedforward(1, SiLU()), SigmoidRouter(top=1, correction=True)))
    >> Unembedding(6),
    tokens=2,
)


def times_of_experts(gates: dict[int, np.ndarray]) -> list[int]:
    """Return how many sequences choose each expert that some have, at their last token."""
    (values,) = gates.values()
    times = values[..., -1].reshape(len(values), -1).sum(axis=0)
    return [int(time) for time in times if time]


def test_what_is_rare_is_taken_first_and_the_rest_evenly():
    has = np.zeros((40, 3), dtype=bool)
    has[:, 0] = True
    has[[17, 31], 1] = True
    has[20:, 2] = True
    chosen = sequences.evenly(has, 10)
    assert {17, 31} < set(chosen.tolist())
    assert len(set(chosen.tolist())) == 10
    assert 17 in chosen[:3]
    assert 31 in chosen[:3]
    assert has[chosen, 2].sum() >= 8  # of what all have there is enough


def test_all_sequences_are_taken_where_there_are_no_more():
    assert len(sequences.sequences_with_gates(RARE, read(program(RARE)), 0, 36)[0]) == 36


@pytest.mark.parametrize("seed", [3, 8, 11])
def test_experts_that_few_sequences_choose_are_in_more_of_those_that_are_taken(seed):
    reading = read(program(RARE))
    numbers = sequences.numbers_of_sequences(RARE, seed, 8)
    first = times_of_experts(sequences.with_real_values(RARE, reading, seed, numbers)[1])
    assert len(first) == 1 or min(first) == 1  # of the first eight one has an expert that others have, or none
    chosen = times_of_experts(sequences.sequences_with_gates(RARE, reading, seed, 8)[1])
    assert len(chosen) == 2
    assert min(chosen) >= 3


def test_of_too_many_exponents_as_many_are_kept_as_may_be(monkeypatch):
    prime = PrimeField(ELEMENTARY_PRIME)
    theta = verbs.sample(RARE, Weights, field=prime, seed=0)
    numbers, whole = joint_place(Question(RARE), prime, theta, 0, 36)
    most = whole.conditions.exponents * 3 // 4
    monkeypatch.setattr(joint, "MOST_EXPONENTS", most)
    fewer, part = joint_place(Question(RARE), prime, theta, 0, 36)
    assert list(fewer) == list(numbers[: len(fewer)])
    assert most - 6 < part.conditions.exponents <= most  # a token has two: of its expert and of its share
