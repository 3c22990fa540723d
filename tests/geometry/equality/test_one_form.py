"""Points that are one function for a reason that no group element shows, and points that nearly are."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import DomainError, InvalidArgument
from algatt.fields import Elements, Rationals, Virtual
from algatt.fields.virtual.products import of_equal_moments
from algatt.layers import (
    Causal,
    DifferentialHeads,
    Experts,
    Feedforward,
    Heads,
    Linear,
    Power,
    Probabilities,
    Residual,
    RMSNorm,
    SoftmaxRouter,
    Unembedding,
    Unnormalized,
)
from algatt.maps.virtual_form import have_one_form
from algatt.symmetry.hidden.directions import UnseenDirections
from special_pairs import BIASED, ROUTED, ZOO, integers, special_pairs, weights


@pytest.mark.parametrize("field", [algatt.PrimeField(), Rationals(), algatt.Reals()], ids=str)
@pytest.mark.parametrize("pair", special_pairs(), ids=lambda pair: pair[0])
def test_special_pairs_are_proven_equal(pair, field):
    _, net, one, two = pair
    answer = algatt.same_function(net, weights(net, one, field), weights(net, two, field))
    assert (answer.equal, answer.status) == (True, "proven")
    assert answer.element is not None or "one virtual form" in answer.reason
    # the values agree in float64, and those of a third point do not
    X = algatt.sample_inputs(net, seed=1, field=algatt.Reals())
    real = [weights(net, tensors, algatt.Reals()) for tensors in (one, two, integers(net, 7))]
    values = [algatt.evaluate(net, theta, X) for theta in real]
    assert np.allclose(values[0], values[1], rtol=1e-9)
    assert not np.allclose(values[0], values[2], rtol=1e-3)


@pytest.mark.sample(1)
@pytest.mark.parametrize("net", ZOO, ids=str)
def test_one_form_is_one_function_at_small_weights_with_many_coincidences(net):
    """Of weights among -1, 0, 1 and 2 many are one function for some reason; where the forms are one, so are the values
    of float64, and where nothing was changed, so are the forms.
    """
    net = algatt.expression(net)
    rng, field, found = np.random.default_rng(3), Rationals(), 0
    shapes = algatt.coordinates(net)
    inputs = [algatt.sample_inputs(net, seed=seed, field=algatt.Reals()) for seed in range(3)]
    for _ in range(40):
        one = {name: rng.choice([-1, 0, 0, 0, 1], shape) for name, shape in shapes.items()}
        two = {name: array.copy() for name, array in one.items()}
        name = rng.choice(list(shapes))
        place = tuple(rng.integers(size) for size in shapes[name])
        two[name][place] += 1
        points = [weights(net, tensors, field) for tensors in (one, two)]
        assert have_one_form(net, points[0], points[0])
        if have_one_form(net, *points):
            found += 1
            for X in inputs:
                with contextlib.suppress(DomainError):  # two experts with one logit
                    values = [algatt.evaluate(net, weights(net, tensors, algatt.Reals()), X) for tensors in (one, two)]
                    np.testing.assert_allclose(values[0], values[1], rtol=1e-9, atol=1e-9)
    assert found  # the test is of something


# a GELU has no continuous family, and that of a router moves all logits by one row, which no rule knows
@pytest.mark.sample(4)
@pytest.mark.parametrize("net", [net for net in ZOO if net not in (BIASED, ROUTED)], ids=str)
def test_what_a_group_element_moves_has_one_form(net):
    net = algatt.expression(net)
    theta = algatt.sample(net, algatt.Weights, seed=0)
    moved = theta
    for family in algatt.symmetries(net):
        moved = algatt.act(family.element(moved, seed=1), moved)
    assert moved != theta
    assert have_one_form(net, theta, moved)
    assert not have_one_form(net, theta, algatt.sample(net, algatt.Weights, seed=1))


def test_a_point_without_a_function_is_not_equal_to_anything():
    net = algatt.Network(Linear(2) >> RMSNorm(0) >> Linear(2), tokens=1, width=2)
    zero = {name: 0 * array for name, array in integers(net).items()}
    other = {**zero, list(zero)[-1]: np.ones((2, 2), dtype=np.int64)}
    with pytest.raises((InvalidArgument, algatt.errors.UndefinedFunction, algatt.errors.EquivalenceUndecided)):
        algatt.same_function(net, weights(net, zero, Rationals()), weights(net, other, Rationals()))


STREAM = Linear(4) >> Residual(Heads(2, mask=Causal())) >> Residual(Heads(2)) >> Residual(Heads(2))
DEEP = algatt.Network(STREAM >> Residual(Heads(2)) >> Residual(Heads(2)) >> Linear(2), tokens=3, width=60)
"""Five layers write to the stream: their atoms have more rows together than a sum may have."""


def gauged(theta, families, seed=1):
    for family in families:
        theta = algatt.act(family.element(theta, seed=seed), theta)
    return theta


def test_a_change_of_coordinates_of_a_deep_residual_stream_is_not_seen():
    """What the last layer of rank two does not see of the outputs before it is no change of coordinates."""
    theta = algatt.sample(DEEP, algatt.Weights, field=algatt.PrimeField(), seed=0)
    families = algatt.symmetries(DEEP)
    changes = [one for one in families if not isinstance(one, UnseenDirections)]
    assert {one.tensor for one in families if one not in changes} == {"heads_5.O_1", "heads_5.O_2"}
    moved = gauged(theta, changes)
    assert all(one != two for one, two in zip(theta.elements, moved.elements, strict=True))
    assert have_one_form(DEEP, theta, moved)


@pytest.mark.parametrize("place", range(0, 26, 5))
def test_a_change_of_one_entry_of_a_deep_network_is_seen(place):
    theta = algatt.sample(DEEP, algatt.Weights, field=algatt.PrimeField(), seed=0)
    assert not have_one_form(DEEP, theta, with_one_more(theta, place))


def with_one_more(theta, place):
    """Add one to the first entry of a tensor."""
    raw = np.array(theta.elements[place].raw)
    raw[0, 0] += 1
    return theta.replace([*theta.elements[:place], Elements(theta.field, raw), *theta.elements[place + 1 :]])


LIGHTNING = [
    ((2, 4, 4, 2), (2, 2, 2), 2),
    ((5, 2, 5, 5), (2, 2, 3), 3),
    ((3, 3, 3), (1, 1), 1),
    ((4,) * 5, (2,) * 4, 3),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), LIGHTNING)
def test_lightning_attention_of_any_depth_has_the_form_of_its_virtual_weights(dims, ranks, tokens):
    """HMK Equation 8; what inputs do not reach has no virtual weights."""
    arch = algatt.Lightning(dims, ranks, tokens)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    moved = gauged(theta, algatt.symmetries(arch))
    assert moved != theta
    assert have_one_form(arch, theta, moved)
    X = verbs.draw_array(theta.field, shape=(1, *arch.input_shape), seed=2, label="input")
    inputs = Elements(theta.field, X)
    value = verbs.evaluate(arch, theta, inputs)
    for place in range(len(moved.elements)):
        other = with_one_more(moved, place)
        equal = not np.any(verbs.evaluate(arch, other, inputs).raw != value.raw)
        assert have_one_form(arch, theta, other) == equal


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("layers", "width"),
    [
        (Experts(3, Feedforward(2, Power(2)), router=SoftmaxRouter(top=2, renormalize=True)), 3),
        (Residual(DifferentialHeads(1, 1, mask=Causal())), 2),
        (Linear(2) >> Unembedding(3, bias=True, reading=Probabilities()), 3),
    ],
)
def test_symmetries_keep_the_form(layers, width):
    net = algatt.Network(layers, tokens=2, width=width)
    theta = algatt.sample(net, algatt.Weights, seed=0)
    families = [family.element(theta, seed=1) for family in algatt.symmetries(net)]
    discrete = [one for symmetry in algatt.symmetry.discrete_symmetries(net) for one in symmetry.elements(theta.field)]
    assert families
    assert all(have_one_form(net, theta, algatt.act(one, theta)) for one in (*families, *discrete))


def test_of_a_matrix_that_all_tokens_have_in_common_two_entries_may_be_exchanged():
    """Layers make tokens C r_t; behind rank one C is a column, and of M_2 the symmetric part alone is seen."""
    field = algatt.PrimeField(31)
    arch = algatt.Lightning((2, 2, 2), (2, 2), 3)
    first, second, last = ([[1, 2], [3, 7]], [[1, 2], [5, 7]], [[1, 1], [0, 3]])
    for M, equal in ((np.outer([1, 2], [3, 4]), True), (np.array(first), False)):
        points = [algatt.VirtualWeights.of([M, N], last, field=field) for N in (np.array(second), np.array(second).T)]
        answer = algatt.same_function(arch, *points)
        assert (answer.equal, answer.status) == (equal, "proven")


def test_behind_a_mask_tokens_have_no_matrix_in_common():
    for mask, equal in ((None, True), (Causal(), False)):
        options = {} if mask is None else {"mask": mask}
        first = Heads(1, width=1, value_width=2, score=Unnormalized(), output=False, **options)
        net = algatt.Network(first >> Heads(1, width=2, value_width=2, score=Unnormalized(), output=False), 3, 2)
        theta = algatt.sample(net, algatt.Weights)
        Q, K, V = theta.elements[3:]
        assert have_one_form(net, theta, theta.replace([*theta.elements[:3], K, Q, V])) == equal


def test_entries_of_two_matrices_are_not_exchanged():
    field = Virtual(algatt.PrimeField())
    one, two, three = (field.atom((name,), 2) for name in "abc")
    field.moments.update({one.number: (7, 2), two.number: (8, 2), three.number: (7, 2)})
    numbers = Elements(field.base, verbs.embed(field.base, np.array([[1, 2], [3, 4]])))
    assert of_equal_moments(field, (one, two), numbers) is numbers
    assert of_equal_moments(field, (one, three), numbers).raw.tolist() == [[1, 5], [0, 4]]
