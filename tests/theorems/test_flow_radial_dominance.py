"""Radial dominance (P; this form derived) is sufficient for the energy of a head not to fall, and not necessary."""

import numpy as np

import algatt
from algatt.dynamics import random_tokens
from algatt.dynamics.statements import check_radial_dominance


def projectors(strengths, rank):
    axes = np.eye(rank * len(strengths))
    return [
        algatt.dynamics.ProjectorHead(axes[:, rank * h : rank * (h + 1)], strength)
        for h, strength in enumerate(strengths)
    ]


def test_dominant_heads_do_not_lose_energy():
    dominant = 0
    for seed in range(150):
        flow = algatt.dynamics.SphereFlow(projectors((1.0, 0.7), 2), beta=0.4)
        X = random_tokens(6, 4, seed=seed)
        chosen = (algatt.dynamics.radial_dominance(flow, X) >= 0).all(axis=1)
        assert (algatt.dynamics.energy_rate(flow, X)[chosen] >= 0).all()
        assert check_radial_dominance(flow, X).verdict == ("holds" if chosen.any() else "does not apply")
        dominant += chosen.sum()
    assert dominant > 30


def test_the_rate_is_at_least_the_mean_margin():
    for seed in range(30):
        flow, X = algatt.dynamics.SphereFlow(projectors((1.0, 0.7), 2), beta=0.9), random_tokens(6, 4, seed=seed)
        assert (
            algatt.dynamics.energy_rate(flow, X) >= algatt.dynamics.radial_dominance(flow, X).sum(axis=1) / 6**3 - 1e-14
        ).all()


def test_dominance_is_not_necessary():
    flow = algatt.dynamics.SphereFlow(projectors((1.0, 0.7), 2), beta=0.9)
    growing = [
        (algatt.dynamics.energy_rate(flow, X) > 0) & (algatt.dynamics.radial_dominance(flow, X) < 0).any(axis=1)
        for X in (random_tokens(6, 4, seed=seed) for seed in range(20))
    ]
    assert np.any(growing)


def test_the_hypotheses_are_looked_at():
    X = random_tokens(4, 4)
    softmax = algatt.dynamics.SphereFlow(projectors((1.0, 1.0), 2), algatt.layers.Exponential())
    assert check_radial_dominance(softmax, X).verdict == "does not apply"
