"""Networks with shorter stacks, of which each has a first, a last, and some groups of blocks between these."""

from __future__ import annotations

from dataclasses import dataclass, field

from algatt.architectures import Network
from algatt.layers import Chain, EncoderDecoder, Layer, Named, Parallel, Residual, Stack, Tie
from algatt.layers.base import layout
from algatt.symmetry.symbolic.smaller.dials import NO_DIAL, Run
from algatt.symmetry.symbolic.smaller.likeness import like, runs_of, with_parts
from algatt.symmetry.symbolic.smaller.repeated import Repeated
from algatt.symmetry.symbolic.smaller.ties import ties_of

__all__ = ["LongRun", "Shortened", "shortened"]


KEPT = 4
"""A long run keeps its first group, two between, and the last one."""

LONG = 8
"""Of fewer groups none is left out: networks with some more of them would be larger together."""


@dataclass(frozen=True)
class LongRun:
    """A run of equal groups of blocks that was shortened.

    Parameters
    ----------
    groups : tuple of tuple of str
        What the names of the tensors of each group that is left begin with.
    full : int
        How many groups there were.
    """

    groups: tuple[tuple[str, ...], ...]
    full: int

    @property
    def steps(self) -> int:
        """How many groups are left out."""
        return self.full - len(self.groups)


@dataclass
class Shortened:
    """A network with shorter stacks.

    Attributes
    ----------
    longer : int or None
        The number of the run that has one group more than the others.
    sizes : list of int
        How many groups each run had.
    network : Network
        The network.
    runs : list of LongRun
        The runs that were shortened.
    """

    longer: int | None
    sizes: list[int] = field(default_factory=list)
    network: Network = field(init=False)
    runs: list[LongRun] = field(init=False)

    def made(self, layer: Layer) -> Layer:
        """Return a layer with shorter stacks."""
        if isinstance(layer, Stack):
            return self.made_of_stack(layer)
        if isinstance(layer, Chain | Named | Residual | Parallel | EncoderDecoder):
            return with_parts(layer, self.made)
        return layer

    def made_of_stack(self, layer: Stack) -> Layer:
        """Return the first groups of blocks of each long run, and the last one; all that are in none."""
        plain = [like(block) for block in layer.blocks]
        blocks, numbers, runs = list[Layer](), list[int](), list[Run]()
        for start, period, count in runs_of(plain):
            groups = list(range(count))
            if count >= LONG:
                here = KEPT + (len(self.sizes) == self.longer)
                groups = [*range(here - 1), count - 1]
                runs.append(Run(len(blocks) + period, period, here - 2, NO_DIAL))  # those between
                self.sizes.append(count)
            for place in (start + group * period + one for group in groups for one in range(period)):
                blocks.append(plain[place])
                numbers.append(place + 1)
        return Repeated(tuple(blocks), tuple(numbers), tuple(runs)) if runs else layer


def shortened(arch: Network, longer: int | None = None) -> Shortened | None:
    """Return a network with shorter stacks, of which one run perhaps has a group more than the others; None if no run
    is long, or equations between tensors are not known.
    """
    inner = arch.layers.layer if isinstance(arch.layers, Tie) else arch.layers
    ties = ties_of(arch)
    if ties is None:
        return None
    made = Shortened(longer)
    layers = ties.around(made.made(inner))
    if not made.sizes:
        return None
    made.network = Network(layers, arch.tokens, arch.width)
    stacks = [(node.path, node.layer) for node in layout(layers).walk() if isinstance(node.layer, Repeated)]
    groups = [
        tuple(
            tuple(f"{path}{stack.numbers[place]}." for place in range(end, end + run.period))
            for end in (run.start - run.period, *run.ends)
        )
        for path, stack in stacks
        for run in stack.runs
    ]
    made.runs = [LongRun(those, full) for those, full in zip(groups, made.sizes, strict=True)]
    return made
