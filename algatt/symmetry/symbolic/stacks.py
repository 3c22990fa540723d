"""Large networks, measured by small ones with fewer equal blocks, experts and tokens.

Let x be the unknowns that there are before a stack, and y_k those of block number k. If a block returns what moves as
its input does, all blocks ask for the same equations E(x, y_k), and the dimension of the solutions (x, y_1, ..., y_n)
is that of the x that can be completed, and n times that of the y with E(0, y): it grows by the same number with every
block. So does that of the solutions that move no tensor; and so it is with experts that stand beside each other, and
with the vectors of positions. docs/theory/motions.md has the proof.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Network
from algatt.fields import Elements
from algatt.layers import Heads, LearnedPosition
from algatt.layers.base import Node, layout
from algatt.loading import is_own
from algatt.parameters import Weights
from algatt.programs import Program, Trace
from algatt.programs.normal_form import is_cut, without_constants
from algatt.programs.rewriting import rewritten
from algatt.symmetry.symbolic.measure import Measure, Types, measure_types, types_of
from algatt.symmetry.symbolic.quotients import QuotientFamilies, QuotientFamily, quotients_of_program
from algatt.symmetry.symbolic.sides import Actions
from algatt.symmetry.symbolic.smaller.network import Smaller, added_tensors, smaller
from algatt.symmetry.symbolic.smaller.repeated import Repeated
from algatt.symmetry.symbolic.smaller.tokens import FewerBuckets

Scope = tuple[frozenset[str], int]
"""The tensors of a part, and how many such parts of a network it stands for."""


@dataclass(frozen=True)
class StackedMeasure:
    """The measure of a network by smaller ones.

    Parameters
    ----------
    first : Measure
        That of the smallest, with the quotients of the network.
    scopes : list of Scope
        Its parts that stand for several of the network, those in others after these.
    dimension, orbit : int
        Those of the network.
    """

    first: Measure
    scopes: Sequence[Scope]
    dimension: int
    orbit: int


def measure_stacked(arch: Network) -> StackedMeasure | None:
    """Measure a network by one and two blocks of each of its stacks, and few experts and tokens; None if there is
    nothing of which it has more, if types or quotients change between blocks, or if the answer for one block is not
    complete. Where it does so with all blocks, as where quotients of a block reach into the next one, and less in each
    of them, that is the answer.
    """
    return measure_by(arch, all_blocks=False) or measure_by(arch, all_blocks=True)


def measure_by(arch: Network, *, all_blocks: bool, all_heads: bool = False) -> StackedMeasure | None:
    """Measure a network by smaller ones, with all of the blocks of its stacks or few; None if that does not do. Heads
    are all kept where there is a shift of all of them together that few of them do not have.
    """
    small = smaller(arch, all_blocks=all_blocks, all_heads=all_heads)
    first = small and measure_smaller(small, verbs.coordinates(arch))
    if not small or not first:
        return None
    if first[0].quotients.crowded and not all_heads:
        return measure_by(arch, all_blocks=all_blocks, all_heads=True)
    least, actions = first
    dimension, orbit, others = least.dimension, least.orbit, dict.fromkeys(least.quotients.others)
    tables = [name for name, _ in tables_of(small.network)]
    scopes = list[Scope]()
    growth = dict.fromkeys((quotient.name for quotient in least.quotients.all), 0)
    for number, dial in enumerate(small.dials):
        raised = smaller(arch, number, all_blocks=all_blocks, all_heads=all_heads)
        names = None if raised is None else added_tensors(small, raised)
        if raised is None or names is None:
            return None
        second = measure_smaller(raised)
        if not second or not continues(least.quotients, second[0].quotients, names):
            return None
        scopes.append((frozenset(names.values()), dial.copies + dial.steps))
        unseen = stays(least, second[0], small.network, raised.network)
        if not (unseen and grows_in_numbers(actions, second[1], tables)):
            return None
        others.update(dict.fromkeys(second[0].quotients.others))
        dimension += dial.steps * (second[0].dimension - least.dimension)
        orbit += dial.steps * (second[0].orbit - least.orbit)
        sizes = {quotient.name: quotient.dimension for quotient in second[0].quotients.all}
        for quotient in least.quotients.all:
            more = dial.steps // dial.copies * (sizes[quotient.name] - quotient.dimension)
            growth[quotient.name] += more
            if quotient.tensors[0] in small.ties.shared:  # counted with every block, and there is one
                dimension -= (dial.copies - 1) * more
                orbit -= (dial.copies - 1) * more
    dead = unreached(arch, small) if small.few else ()
    total = sum(quotient.dimension * copies for quotient, copies in dead)
    gains, shifts = (
        tuple(
            dataclasses.replace(quotient, dimension=quotient.dimension + growth[quotient.name]) for quotient in family
        )
        for family in (least.quotients.gains, least.quotients.shifts)
    )
    quotients = dataclasses.replace(
        least.quotients, gains=gains, shifts=(*shifts, *(quotient for quotient, _ in dead)), others=tuple(others)
    )
    found = dataclasses.replace(least, quotients=quotients)
    return StackedMeasure(found, scopes, dimension + total, orbit + total)


def measure_smaller(small: Smaller, full: Iterable[str] = ()) -> tuple[Measure, Actions] | None:
    """Return the measure of a smaller network, which stands for one with tensors of these names, and what acts on its
    own; None if types change between blocks, or not all symmetries are known.
    """
    network = small.network
    found = record(network)
    if found is None:
        return None
    program, ends = found
    boundaries = [(one[-2], one[-1]) for one in ends]
    quotients = quotients_of_program(program, units=network.units, boundaries=boundaries, full=full)
    if not all(quotients.steady):
        return None
    types = types_of(network, program)
    measured = measure_types(types, quotients)
    known = all(block.dimension is not None for block in measured.blocks) and not measured.moved
    known = known and are_fixed([name for name, _ in tables_of(network)], measured)
    if not (known and all(is_steady(types, end, one[0]) for one in ends for end in one)):
        return None
    resolve = types.equations.resolve
    return measured, {name: (resolve(rows), resolve(columns)) for name, (rows, columns) in types.actions.items()}


def is_steady(types: Types, number: int, other: int) -> bool:
    """Return whether two results move alike: by L X + X R with the same L and R, up to a number in L that is taken away
    in R.
    """
    one, first = types.results[number].raw, types.results[other].raw
    rows, columns = map(types.equations.resolve, (one.rows - first.rows, one.columns - first.columns))
    return bool(rows.scalar and columns.scalar and (rows.resize(1) + columns.resize(1)).zero)


def stays(one: Measure, two: Measure, before: Network, after: Network) -> bool:
    """Return whether the spaces of which a part moves unseen that depends on the weights act on the same tensors, of
    the same sizes, in a network and in one that has more of something: then that part is as large.
    """
    sizes = [verbs.coordinates(network) for network in (before, after)]
    return set(one.wide) == set(two.wide) and all(sizes[0][name] == sizes[1][name] for name in one.wide)


def record(network: Network) -> tuple[Program, list[list[int]]] | None:
    """Return the program of a network as its layers are written, and for equal groups of blocks the results before each
    and after the last one; None if the value does not depend on these, a stack is run more than once, or types might
    see more in the normal form of the program.
    """
    trace = Trace()
    shapes = verbs.coordinates(network)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(network, theta, Elements(trace, trace.input(network.input_shape))).raw
    places, program = trace.positions(value), trace.program(value)
    repeated = [node.layer for node in nodes_of(network) if isinstance(node.layer, Repeated)]
    ends = [one for layer in repeated for one in layer.ends]
    once = all(len(layer.recorded) == 1 for layer in repeated)
    read = once and all(number in places for one in ends for number in one)
    plain = is_plain(network) or (rewritten(program) == program and not is_cut(program))
    if not (read and plain) or without_constants(program)[1]:
        return None
    return program, [[places[number] for number in one] for one in ends]


def is_plain(network: Network) -> bool:
    """Return whether types see as much in the text of a network as in its normal form: its layers are all of this
    package.
    """
    return all(is_own(type(node.layer).__module__) for node in nodes_of(network))


def grows_in_numbers(one: Actions, two: Actions, tables: Collection[str]) -> bool:
    """Return whether only numbers act on the sides of tensors of which one network has more than another; tables of
    relative positions move by quotients only.
    """
    return all(
        not two[name][side].terms and not one[name][side].terms
        for name in one
        for side in (0, 1)
        if one[name][side].size != two[name][side].size and name not in tables
    )


def nodes_of(network: Network) -> list[Node]:
    """Return the nodes of the layers of a network."""
    return list(layout(network.layers).walk())


def tables_of(network: Network) -> list[tuple[str, FewerBuckets]]:
    """Return the tables of relative positions of a smaller network."""
    shapes = verbs.coordinates(network)
    nodes = [(f"{node.path}bias", node.layer) for node in layout(network.layers).walk()]
    return [
        (name, layer.position)
        for name, layer in nodes
        if name in shapes and isinstance(layer, Heads) and isinstance(layer.position, FewerBuckets)
    ]


def are_fixed(tables: Sequence[str], found: Measure) -> bool:
    """Return whether of spaces that move tables none moves anything else, and all are zero."""
    blocks = [block for block in found.blocks if not set(tables).isdisjoint(block.tensors)]
    return all(block.dimension == 0 and set(block.tensors) <= set(tables) for block in blocks)


def unreached(arch: Network, small: Smaller) -> list[tuple[QuotientFamily, int]]:
    """Return the quotients of what of positions no token reaches, vectors and rows of tables, and in how many equal
    blocks
    each is.
    """
    shapes = verbs.coordinates(arch)
    found = []
    if any(isinstance(node.layer, LearnedPosition) for node in nodes_of(small.network)):
        tokens = arch.tokens - small.left_out
        reached = verbs.coordinates(Network(small.network.layers, tokens, arch.width))
        for name in (f"{node.path}P" for node in nodes_of(small.network) if isinstance(node.layer, LearnedPosition)):
            rows, width = shapes[name]
            if rows > reached[name][0]:
                size = (rows - reached[name][0]) * width
                found.append((QuotientFamily(f"entries of {name}", ((name, "entries"),), size), 1))
    for name, table in tables_of(small.network):
        if table.dead:
            quotient = QuotientFamily(f"entries of {name}", ((name, "entries"),), table.dead * shapes[name][1])
            found.append((quotient, 1 if name in small.ties.shared else table.copies))
    return found


def continues(one: QuotientFamilies, two: QuotientFamilies, names: Mapping[str, str]) -> bool:
    """Return whether what a network has more of has the quotients of what it is like, with tensors of its own, and
    nothing
    else has others.

    A quotient is one of the part in which its own tensor is. Quotients of what is outside, or shared by all blocks, may
    move tensors of several parts, if these are the same ones.

    Parameters
    ----------
    one, two : QuotientFamilies
        Those of the networks.
    names : dict of str to str
        The tensors that there are more of, and those that they are like.
    """

    def without(
        quotients: QuotientFamilies, left_out: Collection[str]
    ) -> Counter[tuple[str, frozenset[tuple[str, str]]]]:
        return Counter(
            (
                names.get(quotient.tensors[0], quotient.tensors[0]),
                frozenset((names.get(name, name), kind) for name, kind in quotient.moves if name not in left_out),
            )
            for quotient in quotients.all
            if quotient.tensors[0] not in left_out
        )

    new, old = set(names), set(names.values())
    apart = not any(
        quotient.tensors[0] in these and not those.isdisjoint(quotient.tensors)
        for quotient in two.all
        for these, those in ((new, old), (old, new))
    )
    return apart and without(two, old) == without(two, new) == without(one, ())
