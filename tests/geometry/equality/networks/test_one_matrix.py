"""Matrices that are solved for are those of the equations entry by entry: one, none or a choice."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Reals, verbs
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.large.motions import MatrixSpace
from algatt.geometry.equality.networks.linear_system import LinearSystem, keeps_its_group

FIELD = PrimeField(8388593)
SIZE = 3


def draw(label, *shape):
    return Elements(FIELD, verbs.draw_array(FIELD, shape=shape, seed=0, label=label))


def system_of(*parts):
    """Return the equations of parts: whether g is transposed, A, B and the patterns of numbers."""
    system = LinearSystem(FIELD, MatrixSpace(SIZE, "general", ()))
    for transposed, A, B, patterns in parts:
        system.add(transposed, A, B, patterns)
    return system


def entry_by_entry(parts):
    """Return the kernel of the equations for all entries of g, row by row, and the numbers behind them."""
    count = 1 + max(max(patterns) for *_, patterns in parts)
    rows = []
    for transposed, A, B, patterns in parts:
        for i in range(SIZE):
            for column, number in enumerate(patterns):
                row = np.zeros(SIZE**2 + count, dtype=np.int64)
                for k in range(SIZE):
                    row[k * SIZE + i if transposed else i * SIZE + k] = int(A.raw[k, column])
                row[SIZE**2 + number] = -int(B.raw[i, column]) % FIELD.p
                rows.append(row)
    return verbs.kernel(Elements.of(FIELD, np.array(rows)))


def kernels(parts):
    """Return the kernel entry by entry, and the solutions of the system with the same entries."""
    system = system_of(*parts)
    kernel = system.kernel()
    places = [system.numbers[number] for number in sorted(system.numbers)]
    columns = [
        np.concatenate([system.matrix(kernel[:, [k]]).raw.ravel(), kernel.raw[places, k]])
        for k in range(kernel.shape[1])
    ]
    found = np.stack(columns, axis=1) if columns else np.zeros((SIZE**2 + len(places), 0), dtype=np.int64)
    return entry_by_entry(parts), Elements(FIELD, found)


g, A, B, W = draw("g", SIZE, SIZE), draw("A", SIZE, 4), draw("B", SIZE, 2), draw("W", SIZE, 5)
TWO, SEVEN = (Elements.of(FIELD, [[one]]) for one in (2, 7))
NOTHING = Elements.of(FIELD, np.zeros((SIZE, 2), dtype=np.int64))

CASES = {
    "one product": ([(False, A, g @ A, [0] * 4)], 1),
    "transposed": ([(True, A, g.T @ A, [0] * 4)], 1),
    "both sides": ([(False, A, g @ A, [0] * 4), (True, W, g.T @ W, [0] * 5)], 1),
    "numbers": ([(False, A, g @ A, [0] * 4), (True, W, g.T @ W * TWO, [1] * 5)], 1),
    "numbers beside each other": (
        [
            (
                False,
                Elements(FIELD, np.hstack([B.raw, A.raw])),
                Elements(FIELD, np.hstack([(g @ B * SEVEN).raw, (g @ A).raw])),
                [1] * 2 + [0] * 4,
            )
        ],
        1,
    ),
    "none": ([(False, A, W[:, :4], [0] * 4)], 0),
    "none for another": ([(False, A, g @ A, [0] * 4), (True, W, g @ W, [0] * 5)], 0),
    "none for zero": ([(False, A, g @ A, [0] * 4), (False, B, NOTHING, [1] * 2)], 1),
    "a number that may be any": ([(False, A, g @ A, [0] * 4), (False, NOTHING, NOTHING, [1] * 2)], 2),
    "too few columns": ([(False, B, g @ B, [0] * 2)], 4),
    "columns of both sides together": ([(False, B, g @ B, [0] * 2), (True, B, g.T @ B, [0] * 2)], None),
}


@pytest.mark.parametrize("name", CASES)
def test_solutions_are_those_of_the_equations_entry_by_entry(name):
    parts, expected = CASES[name]
    kernel, found = kernels(parts)
    ranks = [
        int(verbs.rank(Elements(FIELD, raw))) if raw.shape[1] else 0
        for raw in (found.raw, np.hstack([found.raw, kernel.raw]))
    ]
    assert kernel.shape[1] == ranks[0] == ranks[1]
    assert expected in (None, ranks[0])


def test_the_group_gives_equations_of_the_matrix():
    """Turns of one pair commute with a b; -b a, and with any number for the row that stays."""
    turn = Elements.of(FIELD, np.array([[2, 3, 0], [FIELD.p - 3, 2, 0], [0, 0, 5]]))
    for parts, count in (([], SIZE), ([(A, turn @ A)], 1), ([(A, g @ A)], 0)):
        system = LinearSystem(FIELD, MatrixSpace(SIZE, "turns", (), (1,)))
        for one, image in parts:
            system.add(False, one, image, [0] * 4)
        system.add_group()
        kernel = system.kernel()
        assert kernel.shape[1] == count
        for column in range(count):
            (a, b, _), (c, d, _), (*left, _) = system.matrix(kernel[:, [column]]).raw.tolist()
            assert a == d
            assert (b + c) % FIELD.p == 0 == sum(left)


@pytest.mark.parametrize("field", [PrimeField(2), PrimeField(3), Rationals()], ids=str)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_equations_of_matrices_that_keep_the_vector_of_ones_are_independent_in_any_field(field, size):
    """Row sums and column sums are a number: 2 n equations, of which the sums of both halves are the same."""
    space = MatrixSpace(size, "centred", ())
    system = LinearSystem(field, space, "unit")
    system.add_group()
    assert int(verbs.rank(system.equations())) == 2 * size - 1
    if field.characteristic:
        assert keeps_its_group(field, space)


def test_lightning_attention_of_width_256_is_one_function_modulo_a_prime():
    """Without equations a space of this width has 65536 unknown entries, and a matrix for each would take 32 GB."""
    arch = algatt.Lightning((256, 256, 256), (64, 64), 3)
    theta = algatt.sample(arch, algatt.Weights, seed=0)
    moved = theta
    for family in algatt.symmetries(arch):
        moved = algatt.act(family.element(theta, 1), moved)
    found = algatt.same_function(arch, theta, moved)
    assert (found.equal, found.status, found.coordinates) == (True, "proven", algatt.Weights)
    assert algatt.act(found.element, theta) == moved


@pytest.mark.parametrize("field", [FIELD, Reals()], ids=str)
def test_wide_lightning_attention_is_one_function(field):
    """A width of 64 has 4096 unknowns in each space between layers, and a matrix of all equations 256 MB."""
    arch = algatt.Lightning((64, 64, 64), (16, 16), 3)
    theta, other = (algatt.sample(arch, algatt.Weights, field=field, seed=seed) for seed in (0, 1))
    moved = theta
    for family in algatt.symmetries(arch):
        moved = algatt.act(family.element(theta, 1), moved)
    assert algatt.same_function(arch, theta, moved).equal
    assert not algatt.same_function(arch, theta, other).equal
