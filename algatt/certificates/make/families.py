"""The families of symmetries of a network as certificates have them: those that the verifier checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.recording import program as program_of
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.make.offsets import claims_beside_constants
from algatt.certificates.make.shifts import claim_of_norm_bias, claim_of_shift
from algatt.certificates.verifier.actions import is_moving
from algatt.certificates.verifier.claims import Network, network_of
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.families import Element, Part, action_of, typed_family
from algatt.certificates.verifier.induction import Induction, Untyped
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.sight import check_unseen
from algatt.certificates.verifier.type_rules import TYPE_RULES
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.fields.motions import Action, Scalar, Space
from algatt.files import shorten
from algatt.geometry.dimensions.ambient import AMBIENT, ambient_dimension
from algatt.geometry.dimensions.evidence import Minor
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.uses import renumber
from algatt.symmetry.arrows.gains import Fold, Gain, GainSymmetry, find_gains
from algatt.symmetry.arrows.members import symmetries_to_first_order
from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry
from algatt.symmetry.arrows.shifts import ShiftSymmetry
from algatt.symmetry.arrows.unseen import ChoosingEntries, UnseenSymmetry
from algatt.symmetry.base import Symmetry
from algatt.symmetry.named import NamedSpaces, Place
from algatt.symmetry.typed import SpaceSymmetry
from algatt.symmetry.typed.solution import Solution

__all__ = ["check_families", "claims_of_symmetry", "families_of", "independent_claims"]

Claim = dict[str, Any]

Row = dict[int, int]
"""The entries of a tangent that are not zero, by parameter."""

Shapes = dict[str, tuple[int, int]]

BATCH = 2**24
"""At most about this many entries of tangents are held at a time."""

SIDES = ("rows", "columns")

OPEN = {"product", "take", "centre", "rotate", "column_products"}
"""Operations of whose results the rules may leave the types open."""


def families_of(arch: Architecture, theta: Weights, source: str = "arch") -> tuple[list[Claim], Minor]:
    """Return the claims of all families of symmetries of a network, and a minor of their tangents at weights over a
    prime field that is as large as their rank.

    What raises no rank is left out: families, and elements of bases that are listed.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        The weights.
    source : str
        The name of the argument in errors.

    Raises
    ------
    InvalidArgument
        If the dimension is less by something that the verifier does not check: other families, or the ambient space.
    """
    network = network_of(claims_of_network(arch))
    space = RowSpace(prime_field_of(theta), arch.parameters)
    checked, unchecked = checked_families(arch, network)
    claims: list[Claim] = []
    numbers: dict[int, int] = {}  # of the rows in the certificate, by their numbers among all
    count = 0
    for claim in checked:
        try:
            rows = tangents_of_claim(claim, network, theta)
        except Refused:  # a gain has a zero at these weights, where nothing is known
            continue
        start = space.rows
        kept = add_rows(space, rows, theta)
        if not kept:
            continue
        if claim.get("basis") != "free":
            only(claim, kept)
            claim = in_normal_form(claim)
        places = kept if claim.get("basis") == "free" else range(len(kept))
        numbers |= {start + row: count + place for row, place in zip(kept, places, strict=True)}
        count += len(rows) if claim.get("basis") == "free" else len(kept)
        claims.append({"name": claim.pop("name"), "removes": len(kept), **claim})
    minor = Minor(tuple(numbers[row] for row in space.pivot_rows), space.pivot_columns, space.determinant)
    missing = []
    for family in unchecked:
        before = space.rank
        space.add(family.tangent_elements(theta))
        if space.rank > before:
            missing.append(repr(family.name))
    ambient = ambient_dimension(arch)
    if ambient is not None and ambient < arch.parameters - len(minor.rows):
        missing.append(f"the {AMBIENT}")
    if missing:
        was = f"{shorten(str(arch))}, whose dimension is bounded by {', '.join(missing)}"
        raise InvalidArgument(source, was, "a network whose bound from above the verifier of certificates can check")
    return claims, minor


def check_families(arch: Architecture, seed: int, source: str) -> None:
    """Refuse a network of whose dimension there is no certificate, before the dimension is computed.

    Raises
    ------
    InvalidArgument
        If the dimension is less by something that the verifier does not check: other families, or the ambient space.
    """
    _, unchecked = checked_families(arch, network_of(claims_of_network(arch)))
    if unchecked or ambient_dimension(arch) is not None:
        families_of(arch, verbs.sample(arch, Weights, field=PrimeField(), seed=seed), source)


def checked_families(arch: Architecture, network: Network) -> tuple[list[Claim], list[Symmetry]]:
    """Return the claims of all families that the verifier accepts, and the families without such a claim."""
    program = program_of(arch)
    claims: list[Claim] = []
    unchecked: list[Symmetry] = []
    for family in symmetries_to_first_order(arch):
        found = list(claims_of_symmetry(family, program, network))
        claims += found
        if not found:
            unchecked.append(family)
    return claims, unchecked


def add_rows(space: RowSpace, rows: Sequence[Row], theta: Weights) -> list[int]:
    """Add rows to a space, and return the numbers of those that raise its rank."""
    before, start = space.rank, space.rows
    for batch in dense(rows, theta):
        space.add(batch)
    return sorted(row - start for row in space.pivot_rows[before:])


def independent_claims(claims: Sequence[Claim], network: Network, theta: Weights) -> list[Claim]:
    """Return claims with those directions alone that are independent at weights over a prime field.

    Raises
    ------
    Refused
        If a gain has a zero.
    """
    space = RowSpace(prime_field_of(theta), network.parameters)
    found = []
    for claim in claims:
        rows = tangents_of_claim(claim, network, theta)
        kept = add_rows(space, rows, theta)
        if len(kept) < len(rows):
            if claim.get("basis") == "free":
                (size,) = claim["spaces"]
                claim["basis"] = [[0, i, j, 1] for i in range(size) for j in range(size)]
            only(claim, kept)
            claim = in_normal_form(claim)
        if kept:
            found.append(claim)
    return found


def prime_field_of(theta: Weights) -> PrimeField:
    """Return the field of weights over a prime field."""
    if not isinstance(theta.field, PrimeField):
        raise InvalidArgument("theta", f"over {theta.field}", "over a PrimeField")
    return theta.field


def tangents_of_claim(claim: Claim, network: Network, theta: Weights) -> list[Row]:
    """Return the tangents of a claim at weights.

    Raises
    ------
    Refused
        If a gain has a zero.
    """
    field = Residues(prime_field_of(theta).p)
    tensors = {
        name: field.matrix(*network.tensors[name], [int(entry) for entry in W.raw.ravel()])
        for name, W in theta.tensors.items()
    }
    directions = directions_of("family", {"removes": 0, **claim}, network)
    rows = directions.tangents(network, field, tensors, set(range(directions.rows)))
    return [{place: int(value) for place, value in row.items()} for _, row in sorted(rows, key=lambda one: one[0])]


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


def only(claim: Claim, kept: Sequence[int]) -> None:
    """Leave some of the tangents of a claim."""
    if claim["by"] in ("types", "constants"):
        claim["basis"] = [claim["basis"][row] for row in kept]
    elif claim["by"] == "shift":
        claim["units"] = kept
    else:
        places = [(name, place) for name, listed in claim["entries"].items() for place in listed]
        claim["entries"] = {}
        for row in kept:
            claim["entries"].setdefault(places[row][0], []).append(places[row][1])


def claims_of_symmetry(family: Symmetry, program: Program, network: Network) -> Iterator[Claim]:
    """Iterate over what is claimed of a family, without what it removes: nothing unless the verifier accepts all of it.

    Parameters
    ----------
    family : Symmetry
        The family.
    program : Program
        The program of the network.
    network : Network
        The same, as the verifier reads it.
    """
    if isinstance(family, UnseenSymmetry):
        unseen, near = family.unseen, isinstance(family, ChoosingEntries)
        places = [[i, j] for i, j in zip(unseen.rows, unseen.columns, strict=True)]
        if check_unseen(network.program, [(unseen.tensor, i, j) for i, j in places], near=near) is None:
            by = "choice" if near else "unseen"
            yield {"name": family.name, "by": by, "entries": {unseen.tensor: places}}
            return
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
        moving = [place for place in family.places if place.moves]
        names = [family.name] if len(moving) == 1 else [f"{family.name} {k}" for k in range(1, len(moving) + 1)]
        claims = [claim_of_place(name, place) for name, place in zip(names, moving, strict=True)]
    claims = [in_normal_form(claim) for claim in claims]
    if claims and all(is_accepted(claim, network) for claim in claims):
        yield from map(in_normal_form, claims)


def is_accepted(claim: Claim, network: Network) -> bool:
    """Return whether the verifier finds that the value does not move; what it does not ask for is left out."""
    try:
        family = typed_family({**claim, "removes": 0}, network.program, network.tensors)
        induction = Induction(network.program, family, TYPE_RULES)
        for element in family.elements():
            induction.follow(element)
    except (Refused, Untyped):
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
    unknowns: list[Space | Scalar] = [*solution.component.spaces, *solution.component.scalars]
    number = {unknown: k for k, unknown in enumerate(unknowns)}
    basis = [
        [n for key, value in assignment.items() for n in (*place_of(key, number), value)]
        for assignment in solution.assignments
    ]
    sizes = [unknown.size if isinstance(unknown, Space) else 1 for unknown in unknowns]
    units = [[0, i, j, 1] for i in range(sizes[0]) for j in range(sizes[0])]
    conjugating = gains_of(fold, program)
    axes: dict[str, list[Any]] = {}
    for tensor, pair in solution.actions.items():
        for side, action in zip(SIDES, pair, strict=True):
            axes.setdefault(tensor, []).extend(parts_of(action, side, number, conjugating.get((tensor, side), [])))
    return {
        "name": family.name,
        "by": "types",
        "spaces": sizes,
        "basis": "free" if len(sizes) == 1 and basis == units else basis,
        "axes": {tensor: parts for tensor, parts in axes.items() if parts},
        "images": images_of(solution, program, number),
    }


def place_of(key: Any, number: Mapping[Space | Scalar, int]) -> tuple[int, int, int]:
    """Return the number of an unknown and the row and column of one of its entries."""
    return (number[key[0]], key[1], key[2]) if isinstance(key, tuple) else (number[key], 0, 0)


def of_space(element: Mapping[tuple[int, ...], int], space: int) -> dict[tuple[int, int], int]:
    """Return the entries of one space of an element of a basis."""
    return {(key[1], key[2]): value for key, value in element.items() if key[0] == space}


def parts_that_move(
    parts: Mapping[Any, Fraction], spaces: Sequence[int], basis: Sequence[Mapping[tuple[int, ...], int]], *, free: bool
) -> dict[Any, Fraction]:
    """Return the parts of an array on the sides on which their sum is not zero."""
    kept = {key: c for key, c in parts.items() if c}
    elements: list[Element] = [{space: of_space(one, space) for space, *_ in one} for one in basis]
    for side in SIDES if not free else ():
        here = [Part(space, c, over, marker) for (at, space, over, marker), c in kept.items() if at == side]
        size = max((spaces[part.space] for part in here), default=1)
        if not any(is_moving(action_of(here, size, spaces, one)) for one in elements):
            kept = {key: c for key, c in kept.items() if key[0] != side}
    return kept


def in_normal_form(claim: Claim) -> Claim:
    """Return a claim without what makes no difference: spaces that are not used, or have the same matrices as others,
    transposed matrices of spaces whose matrices are symmetric, gains beside spaces whose matrices are diagonal, numbers
    in images; numbers act on rows.
    """
    if claim["by"] != "types":
        return claim
    free = claim["basis"] == "free"
    listed = [] if free else claim["basis"]
    basis = [{tuple(one[k : k + 3]): one[k + 3] for k in range(0, len(one), 4)} for one in listed]
    skew = {space for one in basis for (space, i, j), value in one.items() if one.get((space, j, i)) != value}
    full = {space for one in basis for space, i, j in one if i != j}
    used = {space for one in basis for space, _, _ in one}
    if free:
        skew, full, used = {0}, {0}, {0}
    numbers = {space for space, size in enumerate(claim["spaces"]) if size == 1}
    first: dict[Any, int] = {}  # of the spaces with the same matrices
    same = {
        space: first.setdefault((size, *(frozenset(of_space(one, space).items()) for one in basis)), space)
        for space, size in enumerate(claim["spaces"])
    }
    sums: dict[str, dict[str, dict[Any, Fraction]]] = {"axes": {}, "images": {}}
    for kind, found in sums.items():
        for name, parts in claim[kind].items():
            for side, any_space, coefficient, transposed, gains in parts:
                space = same[any_space]
                if space not in used or (space in numbers and kind == "images"):
                    continue
                marker = tuple(map(tuple, gains)) if space in full - numbers else ()
                over = transposed and space in skew - numbers
                key = ("rows" if space in numbers else side, space, over, marker)
                at = found.setdefault(name, {})
                at[key] = at.get(key, Fraction(0)) + Fraction(coefficient)
    for kind, found in sums.items():
        sums[kind] = {name: parts_that_move(parts, claim["spaces"], basis, free=free) for name, parts in found.items()}
    acting = {key[1] for found in sums.values() for parts in found.values() for key in parts}
    number = {space: k for k, space in enumerate(sorted(acting))}
    result = {**claim, "spaces": [claim["spaces"][space] for space in number]}
    if not free:
        elements = [{(number[key[0]], *key[1:]): c for key, c in one.items() if key[0] in number} for one in basis]
        result["basis"] = [[n for key, c in one.items() for n in (*key, c)] for one in elements]
    for kind, found in sums.items():
        written_parts = {
            name: [
                [side, number[space], written(c), over, list(map(list, marker))]
                for (side, space, over, marker), c in parts.items()
            ]
            for name, parts in found.items()
        }
        result[kind] = {name: parts for name, parts in written_parts.items() if parts}
    return result


def gains_of(fold: Fold, program: Program) -> dict[tuple[str, str], list[list[int]]]:
    """Return the gains that are folded into the sides of tensors: by what D S D^-1 has to be multiplied."""
    read = {one.argument: number for number, one in enumerate(program.instructions) if one.operation == "tensor"}
    found: dict[tuple[str, str], list[list[int]]] = {}
    for gain in fold.gains:
        for names, side, exponent in ((gain.columns, "columns", 1), (gain.rows, "rows", -1), (gain.divided, "rows", 1)):
            for name in names:
                found.setdefault((name, side), []).append([read[gain.name], exponent])
    return found


def written(coefficient: Fraction) -> int | str:
    """Return a coefficient as certificates have it."""
    return coefficient.numerator if coefficient.denominator == 1 else str(coefficient)


def parts_of(action: Action, side: str, number: Mapping[Space | Scalar, int], gains: Sequence[list[int]]) -> list[Any]:
    """Return the parts of an action that belong to unknowns."""
    terms: list[tuple[Any, bool, Sequence[list[int]], Any]] = [
        *((space, transposed, gains, c) for (space, transposed), c in action.terms.items()),
        *((scalar, False, (), c) for scalar, c in action.scalars.items()),
    ]
    return [
        [side, number[unknown], written(Fraction(c)), transposed, list(beside)]
        for unknown, transposed, beside, c in terms
        if unknown in number
    ]


def images_of(solution: Solution, program: Program, number: Mapping[Space | Scalar, int]) -> dict[str, list[Any]]:
    """Return the types of the results of operations that leave them open, where they or what they are made of are no
    multiples of the identity.
    """
    _, aliases = find_gains(program)
    positions = renumber(program, aliases)
    images: dict[str, list[Any]] = {}
    for old, new in positions.items():
        one = program.instructions[old]
        if old in aliases or one.operation not in OPEN:
            continue
        involved = [actions_of(solution, place) for place in (new, *(positions[operand] for operand in one.operands))]
        if any(space in number for pair in involved for action in pair for space, _ in action.terms):
            sides = zip(SIDES, involved[0], strict=True)
            parts = [part for side, action in sides for part in parts_of(action, side, number, [])]
            images |= {str(old): parts} if parts else {}
    return images


def actions_of(solution: Solution, place: int) -> tuple[Action, Action]:
    """Return the type of the result of an instruction of the program without gains."""
    result = solution.results[place]
    return solution.equations.resolve(result.rows), solution.equations.resolve(result.columns)
