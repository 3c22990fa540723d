"""Shifts by whole vectors: each is a symmetry at random weights, exactly."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.architectures.network import program as program_of
from algatt.errors import NoValue
from algatt.fields import Elements, Positive
from algatt.fields.motions import arithmetic
from algatt.layers import (
    Affine,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    RelativeBias,
    Residual,
    Rotary,
    Tie,
    TypedEmbedding,
    Unembedding,
)
from algatt.programs import Program
from algatt.symmetry.motions.shifts import solve_shifts
from algatt.symmetry.quotients.gains import fold_gains
from algatt.symmetry.quotients.norms import NormBiasSymmetry, find_norm_biases
from algatt.symmetry.quotients.sight import find_unseen
from random_programs import Programs
from small_programs import small_program
from written_networks import written

FIELD = PrimeField(8388593)


def tensors_of(program: Program, seed: int) -> dict[str, Elements]:
    """Return random folded tensors."""
    return {
        name: Elements(FIELD, verbs.draw_array(FIELD, shape=shape, seed=seed, label=name))
        for name, shape in program.tensors.items()
    }


def rows(tangents: dict[str, Elements], tensors: dict[str, Elements]) -> np.ndarray:
    """Return stacks of tangents as rows."""
    count = next(iter(tangents.values())).shape[0]
    parts = [
        np.asarray(tangents[name].raw).reshape(count, int(np.prod(one.shape)))
        if name in tangents
        else np.zeros((count, int(np.prod(one.shape))), dtype=np.int64)
        for name, one in tensors.items()
    ]
    return np.concatenate(parts, axis=1)


def rank(parts: list[np.ndarray]) -> int:
    """Return the rank of rows together."""
    return int(verbs.rank(Elements(FIELD, np.concatenate(parts)))) if parts else 0


def others(net: Network, program: Program, tensors: dict[str, Elements]) -> list[np.ndarray]:
    """Return what biases of norms and entries that nothing sees move weights by."""
    _, fold = fold_gains(program_of(net))
    found = []
    if not fold.gains:
        theta = verbs.sample(net, Weights, field=FIELD, seed=0)
        theta = theta.replace([tensors.get(name, one) for name, one in theta.tensors.items()])
        for bias in find_norm_biases(program):
            found += [rows(part, tensors) for part in NormBiasSymmetry(net, bias, fold).tangent_parts(theta)]
    for one in find_unseen(program):
        units = np.zeros((len(one.rows), *tensors[one.tensor].shape), dtype=np.int64)
        units[np.arange(len(one.rows)), list(one.rows), list(one.columns)] = 1
        found.append(rows({one.tensor: Elements.of(FIELD, units)}, tensors))
    return found


def moved(net: Network) -> int:
    """Return the rank of what shifts move weights by, with biases of norms and what nothing sees."""
    program, _ = fold_gains(program_of(net))
    tensors = tensors_of(program, 0)
    found = others(net, program, tensors)
    for one in solve_shifts(program, units=net.units).shifts:
        found.append(rows(one.tangents(tensors), tensors))
        assert len(found[-1]) == one.size - one.rank
    return rank(found)


def random_program(seed: int, *steps: str) -> Network:
    """Return a random network of few parameters."""
    programs = (Programs(seed * 1000 + attempt, steps).network() for attempt in range(1000))
    return next(net for net in programs if net.parameters <= 60)


def check_elements(net: Network) -> None:
    """Check that finite shifts leave values at random inputs as they are, exactly."""
    program, fold = fold_gains(program_of(net))
    if fold.gains:
        return
    theta = verbs.sample(net, Weights, field=FIELD, seed=1)
    X = Elements(FIELD, verbs.draw_array(FIELD, shape=(4, *net.input_shape), seed=2, label="inputs"))
    try:
        before = verbs.evaluate(net, theta, X)
    except NoValue:
        return
    for shift in solve_shifts(program, units=net.units).shifts:
        basis = shift.vectors(theta.tensors)
        v = basis @ Elements(FIELD, verbs.draw_array(FIELD, shape=(basis.shape[1], 1), seed=3, label=shift.name))
        changes = shift.changes(theta.tensors, v)
        changed = [one + changes[name] if name in changes else one for name, one in theta.tensors.items()]
        try:
            after = verbs.evaluate(net, theta.replace(changed), X)
        except NoValue:
            continue
        assert not (before - after).raw.any(), shift.name


STEPS = ((), ("heads",), ("add", "neurons"))


@pytest.mark.sample(7)
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("seed", [*range(1000, 1014), 1038])
def test_random_programs(seed, steps):
    net = random_program(seed, *steps)
    check_elements(net)
    moved(net)


NETWORKS = {
    "norms, biases and tokens": Network(
        Embedding(5, 4)
        >> LearnedPosition()
        >> Residual(LayerNorm() >> Heads(2, width=2, biases="QKVO", mask=Causal()))
        >> Residual(LayerNorm() >> Feedforward(3, bias=True))
        >> LayerNorm()
        >> Unembedding(5, bias=True),
        tokens=3,
    ),
    "biases of distances": Network(Heads(2, width=2, position=RelativeBias(4, 4), mask=Causal()), tokens=3, width=4),
    "rows that are not turned": Network(
        LayerNorm() >> Heads(1, width=4, position=Rotary(width=2), biases="QKV"), tokens=3, width=4
    ),
    "a gain that stays": Network(LayerNorm() >> Residual(Feedforward(3, bias=True)) >> LayerNorm(), tokens=2, width=4),
}


RANKS = {
    "norms, biases and tokens": 60,
    "biases of distances": 6,
    "rows that are not turned": 18,
    "a gain that stays": 11,
}
"""What a search for the shifts of each tensor by itself, which shared no code with that by whole vectors, found."""


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name):
    assert moved(NETWORKS[name]) == RANKS[name]


def test_a_constant_beside_a_column_is_no_constant():
    """The columns of a constant are W X's alone: what is added to b is seen."""
    net = small_program(lambda w, X: (w.W @ X + (w.b + np.array([[1, 2]] * 3))) * X, "W b")
    assert solve_shifts(program_of(net), units=None).shifts == ()


def test_what_depends_on_what_moves_is_no_translation():
    """With b also W moves, by - W v 1^T / 1^T b: only a v with W v = 0 may be added to b alone."""
    net = small_program(lambda w, X: w.W @ (X.centre() + w.b), "W b")
    assert solve_shifts(program_of(net), units=None).shifts == ()


def test_signs_are_seen_by_gates():
    """A row is r = q * (r / q), but a factor may change signs."""
    net = written({"a": (1, 3), "B": (1, 3)}, lambda w, X: (w["a"] @ X).entrywise(Positive()) * (w["B"] @ X))
    assert solve_shifts(program_of(net), units=None).shifts == ()


def test_a_row_that_is_divided_by_itself_is_not_seen():
    def quotient(w, X):
        row = w["a"] @ X
        return row * row.reciprocal() * (w["B"] @ X)

    net = written({"a": (1, 3), "B": (1, 3)}, quotient)
    (shift,) = solve_shifts(program_of(net), units=None).shifts
    assert (shift.name, shift.size, shift.conditions, shift.absorbed) == ("rows of a", 3, (), ())


def test_one_row_of_scores_is_divided_by_its_sum():
    """Pooling by one query q: scores see 3 numbers, K^T q, and nothing of the bias b; shares have the sum 1, so that c
    is absorbed by d: O V are 6 + 6 - 4 numbers, and O c + d are 3.
    """

    def pooled(w, X):
        e = (w["q"].T @ (w["K"] @ X + w["b"])).exp()
        shares = e / (e @ np.ones((3, 1), dtype=int))
        return w["O"] @ ((w["V"] @ X + w["c"]) @ shares.T) + w["d"]

    shapes = {"q": (3, 1), "K": (3, 3), "b": (3, 1), "V": (2, 3), "c": (2, 1), "O": (3, 2), "d": (3, 1)}
    net = written(shapes, pooled, tokens=3)
    report = algatt.dimension(net)
    assert (report.value, report.status) == (3 + 8 + 3, "proven")
    assert algatt.verify(algatt.certify(net)).ok


def test_columns_beside_wide_constants_are_no_constants():
    """Types took b 1^T + C for C, and found a W that nothing sees. The value is a matrix b p^T + 1 q^T times X, and b
    may be multiplied, or take multiples of 1 up.
    """
    net = written({"b": (3, 1), "W": (2, 3)}, lambda w, X: (w["b"] + np.array([[1, 2]] * 3)) @ (w["W"] @ X))
    assert algatt.dimension(net).value == 9 - 2


def test_a_number_that_a_column_multiplies_is_taken_up():
    """u (w X + s) + c sees s through u s + c: what is added to s is no factor of the row."""
    net = written(
        {"u": (3, 1), "w": (1, 3), "s": (1, 1), "c": (3, 1)}, lambda w, X: w["u"] @ (w["w"] @ X + w["s"]) + w["c"]
    )
    (shift,) = solve_shifts(program_of(net), units=None).shifts
    assert (shift.tensor, [one.tensor for one in shift.absorbed], shift.conditions) == ("s", ["c"], ())


def test_what_enters_sums_alike_is_moved_from_one_to_the_other():
    """U (x + W V x) sees rows of the tables of tokens and types through U v + U W V v alone: one takes up what the
    other gets, without a condition.
    """
    block = Residual(Feedforward(2, activation=Affine(a=1, b=1), width=4))
    net = Network(TypedEmbedding(3, 4) >> block >> Unembedding(3), tokens=2)
    free = [one for one in solve_shifts(program_of(net), units=net.units).shifts if not one.conditions]
    moved = ("embedding.E", 4, ["embedding.T"])
    assert [(one.tensor, one.size, [move.tensor for move in one.absorbed]) for one in free] == [moved]
    check_elements(net)


def test_a_sum_that_vanishes_with_its_image_is_solved_for():
    """(1 + A) (W (x + b) + c) sees W b + c alone, as 1 + A is regular at almost all weights."""

    def stream(w, X):
        Z = w["W"] @ (X + w["b"]) + w["c"]
        return Z + w["A"] @ Z

    net = written({"W": (3, 3), "A": (3, 3), "b": (3, 1), "c": (3, 1)}, stream)
    (shift,) = solve_shifts(program_of(net), units=None).shifts
    assert (shift.tensor, [one.tensor for one in shift.absorbed], shift.conditions) == ("b", ["c"], ())
    check_elements(net)


def test_rows_of_a_table_that_is_used_twice_vanish_behind_a_matrix():
    """A row that is added to a tied table, and taken from the types, is seen where the table is multiplied with what a
    head writes, O (...): not if O^T v = 0, which leaves one of two dimensions.
    """
    layers = TypedEmbedding(3, 2) >> Heads(1, width=3, value_width=1, score=Affine(a=1, b=1)) >> Unembedding(3)
    net = Network(Tie(layers, {"unembedding.U": "embedding.E"}), tokens=1)
    shifts = {one.name: one for one in solve_shifts(program_of(net), units=net.units).shifts}
    shift = shifts["rows of embedding.E"]
    assert (shift.size, shift.rank, [one.tensor for one in shift.absorbed]) == (2, 1, ["embedding.T"])
    check_elements(net)


def test_vectors_without_an_image_are_moved_from_one_to_the_other():
    """A (x + b) and A (... + b + c) see nothing of kernels of A, of two dimensions, and B (... + b + c) nothing of its
    own kernel: b takes what c gets there, and c alone has the one dimension of both kernels.
    """

    def stream(w, X):
        Y = X + w["b"]
        Z = Y + w["V"] @ ((w["A"] @ Y) * (w["A"] @ Y)) + w["c"]
        return Z + w["W"] @ ((w["A"] @ Z) * (w["B"] @ Z)) + w["d"]

    shapes = {"A": (2, 4), "B": (1, 4), "V": (4, 2), "W": (4, 2), "b": (4, 1), "c": (4, 1), "d": (4, 1)}
    net = written(shapes, stream, width=4)
    assert moved(net) == 2 + 1
    check_elements(net)


def test_what_is_added_to_a_large_constant_stays(monkeypatch):
    """A softmax does not see rows that are added; beside a constant with many entries nothing is looked for."""

    def scores(w, X):
        e = (w["W"] @ X + w["r"] + np.arange(6).reshape(3, 2)).exp()
        return e / e.sum(axis=0)

    program = program_of(written({"W": (3, 3), "r": (1, 2)}, scores))
    assert {one.tensor for one in solve_shifts(program, units=None).shifts} == {"W"}
    monkeypatch.setattr(arithmetic, "MOST_ENTRIES", 5)
    solve_shifts.cache_clear()
    assert solve_shifts(program, units=None).shifts == ()
    solve_shifts.cache_clear()


@pytest.mark.parametrize(
    ("constant", "rank"),
    [(np.ones((4, 4), dtype=np.int64), 1), (np.outer([1, 2, 0, 1], [1, 0, 3, 1]) + np.eye(4, dtype=np.int64)[:1], 2)],
)
def test_a_condition_has_at_most_the_rank_of_its_constants(constant: np.ndarray, rank: int) -> None:
    """Of W K (A X + b) with three rows in W a vector in b is not seen if K maps it to zero: K may have less rank."""
    net = written(
        {"W": (3, 4), "A": (4, 3), "b": (4, 1)}, lambda w, X: w["W"] @ (constant @ (w["A"] @ X + w["b"])), 3, 3
    )
    (shift,) = solve_shifts(program_of(net), units=None).shifts
    assert (shift.tensor, shift.size - shift.rank) == ("b", 4 - rank)
    assert shift.tangents(tensors_of(program_of(net), 0))["b"].shape[0] == 4 - rank
