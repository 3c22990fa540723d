"""Idle coordinates: points of low rank have normal forms, which do not see what no tensor reaches, and elements."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import DivisionByZero, InvalidArgument, NoNormalForm
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.networks.idle import IdleElement, remove_idle, writers
from algatt.geometry.equality.networks.motions import motions_of
from algatt.layers import Causal, Exponential, Heads, Linear, Power, Residual, Unnormalized

FIELDS = (algatt.PrimeField(31), algatt.PrimeField(), Rationals(), algatt.Reals())


def head(width, value_width, score=None):
    score = Unnormalized() if score is None else score
    return Heads(1, width=width, value_width=value_width, output=False, mask=Causal(), score=score)


NETWORKS = {
    "two layers": algatt.Network(head(2, 4) >> head(3, 2), tokens=3, width=3),
    "grouped": algatt.Network(Residual(Heads(4, key_heads=2, width=4, score=Unnormalized())), tokens=2, width=3),
    "wide keys": algatt.Network(head(5, 3) >> head(4, 3), tokens=2, width=3),
    "three layers": algatt.Network(head(2, 3) >> head(2, 5) >> head(1, 2), tokens=2, width=4),
    "power": algatt.Network(head(2, 4, score=Power(2)) >> head(2, 2), tokens=3, width=3),
    "softmax": algatt.Network(head(2, 4, score=Exponential()) >> head(4, 2, score=Exponential()), tokens=3, width=3),
    "linear": algatt.Network(Linear(4, bias=False) >> Linear(3, bias=False) >> head(2, 2), tokens=2, width=3),
}


def low_rank(theta, seed):
    """Repeat rows, and make some zero."""
    rng = np.random.default_rng(seed)
    arrays = []
    for element in theta.elements:
        rows = np.arange(element.shape[0])
        row, other = rng.integers(0, len(rows), 2)
        rows[row] = other if rng.random() < 0.5 else row
        mask = np.ones((len(rows), 1), dtype=np.int64)
        mask[rng.integers(0, len(rows))] = 0 if rng.random() < 0.3 else 1
        arrays.append(Elements(element.field, element.raw[rows]) * mask)
    return theta.replace(arrays)


def moved(net, theta, seed):
    for family in algatt.symmetries(net):
        theta = algatt.act(family.element(theta, seed), theta)
    return theta


def point(net, field, seed):
    theta = algatt.sample(net, algatt.Weights, field=field, seed=seed)
    return low_rank(theta, seed) if seed % 3 else theta


def agree(net, one, two):
    """Values at random inputs."""
    if one.field.exact and not net.algebraic:
        one, two = (t.replace([Elements(algatt.Reals(), e.raw.astype(float)) for e in t.elements]) for t in (one, two))
    X = algatt.sample_inputs(net, field=one.field, count=3)
    try:
        first, second = algatt.evaluate(net, one, X), algatt.evaluate(net, two, X)
    except DivisionByZero:
        return True
    if one.field.exact:
        return bool((first == second).all())
    return bool(np.allclose(first, second, rtol=1e-5, atol=1e-6 * np.abs(first).max()))


def cases():
    for name, net in NETWORKS.items():
        for field in FIELDS:
            if net.algebraic or not field.characteristic:
                yield pytest.param(net, field, id=f"{name} over {field}")


@pytest.mark.sample(2)
@pytest.mark.parametrize(("net", "field"), cases())
def test_points_of_low_rank_have_a_normal_form(net, field):
    """Idempotent, constant on orbits, of the same function."""
    forms = 0
    for seed in range(5):
        theta = point(net, field, seed)
        if not algatt.maps.has_function(net, theta):
            continue
        try:
            form = algatt.canonical(net, theta)
        except NoNormalForm:  # where too much is zero, nothing fixes some number
            continue
        forms += 1
        assert agree(net, theta, form)
        for other in (algatt.canonical(net, form), algatt.canonical(net, moved(net, theta, seed))):
            for one, two in zip(form.elements, other.elements, strict=True):
                size = 0 if field.exact else np.abs(one.raw).max()
                assert np.array_equal(one.raw, two.raw) or np.allclose(one.raw, two.raw, atol=1e-6 * size)
    assert forms >= 3


@pytest.mark.sample(2)
@pytest.mark.parametrize(("net", "field"), cases())
def test_elements_between_points_of_low_rank_are_found(net, field):
    for seed in range(5):
        theta = point(net, field, seed)
        if not algatt.maps.has_function(net, theta):
            continue
        other = moved(net, theta, seed + 1)
        answer = algatt.same_function(net, theta, other)
        assert answer.equal
        assert answer.element is not None
        assert answer.status in (field.status, "proven")
        if field.exact:
            assert algatt.act(answer.element, theta) == other
        assert agree(net, theta, other)


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_what_no_tensor_reaches_does_not_matter(field):
    """V of rank 2 writes a space with 4 coordinates: readers are changed on its complement, and K where Q is zero."""
    net = NETWORKS["two layers"]
    theta = algatt.sample(net, algatt.Weights, field=field, seed=3)
    tensors = theta.tensors
    first = Elements(field, np.concatenate([tensors["heads_1.V_1"].raw[:2]] * 2))  # rows 0, 1, 0, 1
    rest = Elements(field, verbs.embed(field, np.array([[1, 0, -1, 0], [0, 1, 0, -1]])))
    tensors["heads_1.V_1"] = first
    one = theta.replace(list(tensors.values()))
    for name in ("heads_2.Q_1", "heads_2.K_1", "heads_2.V_1"):
        factor = Elements.of(field, np.arange(1, 2 * tensors[name].shape[0] + 1).reshape(-1, 2))
        tensors[name] = tensors[name] + factor @ rest
    two = theta.replace(list(tensors.values()))
    assert agree(net, one, two)
    answer = algatt.same_function(net, one, two)
    assert (answer.equal, answer.coordinates) == (True, algatt.Weights)
    if field.exact:
        assert algatt.act(answer.element, one) == two
        assert algatt.canonical(net, one) == algatt.canonical(net, two)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["two layers", "grouped", "wide keys", "power"])
def test_other_functions_of_low_rank_are_told_apart(name):
    net = NETWORKS[name]
    theta = point(net, algatt.PrimeField(), 1)
    form, differ = algatt.canonical(net, theta), 0
    for number, element in enumerate(theta.elements):
        arrays = list(theta.elements)
        arrays[number] = element + 1
        other = theta.replace(arrays)
        if not agree(net, theta, other):
            differ += 1
            assert algatt.canonical(net, other) != form
            assert not algatt.same_function(net, theta, other)
    assert differ


def test_only_a_tensor_that_alone_writes_a_space_has_idle_coordinates():
    """Two heads write the stream, and a residual connection passes the input on: there are none."""
    several = algatt.Network(
        Heads(2, width=2, value_width=4, score=Unnormalized(), output=False) >> head(2, 3), tokens=2, width=3
    )
    for net in (several, algatt.Network(Residual(head(2, 3)) >> head(2, 3), tokens=2, width=3)):
        motions = motions_of(net)
        for space in motions.spaces:
            assert all(".Q_" in side.tensor or ".K_" in side.tensor for side in writers(space))


def test_an_element_that_changes_the_function_is_refused():
    net = NETWORKS["two layers"]
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(31), seed=3)
    tensors = theta.tensors
    tensors["heads_1.V_1"] = tensors["heads_1.V_1"] * np.array([[1], [1], [1], [0]])
    low = theta.replace(list(tensors.values()))
    factors, _, reached = remove_idle(net, motions_of(net), low)
    assert list(reached.values()) == [3]
    element = next(factor for factor in factors if isinstance(factor, IdleElement))
    assert algatt.act(algatt.symmetry.inverse(element), algatt.act(element, low)) == low
    with pytest.raises(InvalidArgument, match="changes the function"):
        algatt.act(element, theta)
    with pytest.raises(InvalidArgument, match="changes the function"):
        algatt.act(dataclasses.replace(element, sides=()), low)
