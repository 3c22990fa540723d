"""The random stream against its definition, in plain Python integers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.randomness import check_seed, random_residues, random_residues_of_labels, random_words


def stream(seed: int, label: str) -> Iterator[int]:
    """Yield the words of the documented stream one by one."""
    digest = hashlib.shake_256(b"algatt/1/%d/%s" % (seed, label.encode())).digest(8 * 4096)
    for start in range(0, len(digest), 8):
        yield sum(byte << (8 * place) for place, byte in enumerate(digest[start : start + 8]))


@pytest.mark.parametrize(("seed", "label"), [(0, "weights/1/Q"), (1, "weights/1/Q"), (0, ""), (2**80, "x/0")])
def test_words_are_shake_256_least_significant_byte_first(seed: int, label: str) -> None:
    assert random_words(seed, label, 100).tolist() == list(islice(stream(seed, label), 100))


# The last two skip a third and a sixteenth of the words; the others hardly ever one.
@pytest.mark.parametrize(
    "p", [2, 3, 31, 8388593, 2305843009213693951, 2**63 - 25, 6148914691236517223, 2**62 + 2**60 + 1]
)
def test_residues_skip_the_words_that_would_make_them_uneven(p: int) -> None:
    limit = (2**64 // p) * p
    expected = [word % p for word in stream(7, "label") if word < limit][:500]
    assert random_residues(7, "label", 500, p).tolist() == expected


def test_a_longer_draw_begins_with_the_shorter_one() -> None:
    p = 6148914691236517223
    longest = random_residues(3, "a", 300, p).tolist()
    for count in (0, 1, 2, 17, 299):
        assert random_residues(3, "a", count, p).tolist() == longest[:count]


@pytest.mark.parametrize("p", [2, 8388593, 6148914691236517223])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_labels_together_are_labels_one_by_one(p: int, count: int) -> None:
    labels = [f"input/{number}" for number in range(40)]
    together = random_residues_of_labels(3, labels, count, p)
    assert together.shape == (40, count)
    assert together.tolist() == [random_residues(3, label, count, p).tolist() for label in labels]
    assert random_residues_of_labels(3, [], count, p).shape == (0, count)


def test_seed_and_label_both_name_the_stream() -> None:
    draws = {tuple(random_words(seed, label, 4).tolist()) for seed in (0, 1, 12) for label in ("a", "b", "1/a")}
    assert len(draws) == 9


def test_residues_are_evenly_spread() -> None:
    p, count = 31, 31000
    counts = np.bincount(random_residues(0, "even", count, p).astype(int), minlength=p)
    chi_squared = float(((counts - count / p) ** 2).sum() / (count / p))
    assert chi_squared < 59.7  # the 99.9 % quantile with 30 degrees of freedom


@pytest.mark.parametrize("seed", [-1, True, 1.0, "0", None])
def test_other_seeds_are_refused(seed: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_seed(seed)
    assert str(caught.value) == f"seed was {seed!r}; it should be an integer >= 0"


def test_a_numpy_integer_is_the_same_seed() -> None:
    assert check_seed(np.int64(5)) == 5
    assert random_words(int(np.uint8(5)), "a", 3).tolist() == random_words(5, "a", 3).tolist()


@pytest.mark.parametrize("seed", [np.random.default_rng(0), np.random.RandomState(0), np.random.SeedSequence(0)])
def test_a_generator_is_told_why_it_is_no_seed(seed: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_seed(seed)
    why = "a certificate must be able to name its point, and no generator has a name"
    assert str(caught.value) == f"seed was of type {type(seed).__name__}; it should be an integer >= 0: {why}"


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_numpy_integers_name_the_same_points_and_certificates(kind: type) -> None:
    arch = algatt.Lightning((3, 2), (2,), 2)
    assert algatt.sample(arch, algatt.Weights, seed=kind(3)) == algatt.sample(arch, algatt.Weights, seed=3)
    certificate = algatt.certify(arch, seed=kind(3))
    assert certificate.to_json() == algatt.certify(arch, seed=3).to_json()
    assert algatt.verify(certificate).ok
