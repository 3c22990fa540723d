r"""Weights with the same results: elements for directions of tensors that are seen through results C alone.

C is affine in some tensors S together, :math:`C(S, R) = C(0, R) + J(R) S`. The other tensors R are drawn anew, or stay
where no S would do then, and S is a random solution of a linear system. C is compared at both points, so that nothing
rests on the choice of S (derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Field, PrimeField, Reals, concatenate
from algatt.fields.real import tolerance_of
from algatt.programs import Instruction, Program
from algatt.programs.interpret import Results
from algatt.symmetry.hidden.made import Made

Tensors = Mapping[str, Elements]

SMALLEST = 1e-6
"""Where all vectors of an orthonormal basis of the kernel of (J, -r) end in less, J S = r has no solution."""


def with_fixed_exponentials(made: Made) -> Made:
    """Return results together with what exponentials are taken of, in a program that has tensors for exponentials."""
    instructions = list(made.program.instructions)
    arguments = [instructions[number].operands[0] for number in made.exponentials]
    for number in made.exponentials:
        instructions[number] = Instruction("tensor", (), exponential(number), instructions[number].shape)
    return Made(Program(tuple(instructions)), tuple(dict.fromkeys((*made.results, *arguments))))


def exponential(number: int) -> str:
    """Return the name of the tensor that stands for an exponential."""
    return f"_exponential_{number}"


def point_of(made: Made, tensors: Tensors, field: Field) -> dict[str, Elements]:
    """Return the tensors that results are made of, and exponentials; over exact fields other numbers for these."""
    found = {name: tensors[name] for name in made.names}
    results = Results(made.program, field, tensors)
    for number in made.exponentials:
        shape = made.program.instructions[number].shape
        real = isinstance(field, Reals)
        found[exponential(number)] = results[number] if real else drawn(field, shape, 0, exponential(number))
    return found


def has_same_results(made: Made, tensors: Tensors, moved: Tensors) -> bool:
    """Return whether results are the same at other tensors: over the reals within rounding."""
    field = next(iter(tensors.values())).field
    held, point = with_fixed_exponentials(made), point_of(made, tensors, field)
    before, after = (Results(held.program, field, one) for one in (point, {**point, **moved}))
    return all(is_near(before[number], after[number]) for number in held.results)


def is_near(one: Elements, other: Elements) -> bool:
    """Return whether two arrays are equal, over the reals within rounding."""
    if one.field.exact:
        return bool((one.raw == other.raw).all())
    return bool(np.linalg.norm(one.raw - other.raw) <= tolerance_of(one.field) * np.linalg.norm(one.raw))


def moved_within(made: Made, tensors: Tensors, field: Field, seed: int) -> dict[str, Elements]:
    """Return random tensors that have the results of the given ones; some of them may be as they were."""
    held, found = with_fixed_exponentials(made), point_of(made, tensors, field)
    target = column(held, found, field)
    for block in affine_blocks(held, made.names, found):
        label = "-".join(block)
        others = {
            name: drawn(field, found[name].shape, seed, f"composites/{label}/{name}")
            for name in made.names
            if name not in block
        }
        for start in ({**found, **others}, found):
            moved = with_results(held, start, block, target, seed)
            if moved is not None and is_near(target, column(held, moved, field)):
                found = moved
                break
    return {name: found[name] for name in made.names}


def column(made: Made, tensors: Tensors, field: Field) -> Elements:
    """Return the entries of results as one column."""
    results = Results(made.program, field, tensors)
    return concatenate([Elements(field, results[number].raw.reshape(-1, 1)) for number in made.results])


def with_results(
    made: Made, start: dict[str, Elements], block: tuple[str, ...], target: Elements, seed: int
) -> dict[str, Elements] | None:
    """Return tensors whose results are given, in which those of a block alone are not those at the start."""
    field = target.field
    try:
        derivative = made.derivatives(start, field)
        missing = target - column(made, start, field)
    except DivisionByZero:
        return None
    columns = columns_of(made, start, block)
    system = concatenate([derivative[:, columns], -missing], axis=1)
    kernel = Elements(field, verbs.kernel_over(field, system.raw))
    last = kernel.raw[-1]
    if not (last.any() if field.exact else (abs(last) > SMALLEST).any()):
        return None
    factors = drawn(field, (kernel.shape[1], 1), seed, f"solution/{'-'.join(block)}")
    vector = kernel @ factors
    if not vector.raw[-1, 0]:
        return None
    change, moved, first = vector[:-1] * vector[-1:].reciprocal(), dict(start), 0
    for name in (name for name in made.names if name in block):
        size = start[name].raw.size
        moved[name] = start[name] + Elements(field, change.raw[first : first + size].reshape(start[name].shape))
        first += size
    return moved


def affine_blocks(made: Made, names: tuple[str, ...], tensors: Tensors) -> Iterator[tuple[str, ...]]:
    """Iterate over sets of tensors in which results are affine together, until each such tensor is in one."""
    field = PrimeField()
    start = {name: drawn(field, one.shape, 0, f"affine/{name}") for name, one in tensors.items()}

    def is_affine(block: tuple[str, ...]) -> bool:
        """Return whether the derivative by the tensors of a block does not depend on them, at random points."""
        moved = start | {name: drawn(field, start[name].shape, 1, f"affine/{name}") for name in block}
        columns = columns_of(made, start, block)
        one, two = (made.derivatives(point, field).raw[:, columns] for point in (start, moved))
        return bool((one == two).all())

    seen = set[str]()
    for name in names:
        block: tuple[str, ...] = (name,)
        if name in seen or not is_affine(block):
            continue
        for other in names:
            if other not in block and is_affine((*block, other)):
                block = (*block, other)
        seen |= set(block)
        yield block


def columns_of(made: Made, tensors: Tensors, block: tuple[str, ...]) -> list[int]:
    """Return the columns of the derivative that are entries of the tensors of a block."""
    ends = np.cumsum([0, *(tensors[name].raw.size for name in made.names)]).tolist()
    pairs = zip(made.names, pairwise(ends), strict=True)
    return [place for name, (first, last) in pairs if name in block for place in range(first, last)]


def drawn(field: Field, shape: tuple[int, ...], seed: int, label: str) -> Elements:
    """Return a random tensor."""
    return Elements(field, verbs.draw_array(field, shape=shape, seed=seed, label=label))
