"""Shifts of several tensors at once that conditions join: of the values of all heads, of which the stream sees a sum.

With h heads of width k in a stream of width d, the sum of O_h v_h is any vector of the stream, of h k numbers. It has
to vanish: h k - d are left; or to be a multiple of ones, where LayerNorms alone read the stream: h k - d + 1 are left.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, dimension, same_function, verbs
from algatt.fields import Elements, Rationals, Reals
from algatt.geometry import SideBySide
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    Linear,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    Unembedding,
)
from algatt.symmetry import ShiftSymmetry
from written_networks import written

UP = Feedforward(6, GELU(), bias=True)
DOWN = Feedforward(6, GELU())


def block(norm: Layer, heads: Heads, feedforward: Feedforward) -> Layer:
    return Residual(norm >> heads) >> Residual(norm >> feedforward)


WIDE = Heads(2, width=3, mask=Causal())
JOINT = {
    # 2 * 2 - 4 + 1: with a bias of a LayerNorm, the matrices of values stand for the biases that they do not have
    "as wide as the stream": (block(LayerNorm(), Heads(2), UP), ["heads.V_1", "heads.V_2"], 1),
    "wider": (block(LayerNorm(), WIDE, UP), ["heads.V_1", "heads.V_2"], 3),
    "biases": (block(LayerNorm(), Heads(2, width=3, biases="V"), UP), ["heads.b_V_1", "heads.b_V_2"], 3),
    # nothing takes the multiple of ones out of the value: 2 * 3 - 4
    "the value sees the mean": (block(LayerNorm(), WIDE, DOWN), ["heads.V_1", "heads.V_2"], 2),
    "an RMSNorm sees the mean": (
        block(RMSNorm(), Heads(2, width=3, biases="V"), UP),
        ["heads.b_V_1", "heads.b_V_2"],
        2,
    ),
    # the first bias adds to those of values, for what queries without biases do not see: it is not joined with them
    "behind a bias that no norm takes up": (
        block(RMSNorm(), Heads(1, width=2, biases="VO"), UP) >> Residual(Heads(2, biases="V")) >> LayerNorm(),
        ["heads_2.b_V_1", "heads_2.b_V_2"],
        1,
    ),
}
"""Layers, the tensors to which entries of the vector are added, and the number of vectors."""

TWO = Network(2 * Residual(LayerNorm() >> Heads(2)) >> LayerNorm(), tokens=3, width=4)


def several_at_once(net: Network) -> list[ShiftSymmetry]:
    return [one for one in verbs.members(ShiftSymmetry, net) if one.shift.several]


def joint_of(name: str) -> tuple[Network, ShiftSymmetry]:
    net = Network(JOINT[name][0], tokens=3, width=4)
    (found,) = several_at_once(net)
    return net, found


@pytest.mark.parametrize("name", JOINT)
def test_values_of_all_heads_are_shifted_at_once(name, values_stay):
    _, tensors, count = JOINT[name]
    net, family = joint_of(name)
    assert [one.tensor for one in family.shift.parts] == tensors
    assert family.dimension == count
    theta = verbs.sample(net, Weights, field=PrimeField(), seed=4)
    assert verbs.rank(family.tangent_elements(theta)) == count
    assert values_stay(net, family)


@pytest.mark.parametrize("name", JOINT)
def test_with_them_the_bound_is_met_by_an_exact_rank_and_so_it_is_without_matrices(name):
    net, _ = joint_of(name)
    report = dimension(net)
    assert report.status == "proven"
    assert report.lower == report.upper == verbs.symbolic_symmetries(net).upper


def test_symbols_count_them_beside_what_depends_on_entries():
    """Keys and queries, values and outputs 16, the gain and the bias of the norm 8, columns of queries and keys, and
    biases of keys 12, and one of both values. Three numbers of the stream are read: 4 directions of outputs depend on
    entries, and are not counted.
    """
    net = Network(Residual(LayerNorm() >> Heads(2, biases="QK")) >> Linear(3), tokens=2, width=4)
    count = verbs.symbolic_symmetries(net)
    assert (count.dimension, count.complete) == (16 + 8 + 12 + 1, False)
    assert net.parameters - dimension(net).value == 41


def test_each_block_has_its_own():
    assert [one.tensors for one in several_at_once(TWO)] == [
        (f"{number}.heads.V_1", f"{number}.heads.V_2") for number in (1, 2)
    ]
    assert dimension(TWO).status == "proven"
    assert verbs.symbolic_symmetries(TWO).upper == dimension(TWO).value


def test_a_large_transformer_is_proven_where_all_heads_together_are_as_wide_as_the_stream():
    """Two heads stand for all of the others where these are not shifted together. The lower bound is a theorem that
    counts min(d, d - 1) constants of a block.
    """
    heads = Residual(LayerNorm() >> Heads(16, width=64, mask=Causal(), position=Rotary()))
    chain = Embedding(15000, 1024) >> 24 * (heads >> Residual(LayerNorm() >> Feedforward(1536, SiLU(), gated=True)))
    net = Network(chain >> LayerNorm() >> Unembedding(15000), tokens=9)
    report = dimension(net, points=SideBySide())
    assert (report.lower, report.status) == (report.upper, "proven")
    (joint,) = (one for one in verbs.symbolic_symmetries(net).quotients if one.name.endswith("with others"))
    assert (joint.dimension, joint.copies) == (1, 24)


OTHERS = (
    TWO,
    # all invertible matrices act on the stream in which the sum has to vanish
    Network(Embedding(5, 3) >> Heads(2, width=2, biases="V") >> Unembedding(4), tokens=2),
    Network(LayerNorm() >> Residual(Heads(2)) >> LayerNorm(), tokens=2, width=4),  # beside a gain that stays
    Network(Residual(LayerNorm() >> Heads(3, width=4)), tokens=3, width=3),  # values that outputs do not read
    # one vector by itself, on which all invertible matrices act: one matrix of values for both heads
    Network(Residual(RMSNorm() >> Heads(2, key_heads=1, width=3, biases="V")) >> LayerNorm(), tokens=3, width=3),
    # what is absorbed is moved by another shift, too
    Network(
        Residual(RMSNorm() >> Heads(2, width=2, biases="QKV")) >> Residual(Heads(1, biases="O")) >> LayerNorm(),
        tokens=2,
        width=4,
    ),
)


@pytest.mark.parametrize("field", [PrimeField(), Rationals(), Reals()], ids=repr)
@pytest.mark.parametrize("net", [*(Network(one[0], tokens=3, width=4) for one in JOINT.values()), *OTHERS], ids=str)
def test_points_of_one_orbit_have_one_normal_form_and_an_element_between_them(net, field):
    theta = verbs.sample(net, Weights, field=field, seed=1)
    moved = theta
    for family in algatt.symmetries(net):
        moved = verbs.act(family.element(moved, seed=3), moved)
    answer = same_function(net, theta, moved)
    assert answer.equal
    assert answer.element is not None
    forms = [verbs.canonical(net, one).elements for one in (theta, moved, verbs.canonical(net, theta))]
    for one, two, three in zip(*forms, strict=True):
        scale = 1 if field.exact else max(1.0, np.abs(one.raw).max())
        for other in (two, three):
            assert np.all(one.raw == other.raw) if field.exact else np.abs(one.raw - other.raw).max() < 1e-9 * scale


@pytest.mark.parametrize("field", [PrimeField(), Rationals(), Reals()], ids=repr)
@pytest.mark.parametrize("name", JOINT)
def test_by_vectors_of_which_a_sum_does_not_vanish_the_function_changes(name, field):
    net, family = joint_of(name)
    theta = verbs.sample(net, Weights, field=field, seed=1)
    moved = verbs.act(family.element_of(Elements.of(field, np.eye(family.size, 1, dtype=np.int64))), theta)
    if not field.characteristic:  # modulo p there are no exponentials
        assert not same_function(net, theta, moved).equal
    assert verbs.canonical(net, theta) != verbs.canonical(net, moved)


@pytest.mark.parametrize("field", [PrimeField(), Reals()], ids=repr)
@pytest.mark.parametrize(
    "net", [joint_of("wider")[0], joint_of("the value sees the mean")[0], TWO, OTHERS[2], OTHERS[3]], ids=str
)
def test_with_a_zero_in_a_gain_points_are_compared(net, field):
    theta = verbs.sample(net, Weights, field=field, seed=1)
    gain = next(name for name in theta.names() if name.endswith(".g"))
    pruned = theta.tensors[gain] * (1 - np.eye(theta.tensors[gain].shape[0], 1, dtype=np.int64))
    theta = theta.replace(list((theta.tensors | {gain: pruned}).values()))
    exchanged = verbs.act(verbs.discrete_symmetries(net)[0].elements(field)[0], theta)
    assert exchanged != theta
    assert same_function(net, theta, exchanged).equal


def test_a_certificate_has_those_for_which_there_are_words():
    narrow = Network(Residual(RMSNorm() >> Heads(2, width=2, biases="V")) >> RMSNorm(), tokens=2, width=3)
    certificate = algatt.certify(narrow)
    assert certificate.status == "proven"
    assert algatt.verify(certificate).ok


def test_a_certificate_without_them_has_the_bound_of_the_others():
    """That a sum is a multiple of ones words do not show."""
    certificate = algatt.certify(joint_of("as wide as the stream")[0])
    assert certificate.claim == "a dimension of at least 95 and at most 96"
    assert algatt.verify(certificate).ok


def test_heads_narrower_than_the_stream_have_none():
    net = Network(block(LayerNorm(), Heads(2, width=1), UP), tokens=3, width=4)
    assert not several_at_once(net)
    assert dimension(net).status == "proven"


def test_what_moves_nothing_at_random_weights_is_none():
    """(1 + B + D) times a column with sum zero has to vanish: 2 conditions, where rows and matrices show 3 at most. So
    no vectors are known of 4 numbers less 3.
    """
    shapes = dict.fromkeys("VWBD", (3, 3)) | {"O": (3, 2), "P": (3, 2), "v": (2, 1), "w": (2, 1)}

    def value(w, X):
        one = X + w.O @ (w.V[:2] @ X + w.v) + w.P @ (w.W[:2] @ (X * X) + w.w)
        return one.centre() + w.B @ one.centre() + w.D @ (w.V @ one.centre())

    net = written(shapes, value)
    assert not several_at_once(net)
    assert all(family.dimension for family in verbs.symmetries(net))
