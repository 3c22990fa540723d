"""Statements about energies: their rates, radial dominance, and where energies fall."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.energy import energy_rate, energy_weights
from algatt.dynamics.flow import FlatFlow, Flow, PreNormFlow, SphereFlow, checked_tokens
from algatt.dynamics.heads import ROUNDING, ProjectorHead
from algatt.dynamics.shadow import shadows
from algatt.dynamics.statements import duals
from algatt.dynamics.statements.check import StatementCheck, identity, inequality
from algatt.dynamics.statements.differences import DERIVATIVE, differences
from algatt.dynamics.statements.structure import gradient_structure
from algatt.dynamics.tokens import lengths, normalised
from algatt.dynamics.velocity import head_outputs, seen, seen_velocity
from algatt.dynamics.weights import KINKED
from algatt.layers import Exponential, Unnormalized


def rate_scale(outputs: np.ndarray) -> float:
    """Return n^-3 sum |f|^2 over all heads, beside which rates are rounding errors if they are much smaller: where
    tokens are nearly at rest.
    """
    return float(np.square(outputs).sum()) / outputs.shape[-1] ** 3


def orthogonal(flow: Flow, dimension: int) -> bool:
    """Return whether M_h M_h' = 0 for all pairs of heads, up to rounding."""
    matrices = [head.matrices(dimension)[0] for head in flow.heads]
    sizes = [float(np.abs(M).max()) for M in matrices]
    pairs = [(h, k) for h in range(len(matrices)) for k in range(len(matrices)) if h != k]
    return all(np.abs(matrices[h] @ matrices[k]).max() <= ROUNDING * dimension * sizes[h] * sizes[k] for h, k in pairs)


def check_total_energy_rate(flow: Flow, tokens: Any) -> StatementCheck:
    r"""Check that the total energy grows by :math:`\frac{1}{n} \sum_i |x_i'|^2`; P for exponential weights, the rate
    derived.

    In a `PreNormFlow` it grows by :math:`\frac{1}{n} \sum_i |x_i| |\theta_i'|^2` with the directions
    :math:`\theta_i = x_i / |x_i|` (derived).

    Parameters
    ----------
    flow : Flow
        Hypotheses: score symmetry, value alignment, weights that are not normalised, and of a mask that it is
        symmetric: a causal one leaves no gradient structure.
    tokens : numpy.ndarray
        Shape (d, n).

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics.statements import check_total_energy_rate
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)))
    >>> check_total_energy_rate(flow, algatt.dynamics.random_tokens(10, 3)).verdict
    'holds'
    """
    X = checked_tokens(flow, tokens)
    tangents = seen_velocity(flow, X)
    sizes = lengths(X) if isinstance(flow, PreNormFlow) else 1.0
    speed = (sizes * np.square(tangents).sum(axis=0)).sum() / X.shape[1]
    known = flow.weights == Unnormalized(Exponential()) and flow.mask is None and not isinstance(flow, PreNormFlow)
    source = "P; rate derived" if known else "derived"
    rounding = ROUNDING * rate_scale(head_outputs(flow, X))
    return identity(
        "dE/dt = (1/n) sum |x_i'|^2 >= 0",
        source,
        gradient_structure(flow, X.shape[1]),
        energy_rate(flow, X).sum(),
        speed,
        rounding=rounding,
    )


def check_energy_rate(flow: Flow, tokens: Any) -> StatementCheck:
    r"""Check dE_h/dt = sum <grad_i E_h, x_i'> against derivatives of the energies along the velocity (derived).

    Those of exponentials are exact, by dual numbers through the definition, with whose value the energy is compared
    too. Those of other activations are central differences, whose step becomes smaller as beta and the heads become
    larger. Where the pairs of tokens with themselves outweigh all that moves, so that rounding decides, the check is
    undecided.

    Parameters
    ----------
    flow : Flow
        Any heads. Hypothesis: weights without kinks, so not ReLU, at whose kinks differences are no derivatives.
    tokens : numpy.ndarray
        Shape (d, n).
    """
    X = checked_tokens(flow, tokens)
    slopes, rounding, agree = energy_slopes(flow, X)
    check = identity(
        "dE_h/dt = sum <grad E_h, x_i'>",
        "derived",
        {"weights without kinks": flow.weights != KINKED},
        slopes,
        energy_rate(flow, X),
        DERIVATIVE,
        rounding=rounding,
    )
    return check if agree or not check.applies else replace(check, holds=False)


def energy_slopes(flow: Flow, tokens: np.ndarray) -> tuple[np.ndarray, float, bool]:
    """Return the derivatives of the energies, a bound of their rounding errors, and whether the energies are those of
    the definition, as far as it is known.
    """
    weights = energy_weights(flow)
    if not isinstance(weights, Unnormalized) or not isinstance(weights.score, Exponential):
        return *differences(flow, tokens, verbs.energy), True
    velocity, energies = verbs.velocity(flow, tokens), verbs.energy(flow, tokens)
    values, slopes = duals.energies(flow, duals.along(seen(flow, tokens), seen_velocity(flow, tokens)))
    rounding = duals.product_rounding(flow, tokens, velocity) * float(np.abs(energies).max())
    scores = flow.inverse_temperature * float(np.square(seen(flow, tokens)).sum())
    return slopes, rounding, bool(np.allclose(values, energies, rtol=1e-12 * (1.0 + scores)))


def check_head_energy_rates(flow: Flow, tokens: Any) -> StatementCheck:
    r"""Check the rate of each head's energy by outputs and shadows (derived).

    On the sphere it is :math:`n^{-3} \sum_i [|P f_i^h|^2 - s_i^h \sum_{h' \ne h} s_i^{h'}]`, in the flat space
    :math:`n^{-3} \sum_i |f_i^h|^2`, and in a `PreNormFlow` the terms of the sphere are divided by :math:`|x_i|`.

    Parameters
    ----------
    flow : Flow
        Hypotheses: those of `check_total_energy_rate`, and orthogonal heads.
    tokens : numpy.ndarray
        Shape (d, n).
    """
    X = checked_tokens(flow, tokens)
    outputs = head_outputs(flow, X)
    count = X.shape[1]
    squares = np.square(outputs).sum(axis=1)
    if not isinstance(flow, FlatFlow):
        s = shadows(seen(flow, X), outputs)
        squares = squares - s * s.sum(axis=0)
    if isinstance(flow, PreNormFlow):
        squares = squares / lengths(X)
    hypotheses = {**gradient_structure(flow, X.shape[1]), "orthogonal heads": orthogonal(flow, X.shape[0])}
    by_outputs, rates = squares.sum(axis=1) / count**3, energy_rate(flow, X)
    return identity(
        "dE_h/dt by |P f|^2 and shadows", "derived", hypotheses, by_outputs, rates, scale=rate_scale(outputs)
    )


def check_radial_dominance(flow: SphereFlow, tokens: Any) -> StatementCheck:
    """Check that the energies of radially dominant heads do not fall (P; this form of dominance derived).

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: those of `check_head_energy_rates`, and at least one head with no negative margin.
    tokens : numpy.ndarray
        Shape (d, n). The margin of the check is the least rate of a dominant head.
    """
    X = checked_tokens(flow, tokens)
    dominant = (verbs.radial_dominance(flow, X) >= 0).all(axis=1)
    rates = energy_rate(flow, X)
    hypotheses = {
        **gradient_structure(flow, X.shape[1]),
        "orthogonal heads": orthogonal(flow, X.shape[0]),
        "a dominant head": bool(dominant.any()),
    }
    margin = float(rates[dominant].min()) if dominant.any() else math.nan
    scale = rate_scale(head_outputs(flow, X))
    return inequality("radially dominant heads have dE_h/dt >= 0", "P; form derived", hypotheses, margin, scale)


def check_falling_head_energy(first: float, second: float, angle: float, *, beta: float = 1.0) -> StatementCheck:
    """Check that of two orthogonal heads at one token exactly one loses energy (derived).

    The heads are first * e_1 e_1^T and second * e_2 e_2^T, the token is (cos angle, sin angle). With a = cos^2 and
    weights w the rates are w_1 l_1 a (1 - a) (w_1 l_1 - w_2 l_2) and the same with the heads exchanged, so they have
    opposite signs if the strengths have equal ones. Where w_1 l_1 = w_2 l_2 none does, and the check is undecided.

    Parameters
    ----------
    first, second : float
        The strengths, both positive.
    angle : float
        Of the token in the plane of e_1 and e_2; not on an axis. A third dimension would spoil the statement.
    beta : float, optional
        The inverse temperature; 1 unless given.
    """
    plane = np.eye(2)
    flow = SphereFlow(
        (ProjectorHead(plane[:, :1], first), ProjectorHead(plane[:, 1:], second)), Unnormalized(Exponential()), beta
    )
    token = np.array([[math.cos(angle)], [math.sin(angle)]])
    X = normalised(token)
    rates, scale = energy_rate(flow, X), rate_scale(head_outputs(flow, X))
    hypotheses = {
        "positive strengths": first > 0 and second > 0,
        "token on no axis": bool((np.abs(token) > ROUNDING).all()),
    }
    margin = float(min(rates.max(), -rates.min()))
    return inequality("one of two orthogonal heads loses energy", "P; example derived", hypotheses, margin, scale)


def check_falling_softmax_energy() -> StatementCheck:
    """Check that two orthogonal softmax heads lose total energy at the tokens at 10 and 90 degrees on the circle
    (derived).

    The heads are e_1 e_1^T and e_2 e_2^T, beta is 4. So the total energy need not grow where the weights are
    normalised.
    """
    angles = np.radians([10.0, 90.0])
    plane = np.eye(2)
    flow = SphereFlow((ProjectorHead(plane[:, :1]), ProjectorHead(plane[:, 1:])), Exponential(), 4.0)
    rates = energy_rate(flow, normalised(np.stack([np.cos(angles), np.sin(angles)])))
    return inequality(
        "two softmax heads can lose total energy", "derived", {}, -float(rates.sum()), float(np.abs(rates).max())
    )


def check_approximate_orthogonality(flow: SphereFlow, tokens: Any) -> StatementCheck:
    r"""Check how much of its rate a head can lose to heads that are nearly orthogonal (P; the bound is derived).

    If :math:`|\langle f_i^h, f_i^{h'} \rangle| \le \varepsilon |f_i^h| |f_i^{h'}|`, the rate is at least
    :math:`n^{-3} \sum_i [|P f_i^h|^2 - \sum_{h' \ne h} (|s_i^h| |s_i^{h'}| + \varepsilon |f_i^h| |f_i^{h'}|)]`. The
    check takes the least :math:`\varepsilon` at these tokens.

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: those of `check_total_energy_rate`; at least two heads.
    tokens : numpy.ndarray
        Shape (d, n). The margin of the check is the least difference of rate and bound.
    """
    X = checked_tokens(flow, tokens)
    outputs = head_outputs(flow, X)
    sizes = np.sqrt(np.square(outputs).sum(axis=1))
    products = np.stack([(outputs * other).sum(axis=1) for other in outputs])
    pairs = np.stack([sizes * other for other in sizes])
    for h in range(len(outputs)):
        products[h, h] = pairs[h, h] = 0.0
    epsilon = float(np.divide(np.abs(products), pairs, out=np.zeros_like(pairs), where=pairs > 0).max())
    rates = energy_rate(flow, X)
    bounds = (verbs.radial_dominance(flow, X) - epsilon * pairs.sum(axis=1)).sum(axis=1) / X.shape[1] ** 3
    hypotheses = {**gradient_structure(flow, X.shape[1]), "two heads": len(flow.heads) > 1}
    if isinstance(flow, PreNormFlow):  # whose rates are divided by the lengths of the tokens
        hypotheses["on the sphere"] = False
    return inequality(
        "rate >= dominance - eps |f||f'|",
        "P; bound derived",
        hypotheses,
        float((rates - bounds).min()),
        rate_scale(outputs),
    )
