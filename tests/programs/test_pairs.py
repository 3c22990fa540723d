"""Pairs of texts of one computation have one normal form, and one answer to every question."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
import pytest

import algatt
from algatt.architectures.network import arrangement_of
from algatt.fields import Elements, PrimeField, Reals
from algatt.maps import program as program_of
from algatt.parameters import Weights
from algatt.programs.digest import is_turned
from algatt.programs.normal_form import normal_form
from pairs_of_scores import PAIRS_OF_SCORES
from pairs_of_texts import PAIRS
from pairs_of_tokens import PAIRS_OF_TOKENS

ALL = PAIRS | PAIRS_OF_SCORES | PAIRS_OF_TOKENS

EVERY = pytest.mark.parametrize("pair", ALL.values(), ids=ALL)


def read_as_columns(arch: algatt.Architecture, names: Iterable[str], elements: Iterable[Elements]) -> list[Elements]:
    """Return tensors, those transposed of which a network reads nothing but the transposes; and the same back."""
    program = program_of(arch)
    rows = {one.argument for number, one in enumerate(program.instructions) if is_turned(program, number)}
    return [one.T if name in rows else one for name, one in zip(names, elements, strict=True)]


def in_normal_form(net: algatt.Network, theta: Weights) -> dict[str, Elements]:
    """Return the tensors of a point in normal form, by name, with tokens as columns."""
    arrangement = arrangement_of(net)
    arch, point = (net, theta) if arrangement is None else (arrangement.network, arrangement.forth(theta))
    names = tuple(algatt.coordinates(arch))
    return dict(zip(names, read_as_columns(arch, names, point.elements), strict=True))


def same_point(pair, theta: Weights) -> Weights:
    """Return the weights of the second network that are those of the first one."""
    one, two = pair.networks()
    tensors = in_normal_form(one, theta)
    arrangement = arrangement_of(two)
    arch = two if arrangement is None else arrangement.network
    names = tuple(algatt.coordinates(arch))
    found = Weights(tuple(read_as_columns(arch, names, [tensors[pair.name(name)] for name in names])), names)
    return found if arrangement is None else arrangement.back(found)


@functools.cache
def report_of(net: algatt.Network) -> algatt.geometry.DimensionReport:
    return algatt.dimension(net, seed=0)


@EVERY
def test_the_texts_have_one_normal_form(pair):
    one, two = (normal_form(program_of(net)) for net in pair.networks())
    assert one.digest() == two.digest(pair.names)
    assert {pair.name(name) for name in two.program.tensors} == set(one.program.tensors)
    for form in (one, two):
        assert normal_form(form.program).program == form.program


@EVERY
def test_the_texts_are_one_computation(pair):
    """What is compared is what the texts compute, not their normal forms."""
    one, two = pair.networks()
    for seed in (1, 2):
        theta = algatt.sample(one, Weights, field=Reals(), seed=seed)
        X = algatt.sample_inputs(one, seed=seed, field=Reals())
        given = algatt.evaluate(one, theta, X)
        np.testing.assert_allclose(algatt.evaluate(two, same_point(pair, theta), X), given, rtol=1e-9, atol=1e-11)
        arrangement = arrangement_of(one)
        if arrangement is not None:
            value = algatt.evaluate(arrangement.network, arrangement.forth(theta), X)
            np.testing.assert_allclose(value, given, rtol=1e-9, atol=1e-11)


@pytest.mark.sample(4)
@EVERY
def test_the_texts_have_one_dimension_and_the_same_symmetries(pair):
    one, two = map(report_of, pair.networks())
    assert (one.value, one.status, one.parameters) == (two.value, two.status, two.parameters)
    assert one.status == "proven"
    assert sorted(family.removes for family in one.symmetries) == sorted(family.removes for family in two.symmetries)
    answers = [algatt.symmetry.symbolic_symmetries(net) for net in pair.networks()]
    assert answers[0].dimension == answers[1].dimension
    assert answers[0].upper == answers[1].upper >= one.value
    discrete = [algatt.symmetry.discrete_symmetries(net) for net in pair.networks()]
    assert len(discrete[0]) == len(discrete[1])


@pytest.mark.sample(2)
@EVERY
def test_orbits_are_found_in_both_texts(pair):
    field = PrimeField() if pair.networks()[0].algebraic else Reals()
    one, two = pair.networks()
    theta = algatt.sample(one, Weights, field=field, seed=3)
    points = theta, same_point(pair, theta)
    moved = algatt.fiber(one, theta).sample(1)
    answers = [
        algatt.same_function(net, point, other)
        for net, point, other in zip((one, two), points, (moved, same_point(pair, moved)), strict=True)
    ]
    assert answers[0].equal == answers[1].equal is True
    assert answers[0].status == answers[1].status
    other = algatt.sample(two, Weights, field=field, seed=4)
    assert algatt.same_function(two, points[1], other).equal is False
    dimensions = [algatt.fiber(net, point).dimension for net, point in zip((one, two), points, strict=True)]
    assert dimensions[0] == dimensions[1]


@pytest.mark.sample(5)
@EVERY
def test_points_of_one_orbit_have_one_canonical_form(pair):
    one, two = pair.networks()
    theta = algatt.sample(one, Weights, field=PrimeField(), seed=5)
    moved = algatt.fiber(one, theta).sample(1)
    for net, point, other in ((one, theta, moved), (two, same_point(pair, theta), same_point(pair, moved))):
        assert algatt.canonical(net, point) == algatt.canonical(net, other)


CERTIFIED = (
    "GPT-2, tokens as rows",
    "rotary of rows, one matrix",
    "float tables, halves joined",
    "scores without softmax",
    "SwiGLU, one matrix",
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", CERTIFIED)
def test_certificates_of_both_texts_are_verified(name):
    for net in PAIRS[name].networks():
        certificate = algatt.certify(report_of(net))
        assert algatt.verify(certificate).ok
        assert certificate.dimension == report_of(net).value
