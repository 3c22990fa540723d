"""Statements about the end of a run: one cluster."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.flow import SphereFlow, checked_tokens
from algatt.dynamics.heads import ScalarHead, equal_up_to_rounding
from algatt.dynamics.integrate import distance_from_cluster
from algatt.dynamics.statements.check import StatementCheck, inequality
from algatt.dynamics.weights import KINKED
from algatt.layers import Causal, Exponential

__all__ = ["check_causal_cluster", "check_single_cluster", "in_open_hemisphere"]

CLUSTERED = 1e-6
"""The distance from a cluster at which a run has come to one."""


def in_open_hemisphere(tokens: np.ndarray) -> bool:
    """Return whether some vector w has <w, x_i> > 0 for all tokens, by linear programming."""
    from scipy.optimize import linprog

    d, n = tokens.shape
    # the largest margin t with <w, x_i> >= t and all entries of w between -1 and 1
    found = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.hstack([-tokens.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        bounds=[(-1.0, 1.0)] * d + [(None, 1.0)],
    )
    return bool(found.success and -found.fun > 1e-9)


def check_single_cluster(flow: SphereFlow, tokens: Any, *, until: float = 1e6) -> StatementCheck:
    """Check that tokens in an open hemisphere come to one cluster under a single attractive head (Geshkovski, Letrouit,
    Polyanskiy, Rigollet, arXiv 2312.10794, for M = V = I; other strengths are a change of beta and of time).

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: one scalar head of positive strength, with exponential or softmax weights.
    tokens : numpy.ndarray
        Shape (d, n). Hypothesis: all in one open hemisphere. The margin of the check is 10^-6 minus the distance from a
        cluster at the end of the run.
    until : float, optional
        The time up to which the run is followed: the theorem gives no time, so a check can fail because this is small.
    """
    X = checked_tokens(flow, tokens)
    head = flow.heads[0]
    hypotheses = {
        "on the sphere": isinstance(flow, SphereFlow),
        "one scalar head of positive strength": len(flow.heads) == 1
        and isinstance(head, ScalarHead)
        and head.strength > 0,
        "weights that are positive": flow.weights != KINKED,
        "one open hemisphere": in_open_hemisphere(X),
    }
    if flow.mask is not None:
        hypotheses["no mask"] = False
    statement, source = "one head, one hemisphere: one cluster", "arXiv 2312.10794"
    if not all(hypotheses.values()):
        return inequality(statement, source, hypotheses, float("nan"), 1.0)
    run = verbs.integrate(flow, X, until=until, clustered=CLUSTERED / 2, samples=2)
    return inequality(statement, source, hypotheses, CLUSTERED - distance_from_cluster(run.final), CLUSTERED)


def check_causal_cluster(flow: SphereFlow, tokens: Any, *, until: float = 1e6) -> StatementCheck:
    """Check that with a causal mask all tokens come to the first one (Karagodin, Polyanskiy, Rigollet, arXiv
    2411.04990: for any scores, from almost every start).

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: one head whose values are a positive multiple of the identity, with softmax weights, and the mask
        `Causal`.
    tokens : numpy.ndarray
        Shape (d, n), unit vectors of at least two dimensions. The margin of the check is 10^-6 minus the largest
        difference of 1 and a cosine with the first token at the end of the run. The starts that are left out have the
        measure zero, and no hypothesis tells them.
    until : float, optional
        The time up to which the run is followed: the theorem gives no time, so a check can fail because this is small.
    """
    X = checked_tokens(flow, tokens)
    _, V = flow.heads[0].matrices(len(X))
    hypotheses = {
        "on the sphere": isinstance(flow, SphereFlow),
        "one head": len(flow.heads) == 1,
        "values c I with c > 0": V[0, 0] > 0 and equal_up_to_rounding(V, V[0, 0] * np.eye(len(X))),
        "softmax weights": isinstance(flow.weights, Exponential),
        "a causal mask": flow.mask == Causal(),
        "at least two dimensions": len(X) > 1,
    }
    statement, source = "a causal mask: all tokens come to the first", "arXiv 2411.04990"
    if not all(hypotheses.values()):
        return inequality(statement, source, hypotheses, float("nan"), 1.0)
    run = verbs.integrate(flow, X, until=until, clustered=CLUSTERED / 8, samples=2)
    apart = np.square(run.final - X[:, :1]).sum(axis=0).max() / 2.0
    return inequality(statement, source, hypotheses, CLUSTERED - float(apart), CLUSTERED)
