"""Check every statement about attention as a flow, and print one table: statement, hypotheses, what it was checked on,
margin, verdict.

    python scripts/dynamics_claims.py                 20 random states for each statement about states
    python scripts/dynamics_claims.py --states 200

A margin is the least amount by which an inequality holds, an error the largest relative difference of the two sides of
an identity. Statements whose failure is the claim are expected to fail, and say so.

Exit code: 0 if every verdict is the expected one, 1 if not, 2 for bad arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from options import Parser
from rich.console import Console
from rich.table import Table

import algatt
from algatt.dynamics import (
    FlatFlow,
    MatrixHead,
    ProjectorHead,
    SphereFlow,
    random_tokens,
    statements,
)
from algatt.dynamics.statements import StatementCheck
from algatt.layers import Causal, Exponential, ReLU, Unnormalized

WIDTH = 180
"""In a file or a pipe, where there is no terminal to fit in, the table is this wide."""


@dataclass(frozen=True)
class Row:
    """A line of the table.

    Parameters
    ----------
    checks : list of StatementCheck
        The same statement on several states.
    states : str
        What these are, in words.
    expected : str, optional
        The verdict that all of them should have.
    """

    checks: list[StatementCheck]
    states: str
    expected: str = "holds"

    @property
    def verdicts(self) -> set[str]:
        """The verdicts that came out."""
        return {check.verdict for check in self.checks}

    @property
    def as_expected(self) -> bool:
        """Whether they are the expected ones."""
        return self.verdicts == {self.expected}

    def cells(self) -> tuple[str, ...]:
        """Return the entries of the line."""
        first = self.checks[0]
        errors = [check.error for check in self.checks if check.error is not None]
        margins = [check.margin for check in self.checks if check.margin is not None]
        measured = f"error {max(errors):.1e}" if errors else f"{min(margins):.2e}"
        verdict = ", ".join(sorted(self.verdicts)) + (
            " (as claimed)" if self.expected == "fails" and self.as_expected else ""
        )
        return (
            first.statement,
            first.source,
            "; ".join(name for name, _ in first.hypotheses) or "none",
            self.states,
            measured,
            verdict,
        )


def symmetric_heads(seed: int, count: int, dimension: int) -> list[MatrixHead]:
    """Return random symmetric heads with values of their own matrices."""
    rng = np.random.default_rng(seed)
    matrices = [rng.standard_normal((dimension, dimension)) / dimension for _ in range(count)]
    return [MatrixHead(M + M.T) for M in matrices]


def projectors(strengths: Sequence[float], rank: int) -> list[ProjectorHead]:
    """Return heads on blocks of coordinates of their own."""
    axes = np.eye(rank * len(strengths))
    return [ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength) for h, strength in enumerate(strengths)]


def nearly_orthogonal(seed: int) -> list[MatrixHead]:
    """Return orthogonal projectors in dimension 4 that are turned against each other a little."""
    rng = np.random.default_rng(seed)
    heads = [head.matrices(4)[0] for head in projectors((1.0, 1.0), 2)]
    noise = [rng.standard_normal((4, 4)) / 50 for _ in heads]
    return [MatrixHead(M + N + N.T) for M, N in zip(heads, noise, strict=True)]


def dominance(states: int) -> Row:
    """Check radial dominance on those of many random states that have a dominant head."""
    flow = SphereFlow(projectors((1.0, 1.0), 2), beta=0.5)
    found = (statements.check_radial_dominance(flow, random_tokens(6, 4, seed=seed)) for seed in range(5 * states))
    chosen = [check for check in found if check.applies]
    return Row(chosen, f"2 projectors of rank 2; {len(chosen)} of {5 * states} states have a dominant head")


def rows(states: int) -> Iterator[Row]:
    """Iterate over the lines of the table."""
    seeds = range(states)
    for flow_type in (SphereFlow, FlatFlow):
        for weights in (Unnormalized(Exponential()), Unnormalized(ReLU())):
            checks = [
                statements.check_total_energy_rate(
                    flow_type(symmetric_heads(seed, 3, 5), weights, 0.7), random_tokens(12, 5, seed=seed)
                )
                for seed in seeds
            ]
            yield Row(checks, f"{states} states, 3 symmetric heads, {weights!r}, {flow_type.__name__}")
    for weights in (Unnormalized(Exponential()), Exponential()):
        heads = [MatrixHead(head.M, np.eye(4)) for head in symmetric_heads(0, 2, 4)]
        checks = [
            statements.check_energy_rate(SphereFlow(heads, weights, 1.5), random_tokens(10, 4, seed=seed))
            for seed in seeds
        ]
        yield Row(checks, f"{states} states, any heads, {weights!r}")
    for flow_type in (SphereFlow, FlatFlow):
        flow = flow_type(projectors((1.0, 0.5, 2.0), 2), beta=0.7)
        yield Row(
            [statements.check_head_energy_rates(flow, random_tokens(12, 6, seed=seed)) for seed in seeds],
            f"{states} states, 3 projectors, {flow_type.__name__}",
        )
    yield dominance(states)
    angles = np.linspace(0.1, 1.4, states)
    yield Row(
        [statements.check_falling_head_energy(1.0, 0.4, float(angle)) for angle in angles],
        f"{states} angles, strengths 1 and 0.4",
    )
    yield Row([statements.check_falling_softmax_energy()], "tokens at 10 and 90 degrees, beta = 4")
    nearly = [
        statements.check_approximate_orthogonality(
            SphereFlow(nearly_orthogonal(seed), beta=0.5), random_tokens(8, 4, seed=seed)
        )
        for seed in seeds
    ]
    yield Row(nearly, f"{states} states, projectors with noise")
    cosines = np.linspace(0.02, 0.98, states)
    convex = [statements.check_super_additivity((0.4, 1.1, 1.7), 5, float(g), beta=0.9) for g in cosines]
    yield Row(convex, f"{states} cosines, exp, n = 5, beta = 0.9, strengths 0.4, 1.1, 1.7")
    concave = [statements.check_super_additivity((0.4, 1.1, 1.7), 5, 0.23, weights=Exponential(), beta=0.9)]
    yield Row(concave, "softmax, the same at g = 0.23", "fails")
    yield Row(
        [statements.check_clustering_times(n, d) for n in (10, 100, 1000) for d in (16, 256, 4096)],
        "n = 10 to 1000, d = 16 to 4096",
    )
    for weights in (Unnormalized(Exponential()), Exponential()):
        heads = [MatrixHead(head.M, np.eye(4)) for head in symmetric_heads(0, 2, 4)]
        checks = [
            statements.check_entropy_rate(SphereFlow(heads, weights, 1.5), random_tokens(10, 4, seed=seed))
            for seed in seeds
        ]
        yield Row(checks, f"{states} states, any heads, {weights!r}")
    growing = [
        statements.check_equiangular_entropy(algatt.dynamics.EquiangularFlow((1.0, 0.5), 8, weights, 2.0), float(g))
        for g in cosines
        for weights in (Unnormalized(Exponential()), Exponential(), Unnormalized(ReLU()))
    ]
    yield Row(growing, f"{states} cosines, n = 8, all weights")
    yield Row(
        [statements.check_falling_entropy(weights=weights) for weights in (Unnormalized(Exponential()), Exponential())],
        "exp and softmax, beta = 1",
    )
    reduced = [
        statements.check_equiangular_reduction(algatt.dynamics.EquiangularFlow((1.0, 0.5), 8, weights, 1.0), 0.1, 1.0)
        for weights in (Unnormalized(Exponential()), Exponential(), Unnormalized(ReLU()))
    ]
    yield Row(reduced, "n = 8, t = 1, all weights")
    thresholds = [
        statements.check_dominance_threshold(n, heads, cosine=g)
        for n, heads in ((50, 2), (1000, 4), (1000, 16))
        for g in (0.0, 0.001)
    ]
    yield Row(thresholds, "n = 50 and 1000, 2 to 16 heads")
    yield Row(
        [statements.check_fastest_strength(n, cosine=g) for n in (2, 20, 5000) for g in (0.0, 0.5)], "n = 2 to 5000"
    )
    yield Row([statements.check_unit_shadow_bound(heads) for heads in range(2, 50)], "2 to 49 heads")
    yield Row(
        [statements.check_goldilocks_zone(n, cosine=g) for n in (2, 64, 5000) for g in (0.0, 0.5)], "n = 2 to 5000"
    )
    yield from clusters(states)


def clusters(states: int) -> Iterator[Row]:
    """Iterate over the lines about clusters: under one head, close by, far apart, and with masks."""
    one, seeds = (algatt.dynamics.ScalarHead(1.0),), range(states)
    soft = SphereFlow(one, Exponential(), 2.0)
    near = [algatt.dynamics.normalised(np.ones((3, 1)) + 0.02 * random_tokens(6, 3, seed=seed)) for seed in seeds]
    yield Row(
        [statements.check_growing_entropy(soft, X) for X in near], f"{states} states of 6 tokens, softmax, beta = 2"
    )
    upper = [algatt.dynamics.normalised(np.abs(random_tokens(6, 3, seed=seed)) + 0.01) for seed in seeds]
    yield Row([statements.check_single_cluster(soft, X) for X in upper], f"{states} states, softmax, beta = 2")
    yield Row(
        [statements.check_synchronisation(soft, random_tokens(6, 3, seed=seed)) for seed in seeds],
        f"{states} states in dimension 3, softmax, beta = 2",
    )
    angles = np.array([0.0, 0.05, 2.0, 2.05, 4.1])
    far = np.stack([np.cos(angles), np.sin(angles)])
    yield Row(
        [
            statements.check_metastability(SphereFlow(one, Exponential(), beta), far, until=1e4)
            for beta in (5.0, 10.0, 20.0)
        ],
        "3 clusters on the circle, softmax, beta = 5 to 20",
    )
    causal = [
        SphereFlow((MatrixHead(symmetric_heads(seed, 1, 3)[0].M, np.eye(3)),), Exponential(), 2.0, Causal())
        for seed in seeds
    ]
    states_of = [random_tokens(5, 3, seed=seed) for seed in seeds]
    checks = [statements.check_causal_cluster(flow, X) for flow, X in zip(causal, states_of, strict=True)]
    yield Row(checks, f"{states} states, any scores")
    yield Row(
        [statements.check_total_energy_rate(SphereFlow(one, mask=Causal()), X) for X in states_of],
        f"{states} states, a causal mask",
        "does not apply",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Check everything, print the table, and return the exit code."""
    parser = Parser(prog="dynamics_claims", description="Check every statement about attention as a flow.")
    parser.add_argument(
        "--states",
        type=int,
        default=20,
        metavar="N",
        help="random states for each statement about states (default: 20)",
    )
    options = parser.parse_args(arguments)
    if options.states < 2:
        parser.error(f"argument --states: {options.states} is not at least 2")
    table = Table(title="attention as a flow: statements (P: arXiv 2605.04279)", title_justify="left")
    for heading in ("statement", "source", "hypotheses", "checked on", "margin", "verdict"):
        table.add_column(heading)
    expected = True
    for row in rows(options.states):
        table.add_row(*row.cells(), style=None if row.as_expected else "red")
        expected = expected and row.as_expected
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table, highlight=False, markup=False)
    return 0 if expected else 1


if __name__ == "__main__":
    sys.exit(main())
