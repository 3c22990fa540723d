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
    GELU,
    Causal,
    DifferentialHeads,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    Probabilities,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftmaxRouter,
    Unembedding,
    Unnormalized,
)
from algatt.maps.virtual_form import have_one_form

HEADS = algatt.Network(Residual(Heads(2, mask=Causal())), tokens=3, width=4)
NORMED = algatt.Network(Residual(RMSNorm() >> Heads(2, mask=Causal())), tokens=3, width=4)
GATED = algatt.Network(Residual(Feedforward(3, SiLU(), gated=True)), tokens=2, width=4)
BIASED = algatt.Network(Residual(Feedforward(3, GELU(), bias=True)), tokens=2, width=4)
LINEAR = algatt.Network(Linear(3) >> Linear(2) >> Linear(3), tokens=2, width=3)


def integers(net, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.integers(-9, 10, shape) for name, shape in algatt.coordinates(net).items()}


def weights(net, tensors, field):
    return (
        algatt.Weights.of(tensors, field=field)
        if field == algatt.Reals()
        else algatt.Weights(
            tuple(Elements(field, verbs.embed(field, tensors[name])) for name in algatt.coordinates(net)),
            tuple(algatt.coordinates(net)),
        )
    )


def changed(tensors, **changes):
    return {**tensors, **{name.replace("__", "."): value for name, value in changes.items()}}


def special_pairs():
    """Yield a name, a network, and tensors of one function."""
    rng = np.random.default_rng(5)
    other = lambda array: rng.integers(-9, 10, array.shape)  # noqa: E731
    w = integers(HEADS)
    zero = changed(w, heads__V_1=0 * w["heads.V_1"])
    yield "no values", HEADS, zero, changed(zero, heads__K_1=other(w["heads.K_1"]), heads__O_1=other(w["heads.O_1"]))
    zero = changed(w, heads__O_2=0 * w["heads.O_2"])
    yield "no outputs", HEADS, zero, changed(zero, heads__V_2=other(w["heads.V_2"]))
    twice = changed(w, heads__V_1=w["heads.V_1"][[0, 0]])
    column = other(w["heads.O_1"][:, :1])
    yield "equal values", HEADS, twice, changed(twice, heads__O_1=w["heads.O_1"] + np.hstack([column, -column]))
    equal = changed(w, heads__Q_2=w["heads.Q_1"], heads__K_2=w["heads.K_1"])
    exchanged = {f"heads__{name}_{one}": w[f"heads.{name}_{3 - one}"] for name in "VO" for one in (1, 2)}
    yield "equal scores", HEADS, equal, changed(equal, **exchanged)
    zero = changed(w, heads__K_1=0 * w["heads.K_1"])
    yield "no keys", HEADS, zero, changed(zero, heads__Q_1=other(w["heads.Q_1"]))
    w = integers(GATED)
    up, gate, down = (w[f"feedforward.{name}"] for name in ("up", "gate", "down"))
    column = other(down[:, :1])
    equal = changed(w, feedforward__up=up[[0, 0, 2]], feedforward__gate=gate[[0, 0, 2]])
    spread = np.hstack([column, -column, 0 * column])
    yield "equal neurons", GATED, equal, changed(equal, feedforward__down=down + spread)
    dead = changed(w, feedforward__down=down * np.array([1, 0, 1]))
    rows = np.vstack([gate[:1], other(gate[1:2]), gate[2:]])
    yield "a dead neuron", GATED, dead, changed(dead, feedforward__gate=rows)
    equal = changed(w, feedforward__gate=gate[[0, 0, 2]])
    mixed = np.vstack([np.array([[2, 3], [1, 2]]) @ up[:2], up[2:]])
    back = np.hstack([down[:, :2] @ np.array([[2, -3], [-1, 2]]), down[:, 2:]])
    yield "equal gates", GATED, equal, changed(equal, feedforward__up=mixed, feedforward__down=back)
    w = integers(BIASED)
    once = np.array([[0], [1], [1]])
    zero = changed(w, feedforward__up=w["feedforward.up"] * once, feedforward__b_up=w["feedforward.b_up"] * once)
    down = w["feedforward.down"].copy()
    down[:, 0] = other(down[:, 0])
    yield "GELU(0) = 0", BIASED, zero, changed(zero, feedforward__down=down)
    w = integers(LINEAR)
    _, second, third = w
    low = {**w, second: w[second][[0, 0]]}
    column = other(w[third][:, :1])
    yield "a product of lower rank", LINEAR, low, {**low, third: w[third] + np.hstack([column, -column])}
    w = integers(NORMED)
    gain = next(name for name in w if name.endswith(".g"))
    zero = {**w, gain: w[gain] * np.array([[0], [1], [1], [1]]).reshape(w[gain].shape)}
    columns = {f"heads.{name}": zero[f"heads.{name}"].copy() for name in ("Q_1", "K_2", "V_1")}
    for array in columns.values():
        array[:, 0] = other(array[:, 0])
    yield "a zero in a gain", NORMED, zero, zero | columns


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


ROUTED = algatt.Network(Experts(2, Feedforward(2, Power(2)), router=SoftmaxRouter(top=1)), tokens=2, width=2)
ZOO = (
    HEADS,
    NORMED,
    GATED,
    BIASED,
    algatt.Network(Residual(LayerNorm() >> Heads(1, mask=Causal(), biases="QKVO")), tokens=2, width=3),
    algatt.Network(Residual(Heads(2, width=2, position=Rotary())), tokens=3, width=4),
    algatt.Network(Residual(Heads(2, width=2, score=Unnormalized())) >> Linear(2), tokens=2, width=3),
    algatt.Network(Embedding(4, 3) >> Residual(RMSNorm() >> Heads(1)) >> Unembedding(3), tokens=2),
    ROUTED,
    algatt.Lightning((2, 3, 2), (1, 2), 2),
    algatt.Softmax((2, 3, 2), (1, 2), 2),
)


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
    theta = algatt.sample(DEEP, algatt.Weights, field=algatt.PrimeField(), seed=0)
    moved = gauged(theta, algatt.symmetries(DEEP))
    assert moved != theta
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
