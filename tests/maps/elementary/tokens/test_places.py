"""Places of several sequences of tokens: one function has one residue, and roots are roots."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import algatt
from algatt import PrimeField
from algatt.architectures.base import unit_vectors
from algatt.fields import Sqrt
from algatt.maps import program
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.tokens.joint import join_sequences
from algatt.maps.elementary.tokens.numbering import number_entries
from algatt.maps.elementary.tokens.places import Relations, Sequences
from token_networks import token_networks

P = 8388587
NETWORKS = [net for net in token_networks() if not read(program(net)).gates]


def joined(net, seed=0):
    sequences = np.array(list(itertools.product(range(net.vocabulary), repeat=net.input_shape[1])))
    theta = algatt.sample(net, algatt.Weights, field=PrimeField(P), seed=seed)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    return join_sequences(read(program(net)), PrimeField(P), tensors, seed, unit_vectors(net.vocabulary, sequences), {})


@pytest.mark.parametrize("net", NETWORKS, ids=str)
def test_one_function_has_one_residue(net):
    place = joined(net).place
    sequences = place.sequences
    values: dict[int, int] = {}
    for number in range(len(place.reading.program)):
        entries = sequences.entries(number)
        raw = np.broadcast_to(place.results[number], entries.shape)
        for entry, value in zip(entries.ravel().tolist(), raw.ravel().tolist(), strict=True):
            if entry in sequences.numbered.reached:
                assert values.setdefault(entry, int(value)) == int(value)
    for number, node in enumerate(sequences.numbered.numbering.nodes):
        if node.kind == "sqrt" and number in values:
            assert values[number] ** 2 % P == values[node.children[0]] != 0


@pytest.mark.parametrize("net", NETWORKS, ids=str)
def test_exponentials_of_sums_are_products(net):
    # Where exponents of powers of one base have a relation modulo p at the place, so have the exponentials.
    place = joined(net).place
    relations = place.sequences.relations
    values = dict(zip(place.sequences.exponentials, place.exponentials(place.y)[:-1].tolist(), strict=True))
    for draw, powers in relations.powers.items():
        product = 1
        for factor, exponent in powers.items():
            product = product * pow(place.value_of(factor), exponent, P) % P
        assert product == int(values[draw])
    for draw, order in relations.roots.items():
        assert pow(place.value_of(draw), order, P) == int(values[draw])


@pytest.mark.parametrize("net", [net for net in NETWORKS if read(program(net)).roots], ids=str)
def test_every_root_is_behind_the_draw_of_its_group_and_behind_none_of_later_groups(net):
    reading = read(program(net))
    tokens = np.array(list(itertools.product(range(net.vocabulary), repeat=net.input_shape[1])))
    inputs = unit_vectors(net.vocabulary, tokens)
    sequences = Sequences(reading, inputs, {}, number_entries(reading, inputs, {}), Relations({}, {}))
    groups = sequences.groups
    assert sorted(one for _, arguments in groups for one in arguments) == sorted(sequences.roots)
    for k, (draw, _) in enumerate(groups):
        bit = sequences.draws[draw]
        for j, (_, arguments) in enumerate(groups[: k + 1]):
            assert all((sequences.behind[one] >> bit & 1) == (j == k) for one in arguments)
    assert any(isinstance(function, Sqrt) for function in reading.functions.values())
