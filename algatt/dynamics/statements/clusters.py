"""Statements about the end of a run: one cluster."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.flow import SphereFlow, checked_tokens
from algatt.dynamics.heads import ROUNDING, ScalarHead, equal_up_to_rounding
from algatt.dynamics.integrate import distance_from_cluster, integrate
from algatt.dynamics.metastability import angles, caps_of
from algatt.dynamics.motion import motion_of
from algatt.dynamics.statements.check import StatementCheck, inequality
from algatt.dynamics.statements.structure import attractive_head, strength_of
from algatt.dynamics.tokens import lengths, normalised
from algatt.dynamics.weights import KINKED
from algatt.errors import IntegrationFailed
from algatt.layers import Causal, Exponential

CLUSTERED = 1e-6
"""The distance from a cluster at which a run has come to one."""

STEP = 1e-5
"""How far the fastest token moves, times 1 + beta, when it is seen how its speed grows."""


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


def limit(
    statement: str,
    source: str,
    hypotheses: dict[str, bool],
    flow: SphereFlow,
    tokens: np.ndarray,
    until: float,
    target: Any = None,
) -> StatementCheck:
    """Return the check that tokens come to one cluster, or to a target: undecided if they have not up to a time."""
    if not all(hypotheses.values()):
        return inequality(statement, source, hypotheses, float("nan"), 1.0)
    try:
        run = integrate(flow, tokens, until=until, clustered=CLUSTERED / (2 if target is None else 8), samples=2)
    except IntegrationFailed as error:
        run = error.trajectory
    if target is None:
        distance = distance_from_cluster(run.final)
    else:
        distance = float(np.square(run.final - target).sum(axis=0).max() / 2.0)
    margin = CLUSTERED - distance
    if margin > ROUNDING * CLUSTERED and run.ending in ("until", "clustered"):
        return StatementCheck(statement, source, tuple(hypotheses.items()), None, margin, True)
    time = time_to_cluster(flow, run.final)
    total = None if time is None or run.ending == "undecided" else float(run.times[-1]) + time
    return StatementCheck(statement, source, tuple(hypotheses.items()), None, margin, None, total)


def time_to_cluster(flow: SphereFlow, tokens: np.ndarray) -> float | None:
    """Return about how long the fastest token takes to the others; None if rounding decides how fast it is.

    At its speed s it takes the largest angle of two tokens divided by s; if s grows, as it does like 1 / (T - t) where
    scores times beta are large, s / s'.
    """
    motion, velocity = motion_of(flow, tokens), verbs.velocity(flow, tokens)
    speed = float(motion.speeds.max())
    if not speed > motion.unknown:
        return None
    far = max(float(angles(tokens, tokens[:, [j]]).max()) for j in range(tokens.shape[1])) / speed
    moved = normalised(tokens + STEP / (1.0 + flow.inverse_temperature) / speed * velocity)
    growth = float(lengths(verbs.velocity(flow, moved)).max()) / speed - 1.0
    passed = STEP / (1.0 + flow.inverse_temperature) / speed
    return min(far, passed / growth) if growth > 0 else far


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
        The time up to which the run is followed. The theorem gives no time: a check of a run that has not come to one
        cluster is undecided, and `StatementCheck.time` says about how long it would take.
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
    return limit(statement, source, hypotheses, flow, X, until)


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
        The time up to which the run is followed. The theorem gives no time: a check of a run that has not come to one
        cluster is undecided, and `StatementCheck.time` says about how long it would take.
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
    return limit(statement, source, hypotheses, flow, X, until, X[:, :1])


def check_synchronisation(flow: SphereFlow, tokens: Any, *, until: float = 1e6) -> StatementCheck:
    r"""Check that almost all tokens come to one cluster under a single attractive head: in at least three dimensions
    whatever beta is, and on the circle for :math:`\beta \lambda < 1` (Criscitiello, Rebjock, McRae, Boumal, arXiv
    2405.18273, for exponentials; Markdahl, Thunberg, Goncalves for three dimensions; Geshkovski, Letrouit, Polyanskiy,
    Rigollet, arXiv 2312.10794, for attention).

    With softmax weights the same energy grows by another metric, so that what is no strict maximum is left in the same
    way (derived).

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: one scalar head of positive strength, with exponential or softmax weights.
    tokens : numpy.ndarray
        Shape (d, n). Hypotheses: they span three dimensions, or two if :math:`\beta \lambda < 1`, and are not all at
        rest, up to rounding, as opposite tokens are. Starts from which tokens come to a saddle have the measure zero,
        and no hypothesis tells them. The margin of the check is 10^-6 minus the distance from a cluster at the end of
        the run.
    until : float, optional
        The time up to which the run is followed: what it takes can be exponential in beta, and a check of a run that
        has not come to one cluster is undecided, as that of `check_single_cluster`.
    """
    X = checked_tokens(flow, tokens)
    product = flow.inverse_temperature * strength_of(flow)
    rank = int(np.linalg.matrix_rank(X, tol=1e-8))
    motion = motion_of(flow, X)
    hypotheses = {
        **attractive_head(flow),
        "three dimensions, or two and beta lambda < 1": rank >= 3 or (rank == 2 and product < 1),
        "not at rest": motion.fastest > 0.0 and not motion.at_rest_up_to_rounding,
    }
    statement, source = "one head: almost all tokens come to one cluster", "arXiv 2405.18273"
    source += "; softmax derived" if isinstance(flow.weights, Exponential) else ""
    return limit(statement, source, hypotheses, flow, X, until)


def check_metastability(flow: SphereFlow, tokens: Any, *, angle: float = 0.1, until: float = 1e6) -> StatementCheck:
    r"""Check that clusters which are far apart last for a time exponential in beta (derived; after Geshkovski, Koubbi,
    Polyanskiy, Rigollet, arXiv 2410.06833, whose constants are others).

    Let the tokens be in caps of the angle :math:`\rho` around centres that are :math:`\delta` apart, and R between
    :math:`\rho` and :math:`\delta / 2`. While all are within R, other caps have at most the weight
    :math:`q = A / (A + B)` at a token, with :math:`A = (n - n_q) e^{b \cos(\delta - 2R)}` and
    :math:`B = e^b + (n_q - 1) e^{b \cos 2R}`, :math:`b = \beta \lambda`; exponentials that are not divided have A / n.
    Only they turn the outermost token of a cap outwards. So all are within R up to the time
    :math:`(R - \rho) / (\lambda q)`. The check takes the R with the longest time.

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: one scalar head of positive strength, with exponential or softmax weights.
    tokens : numpy.ndarray
        Shape (d, n). Hypothesis: at least two clusters, so far apart that there is such an R. The margin of the check
        is R minus the largest angle of a token to its centre up to the time of the statement.
    angle : float, optional
        Tokens that are no farther apart are in one cluster, as for `algatt.dynamics.clusters`.
    until : float, optional
        The time up to which the run is followed at most.
    """
    X = checked_tokens(flow, tokens)
    hypotheses = attractive_head(flow)
    statement, source = "clusters last for a time exponential in beta", "derived; after arXiv 2410.06833"
    if not all(hypotheses.values()):
        return inequality(statement, source, hypotheses, float("nan"), 1.0)
    caps = caps_of(flow, X, strength_of(flow), angle)
    hypotheses["caps that are far apart"] = caps.time > 0
    if not caps.time > 0:
        return inequality(statement, source, hypotheses, float("nan"), 1.0)
    run = integrate(flow, X, until=min(caps.time, until))
    farthest = max(float(angles(state, caps.centres[:, caps.labels]).max()) for state in run.states)
    return inequality(statement, source, hypotheses, caps.bound - farthest, 1.0)
