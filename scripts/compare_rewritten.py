"""Move a checkpoint by a random element of its whole group, rewrite it in ways that break it, and change single entries
of it, and say what is told of each: that it is equal, or by what names it is not.

    python scripts/compare_rewritten.py CHECKPOINT                a folder or a file, as algatt compare takes it
    python scripts/compare_rewritten.py CHECKPOINT --trials 100   as many single entries

What is moved has its heads and neurons in another order, and is rounded to float32. Each rewrite is one that people
made: values and what reads them rotated but not the bias of values, the embedding centred under an RMSNorm, or rotated
while the unembedding is tied to it, rows of queries and keys in the other rotary layout, a gain folded and left where
it was, or folded twice, another epsilon in all norms. Those that do not apply to the network, or that change nothing,
as folding gains that are 1, are passed over. Seconds are those of the processor, and the memory is the most that the
process has taken so far.

For the entries the checkpoint is moved by a random element of its whole group, one entry of one tensor is changed, by
as much as the largest, a tenth, a hundredth and a thousandth of it, and a thousand times its rounding in turn, and all
is rounded to float32; changes that move no value are not counted. Numbers of a file of less precision are taken for
those of float32.

Exit code: 0 if what is moved is equal, and all else different, by the right names, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from compare_moved import UNCHANGED, changed, rounded
from options import Parser, positive

import algatt
from algatt import checkpoints
from algatt.errors import AlgattError
from algatt.fields import Elements
from algatt.geometry.equality.large.arrays import compact
from algatt.geometry.equality.large.comparison import Comparison
from algatt.geometry.equality.large.random_element import random_element
from algatt.geometry.equality.large.two_networks import compare_networks
from algatt.geometry.equality.large.values import draw_public_inputs, values_at
from algatt.geometry.equality.large.verdict import compare_weights
from algatt.published.networks import with_epsilon
from algatt.symmetry import GainSymmetry, members
from algatt.views.progress import ProgressBar

Rewrite = tuple[str, str, dict[str, np.ndarray]]
"""What was done, what the hypothesis has to contain, and the tensors that changed."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="compare_rewritten", description="By what names broken rewrites of a checkpoint are told.")
    parser.add_argument("checkpoint", metavar="CHECKPOINT", help="a folder or a file")
    parser.add_argument("--trials", type=positive, help="change so many single entries, in place of the rewrites")
    parser.add_argument("--seed", type=int, default=0, help="names the elements and the entries (default: 0)")
    return parser.parse_args(arguments)


def with_arrays(theta: algatt.Weights, arrays: dict[str, np.ndarray]) -> algatt.Weights:
    """Return a point with other tensors, in single precision as the files that people have."""
    return compact(
        theta.replace(
            [Elements(one.field, arrays[name]) if name in arrays else one for name, one in theta.tensors.items()]
        )
    )


def rotation(size: int, draw: np.random.Generator) -> np.ndarray:
    """Return a random orthogonal matrix."""
    found: np.ndarray = np.linalg.qr(draw.standard_normal((size, size)))[0]
    return found


def rewrites(net: algatt.Network, theta: algatt.Weights, draw: np.random.Generator) -> Iterator[Rewrite]:
    """Iterate over the rewrites that apply."""
    tensors = theta.tensors
    last = {name: name.rpartition(".")[2] for name in tensors}
    layer = next((name.removesuffix("V_1") for name in tensors if last[name] == "V_1"), None)
    E, rms = tensors["embedding.E"].raw if "embedding.E" in tensors else None, "RMSNorm" in repr(net)
    if layer is not None and layer + "b_V_1" in tensors:
        R = rotation(len(tensors[layer + "V_1"].raw), draw)
        heads, groups = (sum(name.startswith(layer + kind) for name in tensors) for kind in ("O_", "V_"))
        readers = [f"{layer}O_{head}" for head in range(1, heads // groups + 1)]
        moved = {layer + "V_1": R @ tensors[layer + "V_1"].raw} | {name: tensors[name].raw @ R.T for name in readers}
        yield "a value bias that was not rotated", f"{layer}b_V_1 stayed while", moved
    if E is not None and rms:
        centred = {"embedding.E": E - E.mean(axis=1, keepdims=True)}
        yield "an embedding centred under an RMSNorm", "embedding.E was centred alone", centred
    if E is not None and "Tie(" in repr(net):
        rotated = {"embedding.E": E @ rotation(E.shape[1], draw)}
        yield "a tied embedding rotated", "embedding.E was rotated alone", rotated
    if "Rotary" in repr(net):
        turned = [name for name in tensors if last[name][:2] in ("Q_", "K_")]
        order = np.arange(len(tensors[turned[0]].raw)).reshape(2, -1).T.ravel()
        turns = {name: tensors[name].raw[order] for name in turned}
        yield "the other rotary layout", "in the other rotary layout", turns
    for family in members(GainSymmetry, net):  # to list all symmetries takes minutes
        gain, g = family.gain, tensors[family.gain.name].raw.reshape(1, -1)
        if gain.columns and not gain.divided and np.any(g != 1):
            once = {name: tensors[name].raw * g for name in gain.columns}
            yield "a gain folded, and left", f"{gain.name} left after folding", once
            twice = {name: tensors[name].raw * g * g for name in gain.columns}
            ones = {gain.name: np.ones_like(tensors[gain.name].raw)}
            yield "a gain folded twice", f"{gain.name} folded twice", twice | ones
            break


SHARES = (1.0, 0.1, 1e-2, 1e-3, 1e3 * 2.0**-24)
"""An entry changes by one of these shares of the largest of its tensor in turn, the last of which is a thousand times
what float32 rounds that by.
"""

EPSILONS = (1e-6, 1e-5)
"""The first that is not that of the network is taken for the other one."""


def comparisons(net: algatt.Network, one: algatt.Weights, seed: int) -> Iterator[tuple[str, str | None, Comparison]]:
    """Iterate over what was done, what the hypothesis has to contain, if there has to be one, and what is said."""

    def moved() -> algatt.Weights:
        return compact(rounded(algatt.act(random_element(net, one, seed), one), "float32"))

    yield "moved by a random element", None, compare_weights(net, one, moved())  # large, and not kept
    draw = np.random.default_rng(seed)
    for what, words, arrays in rewrites(net, one, draw):
        yield what, words, compare_weights(net, one, with_arrays(one, arrays))
    other = next(found for found in (with_epsilon(net, eps) for eps in EPSILONS) if found != net)
    if other != with_epsilon(other, 0):
        yield "another epsilon", "another epsilon", compare_networks(net, one, other, one, "another epsilon")


def trial(
    net: algatt.Network, one: algatt.Weights, moved: algatt.Weights, draw: np.random.Generator, share: float
) -> tuple[str, Comparison | None]:
    """Return the tensor of which one entry is changed, and what is said; None if no value changes, at inputs with the
    token, or at the position, of the row.
    """
    name, other, row = changed(moved, draw, share)
    inputs = draw_public_inputs(net, 7, [row] if name == "embedding.E" else ())
    before, after = (values_at(net, point, inputs) for point in (moved, other))
    if np.abs(after - before).max() <= UNCHANGED * np.abs(before).max():
        return name, None
    return name, compare_weights(net, one, rounded(other, "float32"), hypotheses=False)


def verdict_of(name: str, said: Comparison | None) -> str:
    """Return what becomes of a trial, in words."""
    if said is None:
        return "no change"
    if said.equal is not False:
        return "EQUAL" if said.equal else "undecided"
    if said.broken == (name,):
        return "named"
    return "named beside others that do the same" if name in said.alternatives else "another name"


VERDICTS = {True: "equal", False: "different", None: "undecided"}


def why(said: Comparison) -> str:
    """Return what was done, or the tensors that differ, or how near all are."""
    if said.equal:
        return f"tensors differ by {said.residual:.2g}"
    return said.hypothesis or ", ".join(said.broken[:4])


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all pairs, print what is said, and return the exit code."""
    options = parse(arguments)
    try:
        found = checkpoints.load(options.checkpoint, tokens=8)
    except AlgattError as error:
        print(f"compare_rewritten: {error}", file=sys.stderr)
        return 2
    net, one = found.network, compact(rounded(found.weights, "float32"))
    del found  # which takes as much memory as another point
    if options.trials is None:
        right = True
        start = time.process_time()
        for what, words, said in comparisons(net, one, options.seed):
            right = right and (said.equal is True if words is None else said.equal is False and words in why(said))
            end, memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(f"{what}: {VERDICTS[said.equal]}; {why(said)}; values differ by {said.difference:.2g}", end="; ")
            print(f"{end - start:.0f} s, {memory:.1f} GB", flush=True)
            start = end
        return 0 if right else 1
    draw = np.random.default_rng(options.seed)
    counts = Counter[tuple[str, float]]()
    moved = algatt.act(random_element(net, one, options.seed), one)
    with ProgressBar("entries") as progress:
        for number in range(options.trials):
            share = SHARES[number % len(SHARES)]
            name, told = trial(net, one, moved, draw, share)
            counts[verdict_of(name, told), share] += 1
            if told is not None and told.broken != (name,):
                named = ", ".join(told.broken[:4])
                print(f"{name} by {share:.2g}: {verdict_of(name, told)}: {named}", flush=True)
            progress(number + 1, options.trials)
    for said in dict.fromkeys(said for said, _ in counts):
        by_share = ", ".join(f"{counts[said, share]} by {share:.2g}" for share in SHARES)
        print(f"{said}: {sum(count for (one, _), count in counts.items() if one == said)} ({by_share})")
    return 0 if {said for said, _ in counts} <= {"named", "named beside others that do the same", "no change"} else 1


if __name__ == "__main__":
    sys.exit(main())
