"""What types find for lightning and normalised attention, space by space, is what HMK name: the same tangents."""

import pytest

import algatt
from algatt import Lightning, Normalized
from algatt.symmetry import Interlayer, KeyQuery, Rescaling, ScoreRescaling
from algatt.symmetry.spaces import spaces_of
from written_networks import written

NAMED = (KeyQuery, Interlayer, Rescaling, ScoreRescaling)
"""The families that are linear actions."""

NETWORKS = (*Lightning.examples(), *Normalized.examples())
PRIMES = (31, 8388593)


def ranks(arch, theta):
    """Return the ranks of the tangents with names, of those of all spaces, and of both."""
    named = [one.tangents(theta) for one in algatt.symmetries(arch) if isinstance(one, NAMED)]
    found = [space.tangents(theta) for space in spaces_of(arch)]
    counted = []
    for tangents in (named, found, [*named, *found]):
        rows = algatt.linalg.RowSpace(theta.field, arch.parameters)
        for block in tangents:
            rows.add(block)
        counted.append(rows.rank)
    return counted


@pytest.mark.parametrize("arch", NETWORKS, ids=str)
@pytest.mark.parametrize("p", PRIMES)
def test_found_tangents_are_those_with_names(arch, p):
    for seed in range(2):
        named, found, both = ranks(arch, algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed))
        assert named == found == both


def test_the_three_families_of_lightning_attention_from_its_expression():
    """Two layers V X X^T K^T Q X of widths 4, 3, 4 and ranks 2, 2: GL(2)^2 between keys and queries, GL(3) between the
    layers, and a number for each layer (HMK Section 3.2, Lemmas 3.1 and 3.5).
    """
    tensors = {}
    for number, (width, reads) in enumerate(((3, 4), (4, 3)), start=1):
        tensors |= {f"Q_{number}": (2, reads), f"K_{number}": (2, reads), f"V_{number}": (width, reads)}

    def layers(w, X):
        for number in (1, 2):
            Q, K, V = (w[f"{letter}_{number}"] for letter in "QKV")
            X = V @ (X @ (K @ X).T) @ (Q @ X)
        return X

    net = written(tensors, layers, 4, 3)
    groups = sorted(str(one.group) for one in algatt.symmetries(net))
    assert groups == ["GL(1)", "GL(1)", "GL(2)", "GL(2)", "GL(3)"]
    arch = Lightning((4, 3, 4), (2, 2), 3)
    theta = algatt.sample(arch, algatt.Weights, seed=4)
    rows = algatt.linalg.RowSpace(theta.field, arch.parameters)
    for family in algatt.symmetries(arch):
        rows.add(family.tangents(theta))
    assert rows.rank == 8 + 9 + 2
    here = algatt.unflatten(net, algatt.Weights, algatt.flatten(theta))
    for one in algatt.symmetries(net):
        assert rows.add(one.tangents(here)) == 0, one


def test_an_architecture_that_declares_nothing_has_the_same_bound():
    """The expression of a network is a network of layers, whose spaces have no names of HMK."""
    for arch in Lightning.examples():
        net = algatt.expression(arch)
        one, two = algatt.dimension(arch, seed=1), algatt.dimension(net, seed=1)
        assert (one.value, one.status) == (two.value, two.status)
