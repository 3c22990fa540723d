import pytest

from algatt import Lightning, Network, Normalized
from algatt.architectures import Architecture, AttentionNetwork
from algatt.testing import check_architecture, examples

# Two cases where counting rows or a closed formula gives a wrong dimension, and shapes that no example has.
SPECIAL = [
    Lightning((5, 5, 5), (1, 3), 3),
    Lightning((6, 4, 1), (2, 1), 3),
    Lightning((1, 1, 1), (1, 1), 1),
    Lightning((2, 2), (5,), 2),
    Lightning((2, 4, 1, 3), (1, 3, 2), 2),
]


@pytest.mark.parametrize("arch", examples(Architecture) + SPECIAL, ids=repr)
def test_every_architecture_obeys_its_laws(arch):
    check_architecture(arch)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_laws_hold_at_other_points(seed):
    check_architecture(Lightning((3, 2, 3), (2, 1), 2), seed=seed)


def test_every_architecture_brings_examples():
    kinds = [*Architecture.__subclasses__(), *AttentionNetwork.__subclasses__()]
    kinds = [kind for kind in kinds if kind.__module__.startswith("algatt.") and kind is not AttentionNetwork]
    assert {Lightning, Network, Normalized} <= set(kinds)
    assert all(kind.examples() for kind in kinds)
