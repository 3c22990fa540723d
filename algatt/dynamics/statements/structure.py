"""Hypotheses that several statements have in common."""

from __future__ import annotations

import math

from algatt import verbs
from algatt.dynamics.flow import Flow, SphereFlow
from algatt.dynamics.heads import ScalarHead
from algatt.dynamics.masks import is_symmetric
from algatt.layers import Exponential, Unnormalized


def gradient_structure(flow: Flow, tokens: int) -> dict[str, bool]:
    """Return the hypotheses under which the flow is the gradient flow of its energy."""
    hypotheses = {
        "score symmetry": all(head.symmetric for head in flow.heads),
        "value alignment": all(head.aligned for head in flow.heads),
        "weights not normalised": not verbs.is_normalised(flow.weights),
    }
    if flow.mask is not None:
        hypotheses["mask symmetry"] = is_symmetric(flow.mask, tokens)
    return hypotheses


def attractive_head(flow: Flow) -> dict[str, bool]:
    """Return the hypotheses of statements about one scalar head that attracts by exponentials."""
    head = flow.heads[0]
    score = flow.weights.score if isinstance(flow.weights, Unnormalized) else flow.weights
    hypotheses = {
        "on the sphere": isinstance(flow, SphereFlow),
        "one scalar head of positive strength": len(flow.heads) == 1
        and isinstance(head, ScalarHead)
        and head.strength > 0,
        "exponential or softmax weights": isinstance(score, Exponential),
    }
    if flow.mask is not None:
        hypotheses["no mask"] = False
    return hypotheses


def strength_of(flow: Flow) -> float:
    """Return the strength of the first head, if it is a scalar one, and no number otherwise."""
    head = flow.heads[0]
    return head.strength if isinstance(head, ScalarHead) else math.nan
