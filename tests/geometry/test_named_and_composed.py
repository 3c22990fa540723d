"""A network with a name and the same network written with layers answer alike."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.architectures.recognition import named_attention
from algatt.errors import AlgattError, InvalidArgument
from algatt.fields import Elements, Rationals
from algatt.layers import Affine, Causal, Heads, Linear, Power, Residual, Rotary, Unnormalized

ARCHS = (
    algatt.Lightning((4, 3, 4), (2, 2), 3),
    algatt.Lightning((2, 4, 4, 2), (2, 2, 2), 2),
    algatt.Lightning((3, 2), (1,), 2),
    algatt.Lightning((1, 3, 3), (1, 2), 3),
    algatt.Softmax((3, 3), (2,), 2),
    algatt.Softmax((2, 4, 2), (1, 1), 1),
    algatt.Normalized((3, 3), (1,), 3, Power(3)),
    algatt.Normalized((2, 3, 2), (2, 2), 2, Affine(1, 1)),
)
FIELDS = (algatt.PrimeField(), Rationals(), algatt.Reals())


def composed(arch, theta):
    net = algatt.architectures.expression(arch)
    return net, algatt.Weights(theta.elements, tuple(algatt.coordinates(net)))


def points(arch, field):
    """A generic point, and points with zeros and with matrices of rank one."""
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=1)
    yield theta
    for names, change in ((("V_1",), zero), (("K_1",), zero), (("K_1", "V_1"), rank_one), ((), zero)):
        pairs = zip(theta.names(), theta.elements, strict=True)
        yield theta.replace([change(one) if not names or name in names else one for name, one in pairs])


def zero(element):
    return element * 0


def rank_one(element):
    return Elements(element.field, np.repeat(element.raw[:1], element.shape[0], axis=0))


def answer_of(question, *arguments):
    try:
        return question(*arguments)
    except AlgattError as error:
        return type(error)


def equality(arch, one, two):
    answer = algatt.same_function(arch, one, two)
    if answer.element is not None and answer.coordinates is algatt.Weights and one.field.exact:
        assert algatt.act(answer.element, one) == two
    X = answer.separating_input
    return answer.equal, answer.status, answer.coordinates, answer.element is None, None if X is None else X.tolist()


def normal_form(arch, theta, moved):
    found = algatt.canonical(arch, theta)
    return [one.raw.tolist() for one in found.elements], found == algatt.canonical(arch, moved)


def fibre(arch, theta):
    found = algatt.fiber(arch, theta)
    assert found.sample(2).names() == theta.names()
    return found.to_dict()


def singular(arch, theta):
    return algatt.is_singular(arch, theta), algatt.is_boundary(arch, theta), algatt.geometry.is_critical(arch, theta)


def moved_by_families(arch, theta):
    for family in algatt.symmetries(arch):
        theta = algatt.act(family.element(theta, 5), theta)
    return theta


@pytest.mark.sample(2)
@pytest.mark.parametrize("field", FIELDS, ids=str)
@pytest.mark.parametrize("arch", ARCHS, ids=str)
def test_they_answer_alike(arch, field):
    other = algatt.sample(arch, algatt.Weights, field=field, seed=9)
    for theta in points(arch, field):
        moved = moved_by_families(arch, theta)
        for question, others in (
            (equality, (moved,)),
            (equality, (other,)),
            (normal_form, (moved,)),
            (fibre, ()),
            (singular, ()),
        ):
            net, *arguments = composed(arch, theta)
            arguments += [composed(arch, one)[1] for one in others]
            assert answer_of(question, net, *arguments) == answer_of(question, arch, theta, *others)


@pytest.mark.parametrize("arch", ARCHS, ids=str)
def test_a_network_is_recognized_by_its_program(arch):
    arrangement = named_attention(algatt.architectures.expression(arch))
    assert arrangement.network == arch
    theta = algatt.sample(arch, algatt.Weights)
    assert arrangement.forth(arrangement.back(theta)) == theta


HEAD = {"width": 2, "value_width": 4, "output": False}


@pytest.mark.parametrize(
    "layers",
    [
        Heads(1, **HEAD, mask=Causal()),
        Heads(1, **HEAD, biases="Q"),
        Heads(1, **HEAD, position=Rotary()),
        Heads(2, **HEAD),
        Heads(1, width=2),
        Residual(Heads(1, **HEAD)),
        Heads(1, **HEAD) >> Heads(1, **HEAD, score=Unnormalized()),
        Linear(4) >> Linear(4) >> Linear(4),
    ],
    ids=str,
)
def test_other_networks_are_not(layers):
    assert named_attention(algatt.Network(layers, tokens=3, width=4)) is None


def test_singular_points_of_other_networks_are_refused():
    net = algatt.Network(Heads(1, **HEAD, mask=Causal()), tokens=3, width=4)
    with pytest.raises(InvalidArgument, match=r"^arch was .* it should be lightning attention"):
        algatt.is_singular(net, algatt.sample(net, algatt.Weights))
