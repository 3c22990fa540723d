"""A matrix that is solved for as one is that of the equations entry by entry: one, none or a choice."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import PrimeField, Reals, verbs
from algatt.fields import Elements
from algatt.fields.motions import Space
from algatt.geometry.equality.networks.linear_system import LinearSystem
from algatt.geometry.equality.networks.motions import Block

FIELD = PrimeField(8388593)
SIZE = 3


def draw(label, *shape):
    return Elements(FIELD, verbs.draw_array(FIELD, shape=shape, seed=0, label=label))


def system_of(*parts):
    """Return the equations of parts: whether g is transposed, A, B and the patterns of numbers."""
    space = Space(SIZE, 1, "space")
    system = LinearSystem(FIELD, Block((space,), (), 0, None), None)
    for transposed, A, B, patterns in parts:
        system.add(space, transposed, A, B, patterns)
    return system


def same_solutions(system):
    """Return how many columns the kernel entry by entry has, and whether the matrix as one spans the same."""
    found, kernel = system.solve_for_matrix(), verbs.kernel(system.matrix())
    if found is None:
        return kernel.shape[1], None
    both = Elements(FIELD, np.hstack([found.raw, kernel.raw]))
    ranks = [verbs.rank(one) if one.shape[1] else 0 for one in (found, both)]
    return kernel.shape[1], int(ranks[0]) == int(ranks[1]) == kernel.shape[1]


g, A, B, W = draw("g", SIZE, SIZE), draw("A", SIZE, 4), draw("B", SIZE, 2), draw("W", SIZE, 5)
TWO, SEVEN = (Elements.of(FIELD, [[one]]) for one in (2, 7))
NOTHING = Elements.of(FIELD, np.zeros((SIZE, 2), dtype=np.int64))

CASES = {
    "one product": ([(False, A, g @ A, [0] * 4)], (1, True)),
    "transposed": ([(True, A, g.T @ A, [0] * 4)], (1, True)),
    "both sides": ([(False, A, g @ A, [0] * 4), (True, W, g.T @ W, [0] * 5)], (1, True)),
    "numbers": ([(False, A, g @ A, [0] * 4), (True, W, g.T @ W * TWO, [1] * 5)], (1, True)),
    "numbers beside each other": (
        [
            (
                False,
                Elements(FIELD, np.hstack([B.raw, A.raw])),
                Elements(FIELD, np.hstack([(g @ B * SEVEN).raw, (g @ A).raw])),
                [1] * 2 + [0] * 4,
            )
        ],
        (1, True),
    ),
    "none": ([(False, A, W[:, :4], [0] * 4)], (0, True)),
    "none for another": ([(False, A, g @ A, [0] * 4), (True, W, g @ W, [0] * 5)], (0, True)),
    "none for zero": ([(False, A, g @ A, [0] * 4), (False, B, NOTHING, [1] * 2)], (1, False)),
    "a number that may be any": ([(False, A, g @ A, [0] * 4), (False, NOTHING, NOTHING, [1] * 2)], (2, None)),
    "too few columns": ([(False, B, g @ B, [0] * 2)], (4, None)),
    "columns of both sides together": ([(False, B, g @ B, [0] * 2), (True, B, g.T @ B, [0] * 2)], None),
}


@pytest.mark.parametrize("name", CASES)
def test_one_matrix_is_that_of_the_entries(name):
    parts, expected = CASES[name]
    count, same = same_solutions(system_of(*parts))
    assert same is not False or expected == (1, False)
    if expected is not None:
        assert (count, same) == expected


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
