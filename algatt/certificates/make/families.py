"""The families of symmetries of a network as certificates have them: by types, unseen entries, or by theorems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.make.offsets import claims_beside_constants
from algatt.certificates.make.shifts import claim_of_norm_bias, claim_of_shift
from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.families import tangents_of_types, typed_family
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.program import Instruction, parse
from algatt.certificates.verifier.sight import check_unseen
from algatt.certificates.verifier.types import Induction, Untyped
from algatt.fields import Elements, Program
from algatt.fields.trace import line
from algatt.fields.types import Action, Scalar, Space
from algatt.geometry.dimensions.bounds import Minor
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.symmetry import ParallelTokens, Unreached, Unread, UnseenScores
from algatt.symmetry.arrows.gains import Fold, Gain, GainSymmetry, find_gains
from algatt.symmetry.arrows.mixtures import MixtureSymmetry
from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry
from algatt.symmetry.arrows.shifts import ShiftSymmetry
from algatt.symmetry.arrows.unseen import UnseenSymmetry
from algatt.symmetry.arrows.uses import renumber
from algatt.symmetry.base import Symmetry
from algatt.symmetry.named import NamedSpaces, Place
from algatt.symmetry.typed import SpaceSymmetry
from algatt.symmetry.typed.solution import Solution

__all__ = ["claims_of_symmetry", "families_of"]

Claim = dict[str, Any]

Row = dict[int, int]
"""The entries of a tangent that are not zero, by parameter."""

Shapes = dict[str, tuple[int, int]]

BATCH = 2**24
"""At most about this many entries of tangents are held at a time."""

SIDES = ("rows", "columns")

OPEN = {"product", "take", "centre", "rotate", "column_products"}
"""Operations of whose results the rules may leave the types open."""

THEOREMS: dict[type[Symmetry], str] = {
    MixtureSymmetry: "terms that mix",
    NormBiasSymmetry: "biases of norms before matrices without a bias",
    ParallelTokens: "tokens that are parallel",
    ShiftSymmetry: "shifts",
    SpaceSymmetry: "constants that are a part of a tensor",
    Unread: "directions that nothing reads",
    Unreached: "directions that nothing reaches",
    UnseenScores: "scores that nobody sees",
    UnseenSymmetry: "rows that are divided by themselves",
}
"""Statements of docs/theory (arrows.md, hidden_symmetries.md) of which the verifier has no check."""


def families_of(arch: Architecture, theta: Weights) -> tuple[list[Claim], Minor]:
    """Return the claims of all families of symmetries of a network, and a minor of their tangents at weights over a
    prime field that is as large as their rank.

    Those that rest on theorems come last. What raises no rank is left out: families, and elements of bases that are
    listed.
    """
    program = verbs.program(arch)
    parsed = parse([line(one) for one in program.instructions])
    shapes = {name: sizes_of(shape) for name, shape in verbs.coordinates(arch).items()}
    space = RowSpace(theta.field, arch.parameters)
    claims: list[Claim] = []
    numbers: dict[int, int] = {}  # of the rows in the certificate, by their numbers among all
    count = 0
    found = [
        (family, claim)
        for family in verbs.symmetries(arch)
        for claim in claims_of_symmetry(family, program, parsed, shapes)
    ]
    for family, claim in sorted(found, key=lambda one: one[1]["by"] == "theorem"):
        try:
            rows = tangents_of_claim(family, claim, parsed, shapes, theta)
        except Refused:  # a gain has a zero at these weights, where nothing is known
            continue
        before, start = space.rank, space.rows
        for batch in dense(rows, theta):
            space.add(batch)
        kept = sorted(row - start for row in space.pivot_rows[before:])
        if not kept:
            continue
        if claim.get("basis") != "free":
            rows = [rows[row] for row in kept]
            only(claim, kept, rows)
        places = kept if claim.get("basis") == "free" else range(len(kept))
        numbers |= {start + row: count + place for row, place in zip(kept, places, strict=True)}
        count += len(rows)
        claims.append({"name": claim.pop("name"), "removes": len(kept), **claim})
    return claims, Minor(tuple(numbers[row] for row in space.pivot_rows), space.pivot_columns, space.determinant)


def sizes_of(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of rows and columns of a tensor."""
    height, width = ((1, 1) + shape)[-2:]
    return height, width


def tangents_of_claim(
    family: Symmetry, claim: Claim, program: Sequence[Instruction], shapes: Shapes, theta: Weights
) -> list[Row]:
    """Return the tangents of a claim at weights.

    Raises
    ------
    Refused
        If a gain has a zero.
    """
    if claim["by"] == "theorem":
        raw = family.tangent_elements(theta).raw
        return [{int(j): int(row[j]) for j in np.flatnonzero(row)} for row in raw]
    if claim["by"] == "unseen":
        starts = dict(zip(shapes, np.cumsum([0, *(height * width for height, width in shapes.values())]), strict=False))
        places = ((name, i, j) for name, listed in claim["entries"].items() for i, j in listed)
        return [{int(starts[name]) + i * shapes[name][1] + j: 1} for name, i, j in places]
    if claim["by"] in ("shift", "constants"):
        network = Network(tuple(program), "", shapes, tokens=False)  # which makes no difference to tangents
        directions, field = directions_of("family", {**claim, "removes": 0}, network), Residues(int(theta.field.p))
        tensors = {
            name: field.matrix(*shapes[name], [int(entry) for entry in W.raw.ravel()])
            for name, W in theta.tensors.items()
        }
        rows = directions.tangents(network, field, tensors, set(range(directions.rows)))
        return [dict(row) for _, row in rows]
    weights = {name: [int(entry) for entry in W.raw.ravel()] for name, W in theta.tensors.items()}
    types = typed_family({**claim, "removes": 0}, program, shapes)
    return [row for _, row in tangents_of_types(types, program, shapes, weights, int(theta.field.p))]


def dense(rows: Sequence[Row], theta: Weights) -> Iterator[Elements]:
    """Iterate over batches of rows as matrices."""
    width = sum(W.raw.size for W in theta.elements)
    height = max(1, BATCH // width)
    for start in range(0, len(rows), height):
        part = rows[start : start + height]
        raw = np.zeros((len(part), width), dtype=theta.elements[0].raw.dtype)
        for i, row in enumerate(part):
            raw[i, list(row)] = list(row.values())
        yield Elements(theta.field, raw)


def only(claim: Claim, kept: Sequence[int], rows: Sequence[Row]) -> None:
    """Leave some of the tangents of a claim."""
    if claim["by"] in ("types", "constants"):
        claim["basis"] = [claim["basis"][row] for row in kept]
    elif claim["by"] == "shift":
        claim["units"] = kept
    elif claim["by"] == "theorem":
        claim["tangents"] = [[number for pair in row.items() for number in pair] for row in rows]
    else:
        places = [(name, place) for name, listed in claim["entries"].items() for place in listed]
        claim["entries"] = {}
        for row in kept:
            claim["entries"].setdefault(places[row][0], []).append(places[row][1])


def claims_of_symmetry(
    family: Symmetry, program: Program, parsed: Sequence[Instruction], shapes: Shapes
) -> Iterator[Claim]:
    """Iterate over what is claimed of a family, without what it removes: by types if the verifier accepts them.

    Parameters
    ----------
    family : Symmetry
        The family.
    program : Program
        The program of the network.
    parsed : sequence of Instruction
        The same, as the verifier reads it.
    shapes : dict of str to (int, int)
        The shapes of the tensors.
    """
    if type(family) is UnseenSymmetry:
        unseen = family.unseen
        places = [[i, j] for i, j in zip(unseen.rows, unseen.columns, strict=True)]
        if check_unseen(parsed, [(unseen.tensor, i, j) for i, j in places]) is None:
            yield {"name": family.name, "by": "unseen", "entries": {unseen.tensor: places}}
            return
    network = Network(tuple(parsed), "", shapes, family.arch.vocabulary is not None)
    proven: list[Claim | None] = []
    if type(family) is ShiftSymmetry:
        proven = [claim_of_shift(family, program, network)]
    elif type(family) is NormBiasSymmetry:
        proven = [claim_of_norm_bias(family, program, network)]
    elif type(family) is SpaceSymmetry and family.space.fold.offsets:
        proven = claims_beside_constants(family, network)
    if proven and None not in proven:
        yield from (claim for claim in proven if claim is not None)
        return
    claims = []
    if type(family) is GainSymmetry:
        claims = [claim_of_gain(family.name, family.gain, family.size)]
    elif type(family) is SpaceSymmetry and not family.space.fold.offsets:
        claims = [claim_of_space(family, program)]
    elif isinstance(family, NamedSpaces) and family.basis == "typed":
        places = [place for place in family.places if place.moves]
        names = [family.name] if len(places) == 1 else [f"{family.name} {k}" for k in range(1, len(places) + 1)]
        claims = [claim_of_place(name, place) for name, place in zip(names, places, strict=True)]
    if claims and all(is_accepted(claim, parsed, shapes) for claim in claims):
        yield from claims
    else:
        kind = type(family)
        declared = f"declared by {kind.__module__}.{kind.__qualname__}"
        theorem = "types of results" if claims else THEOREMS.get(kind, declared)
        yield {"name": family.name, "by": "theorem", "theorem": theorem, "tangents": []}


def is_accepted(claim: Claim, parsed: Sequence[Instruction], shapes: Shapes) -> bool:
    """Return whether the verifier finds that the value does not move; what it does not ask for is left out."""
    induction = Induction(parsed, typed_family({**claim, "removes": 0}, parsed, shapes))
    try:
        for element in induction.family.elements():
            induction.follow(element)
    except Untyped:
        return False
    asked = {
        text: [part for part in parts if (int(text), part[0]) in induction.asked]
        for text, parts in claim["images"].items()
    }
    claim["images"] = {text: parts for text, parts in asked.items() if parts}
    return True


def claim_of_gain(name: str, gain: Gain, size: int) -> Claim:
    """Return the diagonal matrices that move a gain, and what it is folded into."""
    axes = {tensor: [["rows", 0, 1, False, []]] for tensor in (gain.name, *gain.divided)}
    axes |= {tensor: [["rows", 0, -1, False, []]] for tensor in gain.rows}
    axes |= {tensor: [["columns", 0, -1, False, []]] for tensor in gain.columns}
    basis = [[0, k, k, 1] for k in range(size)]
    return {"name": name, "by": "types", "spaces": [size], "basis": basis, "axes": axes, "images": {}}


def claim_of_place(name: str, place: Place) -> Claim:
    """Return the matrices or the numbers of one space with a name."""
    axes: dict[str, list[Any]] = {}
    for move in place.moves:
        transposed = move.transposed and not place.scalar
        axes.setdefault(move.tensor, []).append([move.side, 0, move.power, transposed, []])
    return {"name": name, "by": "types", "spaces": [place.size], "basis": "free", "axes": axes, "images": {}}


def claim_of_space(family: SpaceSymmetry, program: Program) -> Claim:
    """Return the solutions of types of one space, in the program with its gains."""
    solution, fold = family.space.solution, family.space.fold
    unknowns = [*solution.component.spaces, *solution.component.scalars]
    number = {unknown: k for k, unknown in enumerate(unknowns)}
    basis = [
        [n for key, value in assignment.items() for n in (*place_of(key, number), value)]
        for assignment in solution.assignments
    ]
    sizes = [unknown.size if isinstance(unknown, Space) else 1 for unknown in unknowns]
    units = [[0, i, j, 1] for i in range(sizes[0]) for j in range(sizes[0])]
    conjugating, diagonal = gains_of(fold, program), diagonal_spaces(sizes, basis)
    axes: dict[str, list[Any]] = {}
    for tensor, pair in solution.actions.items():
        for side, action in zip(SIDES, pair, strict=True):
            axes.setdefault(tensor, []).extend(
                parts_of(action, side, number, diagonal, conjugating.get((tensor, side), []))
            )
    return {
        "name": family.name,
        "by": "types",
        "spaces": sizes,
        "basis": "free" if len(sizes) == 1 and basis == units else basis,
        "axes": {tensor: parts for tensor, parts in axes.items() if parts},
        "images": images_of(solution, program, number, diagonal),
    }


def place_of(key: Any, number: Mapping[Space | Scalar, int]) -> tuple[int, int, int]:
    """Return the number of an unknown and the row and column of one of its entries."""
    return (number[key[0]], key[1], key[2]) if isinstance(key, tuple) else (number[key], 0, 0)


def diagonal_spaces(sizes: Sequence[int], basis: Sequence[Sequence[int]]) -> set[int]:
    """Return the spaces of which all matrices are diagonal: these commute with gains."""
    full = {one[k] for one in basis for k in range(0, len(one), 4) if one[k + 1] != one[k + 2]}
    return set(range(len(sizes))) - full


def gains_of(fold: Fold, program: Program) -> dict[tuple[str, str], list[list[int]]]:
    """Return the gains that are folded into the sides of tensors: by what D S D^-1 has to be multiplied."""
    read = {one.argument: number for number, one in enumerate(program.instructions) if one.operation == "tensor"}
    found: dict[tuple[str, str], list[list[int]]] = {}
    for gain in fold.gains:
        for names, side, exponent in ((gain.columns, "columns", 1), (gain.rows, "rows", -1), (gain.divided, "rows", 1)):
            for name in names:
                found.setdefault((name, side), []).append([read[gain.name], exponent])
    return found


def parts_of(
    action: Action, side: str, number: Mapping[Space | Scalar, int], diagonal: set[int], gains: list[list[int]]
) -> list[Any]:
    """Return the parts of an action that belong to unknowns."""
    found: dict[tuple[int, bool], Fraction] = {}
    for (space, transposed), coefficient in action.terms.items():
        if space in number:
            key = number[space], transposed and number[space] not in diagonal
            found[key] = found.get(key, Fraction(0)) + coefficient
    for scalar, coefficient in action.scalars.items():
        if scalar in number:
            found[number[scalar], False] = Fraction(coefficient)
    return [
        [side, space, int(c) if c.denominator == 1 else str(c), transposed, [] if space in diagonal else gains]
        for (space, transposed), c in found.items()
        if c
    ]


def images_of(
    solution: Solution, program: Program, number: Mapping[Space | Scalar, int], diagonal: set[int]
) -> dict[str, list[Any]]:
    """Return the types of the results of operations with constants, if they are no multiples of the identity."""
    _, aliases = find_gains(program)
    images: dict[str, list[Any]] = {}
    for old, new in renumber(program, aliases).items():
        if old in aliases or program.instructions[old].operation not in OPEN:
            continue
        result = solution.results[new]
        parts = []
        for side, raw in zip(SIDES, (result.rows, result.columns), strict=True):
            action = solution.equations.resolve(raw)
            if any(space in number for space, _ in action.terms):
                parts += parts_of(action, side, number, diagonal, [])
        if parts:
            images[str(old)] = parts
    return images
