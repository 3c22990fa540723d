"""Bounds from pieces, beside ranks of whole Jacobians by FLINT, theorems and random points."""

from __future__ import annotations

import dataclasses
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import verbs
from algatt.errors import ConditionFailed
from algatt.fields import Elements, PrimeField
from algatt.geometry import Copies, RandomPoints
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.structure.cut import PIECES, Cut, cut_attention, cut_blocks
from algatt.geometry.dimensions.structure.dimension import sizes_beside
from algatt.geometry.dimensions.structure.pieces import attempt_by_pieces
from algatt.layers import (
    Causal,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Parallel,
    Residual,
    RMSNorm,
    Rotary,
    Sigmoid,
    SiLU,
    SoftCap,
    Tanh,
    TanhGELU,
)

FIELD = PrimeField()


def attempt_of(cut: Cut) -> Any:
    """Both bounds of a network from its pieces."""
    return attempt_by_pieces(Question(cut.arch), cut, FIELD)


AFFINE = algatt.layers.Affine(1, 1)


def rank_by_flint(matrix: np.ndarray) -> int:
    entries = [int(entry) for entry in matrix.ravel().tolist()]
    return int(flint.nmod_mat(*matrix.shape, entries, FIELD.p).rank())


def reached(cut: Cut, shape: tuple[int, ...], members: tuple[int, ...]) -> np.ndarray:
    """Return which entries of a tensor of the whole network are in the hub or in some copies."""
    return np.asarray(np.isin(cut.parts(shape, cut.count), (0, *members)).all(axis=-1))


def network_of(layer: Any, tokens: int = 3) -> algatt.Network:
    return algatt.Network(layer, tokens=tokens, width=8)


HEADS = Heads(2, key_heads=1, mask=Causal(), position=Rotary())

GATED = Feedforward(12, SiLU(), gated=True)

CUTS = {
    "lightning": cut_attention(algatt.Lightning((8, 7, 8), (4, 5), 3), 3),
    "as many tokens as coordinates": cut_attention(algatt.Lightning((8, 8, 8), (8, 8), 8), 3),
    "softmax": cut_attention(algatt.Softmax((8, 8, 6), (4, 5), 3), 3),
    "quotients": cut_attention(algatt.Normalized((8, 7), (4,), 2, AFFINE), 3),
    "heads and neurons": cut_blocks(
        network_of(Residual(RMSNorm(0.5) >> HEADS) >> Residual(RMSNorm() >> GATED)), 3, 1, [12]
    ),
    "heads beside neurons": cut_blocks(network_of(RMSNorm() >> Parallel(HEADS, GATED)), 3, 1, [12]),
    "GELU": cut_blocks(network_of(2 * Residual(RMSNorm() >> Feedforward(12, TanhGELU()))), 3, 2, [12]),
    "full heads": cut_blocks(network_of(2 * Residual(RMSNorm(gain=False) >> Heads(1))), 3, 2, []),
}


def check_rows(cut: Cut, members: tuple[int, ...], scale: float = 1.0) -> None:
    """Check that at inputs that are zero but in some copies and the hub all entries of the value there have the
    derivatives of the piece, and none with respect to other parameters.
    """
    field, part = algatt.Reals(), cut.network(len(members))
    X = np.random.default_rng(0).normal(size=part.input_shape)
    whole = np.zeros(cut.arch.input_shape)
    whole[reached(cut, (len(whole), 1), members)[:, 0]] = X
    piece, large = (
        theta.replace([element * scale for element in theta.elements])
        for theta in (cut.weights(copies, field, 2) for copies in (len(members), cut.count))
    )
    expected = verbs.jacobian(part, piece, Elements(field, X)).raw
    rows = verbs.jacobian(cut.arch, large, Elements(field, whole)).raw
    rows = rows.reshape(*cut.arch.output_shape, -1)[reached(cut, (cut.arch.output_shape[0], 1), members)[:, 0]]
    columns = np.concatenate([reached(cut, shape, members).ravel() for shape in cut.tensors.values()])
    assert np.allclose(rows[..., columns].reshape(expected.shape), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    assert not rows[..., ~columns].any()


@pytest.mark.parametrize("members", [(1,), (3,), (1, 3)], ids=str)
@pytest.mark.parametrize("name", CUTS)
def test_rows_of_the_whole_network_are_those_of_its_pieces(name: str, members: tuple[int, ...]) -> None:
    assert CUTS[name].obstacle() is None
    check_rows(CUTS[name], members)


@st.composite
def layers(draw: st.DrawFn) -> Any:
    score, norm = (
        draw(st.sampled_from(kinds)) for kinds in ((None, AFFINE, SoftCap(2)), (None, RMSNorm(), LayerNorm()))
    )
    biases, mask = draw(st.sampled_from(("", "QKV", "O"))), draw(st.sampled_from((None, Causal())))
    heads = Heads(2, width=draw(st.integers(1, 3)), value_width=2, score=score, norm=norm, biases=biases, mask=mask)
    activation = draw(st.sampled_from((SiLU(), TanhGELU(), Tanh(), Sigmoid())))
    neurons = Feedforward(draw(st.sampled_from((3, 8, 12))), activation, draw(st.booleans()), draw(st.booleans()))
    inner = draw(st.sampled_from((heads, neurons, Parallel(heads, neurons), Linear(8), Linear(16) >> Linear(8))))
    before = draw(st.sampled_from((RMSNorm(), RMSNorm(), RMSNorm(gain=False), LayerNorm())))
    return draw(st.sampled_from((inner, before >> inner, Residual(before >> inner), Residual(inner))))


@given(layers(), layers())
@settings(max_examples=12)
def test_networks_without_an_obstacle_are_of_parts(one: Any, two: Any) -> None:
    net = network_of(one >> two)
    cut = cut_blocks(net, 2, 1, sizes_beside(net)[1])
    if cut.obstacle() is None:
        check_rows(cut, (2,), 0.25)


def whole_jacobian(cut: Cut, inputs_of_each: int) -> np.ndarray:
    """Return the rows of the whole network at the structured weights: all entries of the value at random inputs in the
    hub and one copy, or two.
    """
    theta = cut.weights(cut.count, FIELD, 0)
    random = np.random.default_rng(3)
    copies = range(1, cut.count + 1)
    inputs = []
    for members in [(g,) for g in copies] + [(g, h) for g in copies for h in copies if g < h]:
        for _ in range(inputs_of_each):
            X = np.zeros(cut.arch.input_shape, dtype=np.int64)
            rows = np.flatnonzero(reached(cut, (cut.arch.input_shape[0], 1), members))
            X[rows] = random.integers(FIELD.p, size=(len(rows), cut.arch.tokens))
            inputs.append(X)
    return np.asarray(verbs.jacobian(cut.arch, theta, Elements(FIELD, np.stack(inputs))).raw)


@pytest.mark.parametrize(
    ("arch", "count"),
    [
        (algatt.Lightning((6, 6, 6), (3, 3), 2), 2),
        (algatt.Lightning((6, 4, 4), (2, 2), 2), 1),
        (algatt.Lightning((5, 4), (2,), 3), 2),
        (algatt.Normalized((6, 4, 4), (3, 2), 3, AFFINE), 1),
    ],
    ids=str,
)
def test_the_sum_of_the_blocks_is_the_rank_of_the_whole_jacobian_by_flint(arch: Any, count: int) -> None:
    cut = cut_attention(arch, count)
    attempt = attempt_of(cut)
    assert attempt.proven
    assert attempt.lower.value == rank_by_flint(whole_jacobian(cut, 12 // count)) == algatt.dimension(arch).value


@pytest.mark.parametrize("width", [64, 128, 512])
def test_large_networks_have_the_dimension_of_the_theorem(width: int) -> None:
    arch = algatt.Lightning((width,) * 3, (width // 2,) * 2, 4)
    report = algatt.dimension(arch)
    half = width // 2  # HMK Eq 14
    assert report.value == 2 * (half * (2 * width - half) + width**2) - width**2 - 2
    assert report.status == "proven"
    assert report.pieces is not None
    assert report.pieces.copies == half - 1
    removed = {family.name: family.removes for family in report.symmetries}
    assert removed == {"interlayer": width**2, "key-query": 2 * half**2, "rescaling": 2}


def test_a_large_softmax_network_has_the_dimension_of_the_conjecture() -> None:
    report = algatt.dimension(algatt.Softmax((64, 64, 64), (32, 32), 4))
    assert (report.value, report.status) == (10240, "proven")  # as random points said, HMK Eq 16
    assert report.pieces is not None
    assert report.conditions is not None


def test_softmax_by_pieces_is_softmax_at_random_points() -> None:
    arch = algatt.Softmax((8, 6, 7), (4, 3), 3)
    by_pieces, at_random = (algatt.dimension(arch, points=points) for points in (Copies(2), RandomPoints()))
    assert (by_pieces.value, by_pieces.status) == (at_random.value, at_random.status) == (at_random.value, "proven")


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    layers = draw(st.integers(1, 2))
    dims = draw(st.lists(st.integers(2, 5), min_size=layers + 1, max_size=layers + 1))
    ranks = draw(st.lists(st.integers(1, 4), min_size=layers, max_size=layers))
    arch: Any = algatt.Lightning(tuple(dims), tuple(ranks), draw(st.integers(1, 3)))
    if draw(st.booleans()):
        arch = algatt.Normalized(arch.dims, arch.ranks, arch.tokens, AFFINE)
    return cut_attention(arch, draw(st.integers(1, min(dims[:-1]) - 1)))


def test_matrices_of_one_row_are_zero_between_parts() -> None:
    """A gain is of all parts, but queries of one row that read all of them would join these in the second layer."""
    cut = cut_attention(algatt.Lightning((3, 3, 2), (1, 1), 1), 2)
    assert all((one.raw[0, 1:] == 0).all() for one in cut.weights(2, PrimeField(), 0).elements if one.shape == (1, 3))
    attempt = attempt_of(cut)
    assert attempt.lower.value <= algatt.dimension(cut.arch).value <= attempt.upper.value
    heads = Residual(RMSNorm() >> Heads(2, width=1)) >> Residual(RMSNorm() >> Feedforward(9, SiLU(), gated=True))
    report = algatt.dimension(algatt.Network(heads, tokens=3, width=8), points=Copies(3))
    assert (report.lower, report.upper) == (algatt.dimension(report.architecture).value,) * 2


@given(cuts())
@settings(max_examples=8)
def test_bounds_by_pieces_hold(cut: Cut) -> None:
    """Whatever is cut: not above what random points prove from above, nor what the theorem says, and the other way
    around from above.
    """
    attempt = attempt_of(cut)
    report = algatt.dimension(cut.arch, points=RandomPoints())
    assert report.lower is not None
    assert report.upper is not None
    assert attempt.lower.value <= report.upper
    assert attempt.upper.value >= report.lower
    expected = algatt.expected_dimension(cut.arch)
    assert expected is None or attempt.lower.value <= expected <= attempt.upper.value


@given(cuts())
@settings(max_examples=15)
def test_pieces_have_every_parameter_once(cut: Cut) -> None:
    assert sum(times * int(cut.own(piece).sum()) for piece, times in cut.pieces()) == cut.arch.parameters


def test_pieces_that_share_parameters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Cut.owned

    def greedy(self: Cut, shape: tuple[int, int], piece: int) -> np.ndarray:
        hub = (self.parts(shape, PIECES[piece][1]) == 0).all(axis=-1)
        return honest(self, shape, piece) | (hub & (piece == 1))

    monkeypatch.setattr(Cut, "owned", greedy)
    with pytest.raises(ConditionFailed, match="each parameter once"):
        attempt_by_pieces(
            Question(algatt.Lightning((8, 8, 8), (4, 4), 3)),
            cut_attention(algatt.Lightning((8, 8, 8), (4, 4), 3), 3),
            FIELD,
        )


@pytest.mark.sample(0)
def test_bounds_that_do_not_meet_are_probable() -> None:
    """Six queries in a hub one wide are not seen; and parallel tokens are no change of coordinates, but the rank of
    what the function sees is that which they leave.
    """
    arch = algatt.Lightning((8, 8, 8), (6, 6), 3)
    short = algatt.dimension(arch, points=Copies(7))
    assert (short.status, short.error) == ("probable", 1.0)
    assert short.lower is not None
    assert short.lower < algatt.expected_dimension(arch)
    report = algatt.dimension(algatt.Lightning((5, 5, 5), (1, 3), 3), points=Copies(1))
    assert (report.status, report.lower) == ("probable", 47)  # which parallel tokens prove
    assert report.witness is not None
    assert report.upper is not None
    assert report.unexplained == report.upper - report.witness.value == report.upper - 47 > 0
    assert report.error == report.witness.error < 1e-9


def test_a_report_says_its_pieces() -> None:
    report = algatt.dimension(algatt.Lightning((16, 16, 16), (8, 8), 4), points=Copies(7))
    assert report.status == "proven"
    assert report.pieces is not None
    listed = report.to_dict()["pieces"]
    assert [(one["name"], one["times"]) for one in listed] == [
        ("hub and copy", 1),
        ("copy", 6),
        ("pair of copies", 21),
    ]
    assert sum(one["times"] * one["lower"] for one in listed) == report.value == 638  # HMK Eq 14
    assert sum(one["times"] * one["parameters"] for one in listed) == report.parameters
    assert str(report.pieces) in str(verbs.summarize(report).rows)
    assert dataclasses.replace(report, evidence=None).to_dict()["pieces"] is None
