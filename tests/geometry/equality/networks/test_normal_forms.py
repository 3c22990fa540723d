"""Normal forms of networks: of the same function, and one for each orbit."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument, NoNormalForm
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.networks.element import element_between
from algatt.geometry.equality.networks.normal_forms.isometries import isometry
from algatt.geometry.equality.networks.normal_forms.sorting import sorted_order
from algatt.layers import (
    GELU,
    Affine,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Tanh,
    Tie,
    Unembedding,
    Unnormalized,
)
from algatt.symmetry import discrete_symmetries

FIELD = algatt.PrimeField()

RATIONAL = {
    "ReLU": algatt.Network(
        Residual(RMSNorm(gain=False) >> Heads(4, key_heads=2, score=Unnormalized()))
        >> Residual(Feedforward(3, ReLU())),
        3,
        8,
    ),
    "squares": algatt.Network(
        Residual(Feedforward(3, Power(2))) >> Residual(Feedforward(2, Power(3), gated=True)), 2, 3
    ),
    "biases": algatt.Network(Residual(Heads(3, biases="QKVO", score=Affine(1, 1), mask=Causal())), 3, 6),
    "experts": algatt.Network(Residual(Heads(2, score=Unnormalized())) >> Experts(3, Feedforward(2, Power(2))), 3, 4),
    "rotary": algatt.Network(Residual(Heads(2, width=4, position=Rotary())), 3, 4),
    "signs": algatt.Network(Residual(Feedforward(3, Tanh(), bias=True)), 2, 3),
    "linear stream": algatt.Network(Embedding(5, 4) >> Residual(Feedforward(3, GELU())) >> Unembedding(5), 3),
    "wide heads": algatt.Network(Residual(Heads(2, width=5)), 3, 3),
    "wide heads of a linear stream": algatt.Network(
        Embedding(5, 3) >> Residual(Heads(2, width=4)) >> Unembedding(5), 3
    ),
    "more heads than dimensions": algatt.Network(
        Residual(Heads(4, key_heads=1, width=1, score=Unnormalized())) >> Residual(Feedforward(3, Power(2))), 3, 3
    ),
}
"""Networks with normal forms that need no roots."""

ROOTS = {
    "RMSNorm": algatt.Network(
        Embedding(5, 4) >> Residual(RMSNorm() >> Feedforward(3, SiLU(), gated=True)) >> RMSNorm() >> Unembedding(5), 2
    ),
    "LayerNorm": algatt.Network(
        Embedding(7, 4)
        >> LearnedPosition()
        >> Residual(LayerNorm() >> Heads(2))
        >> Residual(LayerNorm(gain=False, bias=False) >> Feedforward(3, GELU(), bias=True))
        >> LayerNorm()
        >> Unembedding(6),
        3,
    ),
    "tied embeddings": algatt.Network(
        Tie(Embedding(6, 4) >> Residual(Feedforward(3, GELU())) >> Unembedding(6), {"unembedding.U": "embedding.E"}), 3
    ),
    "both norms": algatt.Network(
        Embedding(7, 4) >> Residual(RMSNorm() >> Heads(2)) >> LayerNorm(bias=False) >> Unembedding(5), 3
    ),
}
"""Networks whose streams orthogonal matrices move."""


def weights(net, field, seed):
    if field != Rationals():
        return algatt.sample(net, algatt.Weights, field=field, seed=seed)
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(31), seed=seed)
    return theta.replace([Elements.of(field, 2 * one.raw.astype(np.int64) - 31) for one in theta.elements])


def moved(net, theta, seed):
    """Return weights after random elements, but those over Q that have to be positive, and discrete symmetries."""
    for family in algatt.symmetries(net):
        if theta.field != Rationals() or "+" not in str(family.group):
            theta = algatt.act(family.element(theta, seed), theta)
    elements = [one for family in discrete_symmetries(net) for one in family.elements(theta.field)]
    for number in np.random.default_rng(seed).integers(len(elements), size=2 * len(elements)):
        theta = algatt.act(elements[number], theta)
    return theta


@pytest.mark.parametrize("field", [FIELD, Rationals()], ids=str)
@pytest.mark.parametrize("name", RATIONAL)
def test_normal_forms_are_exactly_one_for_each_orbit(name, field):
    net = RATIONAL[name]
    theta = weights(net, field, seed=1)
    image = moved(net, theta, seed=2)
    form = algatt.canonical(net, theta)
    assert image != theta != form
    assert algatt.canonical(net, image) == form
    assert algatt.canonical(net, form) == form
    assert algatt.act(algatt.geometry.normal_form_map(net, theta), theta) == form


@pytest.mark.parametrize("name", ROOTS)
def test_orthogonal_streams_have_normal_forms_over_prime_fields(name):
    net = ROOTS[name]
    for field in (FIELD, algatt.PrimeField(2147483647)):
        theta = weights(net, field, seed=1)
        form = algatt.canonical(net, theta)
        assert algatt.canonical(net, moved(net, theta, seed=2)) == form
        assert algatt.canonical(net, form) == form
        assert algatt.act(element_between(net, theta, form), theta) == form


@pytest.mark.parametrize("name", ROOTS)
def test_over_the_rational_numbers_roots_are_refused(name):
    net = ROOTS[name]
    with pytest.raises(NoNormalForm, match=r"stream is moved by orthogonal matrices: over QQ .* square roots"):
        algatt.canonical(net, weights(net, Rationals(), seed=1))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*RATIONAL, *ROOTS])
def test_normal_forms_of_floats_have_the_values_and_are_one_for_each_orbit(name):
    net = {**RATIONAL, **ROOTS}[name]
    theta = weights(net, algatt.Reals(), seed=1)
    form = algatt.canonical(net, theta)
    for other in (algatt.canonical(net, moved(net, theta, seed=2)), algatt.canonical(net, form)):
        for one, two in zip(form.elements, other.elements, strict=True):
            assert np.allclose(one.raw, two.raw, rtol=1e-7, atol=1e-7)
    X = algatt.sample_inputs(net, field=algatt.Reals(), seed=3, count=2)
    assert np.allclose(algatt.evaluate(net, form, X), algatt.evaluate(net, theta, X))


def test_other_functions_have_other_normal_forms():
    net = RATIONAL["squares"]
    theta = weights(net, FIELD, seed=1)
    arrays = list(theta.elements)
    arrays[0] = arrays[0] + np.eye(*arrays[0].shape, dtype=np.int64)
    assert algatt.canonical(net, theta) != algatt.canonical(net, theta.replace(arrays))


def test_weights_that_are_not_generic_and_spaces_without_a_form_are_named():
    net = RATIONAL["linear stream"]
    theta = weights(net, FIELD, seed=1)
    zero = theta.replace([one - one for one in theta.elements])
    with pytest.raises(NoNormalForm, match="no tensor of stream"):
        algatt.canonical(net, zero)
    net = ROOTS["LayerNorm"]
    theta = weights(net, FIELD, seed=1)
    with pytest.raises(NoNormalForm, match=r"the fibre of norm_1\.g has no standard position"):
        algatt.canonical(net, theta.replace([one * int(n != "norm_1.g") for n, one in theta.tensors.items()]))


def test_a_number_that_is_added_to_a_bias_is_no_vector_that_makes_an_entry_of_it_zero():
    """One neuron reads the bias, so that one number in all entries is a shift as well: IndexError was raised."""
    net = algatt.Network(LayerNorm() >> Feedforward(1, SiLU(), bias=True), 2, 3)
    theta = weights(net, algatt.Reals(), seed=1)
    zero = theta.replace(
        [one * np.array([[0], [1], [1]]) if n == "norm.g" else one for n, one in theta.tensors.items()]
    )
    form = algatt.canonical(net, zero)
    assert form["norm.g"].tolist() == [[1], [1], [1]]
    assert algatt.same_function(net, zero, form).equal
    assert not algatt.same_function(net, theta, form).equal


@pytest.mark.parametrize("zeros", [1, 4])
def test_what_a_zero_in_a_gain_hides_has_one_form(zeros):
    net = ROOTS["RMSNorm"]
    theta = weights(net, FIELD, seed=1)
    seen = (np.arange(4) >= zeros).astype(int)
    tensors = {**theta.tensors, "norm_1.g": theta.tensors["norm_1.g"] * seen[:, None]}
    zero = theta.replace(list(tensors.values()))
    readers = ("feedforward.up", "feedforward.gate")
    hidden = {name: tensors[name] + 7 * (1 - seen[None, :]) for name in readers}
    other = theta.replace(list({**tensors, **hidden}.values()))
    form = algatt.canonical(net, zero)
    assert form != zero != other
    assert algatt.canonical(net, other) == algatt.canonical(net, form) == form
    assert algatt.canonical(net, theta) != form
    assert algatt.same_function(net, zero, form).equal
    seen_columns = {name: tensors[name] + 7 * seen[None, :] for name in readers}
    changed = theta.replace(list({**tensors, **seen_columns}.values()))
    assert (algatt.canonical(net, changed) != form) == (zeros < 4)


def test_heads_that_mix_behind_a_layernorm_have_a_normal_form():
    """The embedding moves as the queries do, so that their product is left to the mixture."""
    heads = Heads(3, key_heads=1, width=2, score=Unnormalized())
    net = algatt.Network(Embedding(5, 4) >> Residual(LayerNorm() >> heads) >> LayerNorm() >> Unembedding(5), 3)
    theta = weights(net, FIELD, seed=1)
    image = moved(net, theta, seed=2)
    assert image != theta
    assert algatt.canonical(net, image) == algatt.canonical(net, theta)


def test_spaces_without_a_form_are_named():
    """A stream that is read before its means are subtracted."""
    net = algatt.Network(Embedding(6, 4) >> Residual(Heads(2)) >> LayerNorm() >> Unembedding(5), 3)
    with pytest.raises(NoNormalForm, match="space stream"):
        algatt.canonical(net, weights(net, FIELD, seed=1))


def test_floats_that_may_be_one_number_are_not_put_into_order():
    rows = Elements.of(algatt.Reals(), [[1.0, 2.0], [1.0 + 1e-8, 1.0]])
    with pytest.raises(NoNormalForm, match="floats do not decide an order"):
        sorted_order(rows)
    assert sorted_order(Elements.of(algatt.Reals(), [[1.0, 2.0], [1.0 + 1e-14, 1.0]])) == ((1, 0), True)


def test_what_may_be_one_number_depends_on_how_many_bits_are_known():
    """Two numbers that differ by 3e-4 are two in float64; in float32 what was computed from some may differ by that."""
    rows = [[1.0, 2.0], [1.0 + 3e-4, 1.0]]
    assert sorted_order(Elements.of(algatt.Reals(), rows)) == ((0, 1), True)
    with pytest.raises(NoNormalForm, match="may be one number"):
        sorted_order(Elements(algatt.Reals(precision=24), np.array(rows)))


@pytest.mark.parametrize("name", ["ReLU", "more heads than dimensions", "linear stream"])
def test_moved_weights_that_are_rounded_to_float32_have_the_form_of_the_others(name):
    """Weights of 1 and -1 have many ties, which rounding must not decide: the form is that of the exact ones."""
    net = RATIONAL[name]
    theta = weights(net, algatt.Reals(), seed=1)
    theta = theta.replace([Elements(one.field, np.sign(one.raw)) for one in theta.elements])
    other = moved(net, theta, seed=2)
    single = algatt.Reals(precision=24)
    rounded = other.replace([Elements(single, one.raw.astype(np.float32).astype(float)) for one in other.elements])
    for one, expected in zip(
        algatt.canonical(net, rounded).elements, algatt.canonical(net, theta).elements, strict=True
    ):
        assert np.allclose(one.raw, expected.raw, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("p", [31, 8388593])
def test_isometries_have_the_products_that_they_were_made_of(p):
    field = algatt.PrimeField(p)
    for seed in range(5):
        draw = np.random.default_rng(seed)
        B = Elements.of(field, np.eye(4, dtype=np.int64) * draw.integers(1, p, size=4))
        A = Elements.of(field, draw.integers(1, p, size=(4, 4)))
        G = A @ B @ A.T
        try:
            R = isometry(G, B, "stream")
        except NoNormalForm:
            assert p == 31  # a minor may vanish
            continue
        assert np.array_equal((R @ B @ R.T).raw, G.raw)


def test_bad_points():
    net = RATIONAL["squares"]
    with pytest.raises(InvalidArgument, match="theta"):
        algatt.canonical(net, weights(RATIONAL["rotary"], FIELD, seed=1))
    with pytest.raises(InvalidArgument, match="theta"):
        algatt.canonical(net, algatt.sample(net, algatt.Weights, field=algatt.Balls(), seed=1))
