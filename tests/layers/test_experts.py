"""Mixtures of experts, token by token (arXiv 1701.06538; 2401.04088, section 2.1; 2412.19437, equations 12 to 16)."""

import math

import numpy as np
import pytest

from algatt import Network, Reals
from algatt.errors import DomainError, InvalidArgument
from algatt.layers import Experts, Feedforward, Linear, Power, SigmoidRouter, SoftmaxRouter
from algatt.layers.base import tensor_shapes

X = [[1.0, -2.0, 0.5], [0.25, 1.0, 3.0]]
EXPERT = Feedforward(2, Power(2))


def tensors_of(layer):
    rng = np.random.default_rng(0)
    shapes, _ = tensor_shapes(layer, (2, 3))
    return {name: rng.uniform(-2, 2, shape) for name, shape in shapes.items()}


def softmax(numbers):
    return [math.exp(x) / sum(map(math.exp, numbers)) for x in numbers]


def logistic(numbers):
    return [1 / (1 + math.exp(-x)) for x in numbers]


def mixture(tensors, shares_of, count):
    columns = []
    for x in np.array(X).T:
        shares = shares_of([float(row @ x) for row in tensors["experts.router"]])
        total = np.zeros(2)
        for number, share in zip(range(1, count + 1), shares, strict=True):
            hidden = [float(row @ x) ** 2 for row in tensors[f"experts.{number}.up"]]
            total += share * np.array(
                [sum(w * h for w, h in zip(row, hidden, strict=True)) for row in tensors[f"experts.{number}.down"]]
            )
        columns.append(total)
    return np.array(columns).T


def keep(shares, ranking, top, renormalize):
    best = sorted(range(len(shares)), key=lambda e: -ranking[e])[:top]
    total = sum(shares[e] for e in best) if renormalize else 1
    return [shares[e] / total if e in best else 0 for e in range(len(shares))]


@pytest.mark.parametrize("top", [None, 1, 2, 4])
@pytest.mark.parametrize("renormalize", [False, True])
@pytest.mark.parametrize(("router", "function"), [(SoftmaxRouter, softmax), (SigmoidRouter, logistic)])
def test_the_shares_of_the_largest_are_kept(is_real_value, router, function, top, renormalize):
    layer = Experts(4, EXPERT, router(top, renormalize))
    tensors = tensors_of(layer)

    def shares(numbers):
        values = function(numbers)
        return keep(values, values, top or 4, renormalize)

    is_real_value(layer, tensors, X, mixture(tensors, shares, 4))


def test_a_correction_chooses_experts_and_takes_no_part_in_the_shares(is_real_value):
    layer = Experts(4, EXPERT, SigmoidRouter(2, renormalize=True, correction=True))
    tensors = tensors_of(layer)
    assert tensors["experts.correction"].shape == (4, 1)
    chosen = []

    def shares(numbers):
        values = logistic(numbers)
        ranking = [value + float(shift) for value, (shift,) in zip(values, tensors["experts.correction"], strict=True)]
        kept = keep(values, ranking, 2, True)
        chosen.append([e for e in range(4) if kept[e]] != [e for e in range(4) if keep(values, values, 2, True)[e]])
        return kept

    is_real_value(layer, tensors, X, mixture(tensors, shares, 4))
    assert any(chosen)


def in_best_groups(values, groups, best, leaders):
    """Return the numbers of the experts in the best groups, a group's rank being the sum of those of its leaders."""
    size = len(values) // groups
    ranks = [sum(sorted(values[g * size : (g + 1) * size])[-leaders:]) for g in range(groups)]
    chosen = sorted(range(groups), key=lambda g: -ranks[g])[:best]
    return [e for e in range(len(values)) if e // size in chosen]


@pytest.mark.parametrize(("top", "best"), [(1, 1), (2, 1), (3, 2), (4, 2), (3, 3), (None, 2)])
@pytest.mark.parametrize("kind", ["softmax", "sigmoid", "sigmoid with a correction"])
def test_experts_are_chosen_in_the_best_groups(is_real_value, kind, top, best):
    """DeepSeek-V2 ranks groups by their best expert, V3 by their two best; numbers below zero may be chosen, too."""
    options = {"groups": 3, "top_groups": best, "scale": 2.5}
    router, function, leaders = (
        (SoftmaxRouter(top, **options), softmax, 1)
        if kind == "softmax"
        else (SigmoidRouter(top, True, correction="correction" in kind, **options), logistic, 2)
    )
    layer = Experts(6, EXPERT, router)
    tensors = tensors_of(layer)
    if "correction" in kind:
        tensors["experts.correction"] = np.array([[-9.0], [-1.5], [-2.0], [-1.75], [-3.0], [-1.25]])

    def shares(numbers):
        values = function(numbers)
        shifts = tensors.get("experts.correction", np.zeros((6, 1)))
        ranking = [value + float(shift) for value, (shift,) in zip(values, shifts, strict=True)]
        allowed = in_best_groups(ranking, 3, best, leaders)
        limited = [rank if e in allowed else -math.inf for e, rank in enumerate(ranking)]
        kept = keep(values, limited, top or len(allowed), router.renormalize)
        assert {e for e in range(6) if kept[e]} <= set(allowed)
        return [2.5 * share for share in kept]

    is_real_value(layer, tensors, X, mixture(tensors, shares, 6))


@pytest.mark.parametrize("kind", [SoftmaxRouter, SigmoidRouter])
def test_a_number_may_be_added_to_the_sum_of_the_shares(is_real_value, kind):
    function = softmax if kind is SoftmaxRouter else logistic
    layer = Experts(3, EXPERT, kind(2, True, eps=0.25))
    tensors = tensors_of(layer)

    def shares(numbers):
        kept = keep(function(numbers), numbers, 2, False)
        return [share / (sum(kept) + 0.25) for share in kept]

    is_real_value(layer, tensors, X, mixture(tensors, shares, 3))


@pytest.mark.parametrize(
    ("router", "options", "message"),
    [
        (SoftmaxRouter, {"eps": -1}, "eps was -1; it should be a finite number >= 0"),
        (SoftmaxRouter, {"groups": 2}, "top_groups was None; it should be given if groups are, and not otherwise"),
        (SoftmaxRouter, {"groups": 2, "top_groups": 3}, "top_groups was 3; it should be at most groups, which is 2"),
        (SoftmaxRouter, {"scale": 0}, "scale was 0; it should be"),
        (SoftmaxRouter, {"groups": 4, "top_groups": 1}, "a multiple of 4, and at least 1 for each group"),
        (SigmoidRouter, {"groups": 6, "top_groups": 1}, "a multiple of 6, and at least 2 for each group"),
        (SoftmaxRouter, {"groups": 3, "top_groups": 1, "top": 3}, "was given 2 experts in 1 groups; it should be"),
    ],
)
def test_groups_that_do_not_fit_are_refused(router, options, message):
    with pytest.raises(InvalidArgument, match=message):
        Network(Experts(6, EXPERT, router(**options)), tokens=2, width=2)


def test_a_tie_between_experts_is_told(value):
    layer = Experts(2, EXPERT, SoftmaxRouter(1))
    tensors = tensors_of(layer) | {"experts.router": [[1.0, 2.0], [1.0, 2.0]]}
    with pytest.raises(DomainError, match=r"^the 1 largest numbers are not told from the others$"):
        value(layer, tensors, X, Reals())


def test_an_expert_may_be_any_layer(is_real_value):
    layer = Experts(1, Linear(3))
    tensors = {"experts.router": [[5.0, 1.0]], "experts.1.W": [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]}
    is_real_value(layer, tensors, X, np.array(tensors["experts.1.W"]) @ X)


def test_what_the_slots_may_hold():
    with pytest.raises(InvalidArgument) as told:
        Network(Linear(2) >> Experts(2, EXPERT, SoftmaxRouter(3)), tokens=3, width=2)
    should = "SoftmaxRouter(top=3) after Linear(2) was given 2 experts; it should be given at least 3"
    assert str(told.value) == should
    with pytest.raises(InvalidArgument, match=r"^count was 0; it should be an integer >= 1$"):
        Experts(0, EXPERT)
    with pytest.raises(
        InvalidArgument,
        match=r"^expert was 'feedforward'; it should be a layer, such as algatt\.layers\.Feedforward\(64\)$",
    ):
        Experts(2, "feedforward")
    with pytest.raises(
        InvalidArgument,
        match=r"^router was 'softmax'; it should be a router, such as algatt\.layers\.SoftmaxRouter\(\)$",
    ):
        Experts(2, EXPERT, "softmax")
    with pytest.raises(InvalidArgument, match=r"^top was 0; it should be an integer >= 1$"):
        SoftmaxRouter(0)
    with pytest.raises(InvalidArgument, match=r"^renormalize was 'no'; it should be True or False$"):
        SigmoidRouter(renormalize="no")
    with pytest.raises(InvalidArgument, match=r"^correction was 1; it should be True or False$"):
        SigmoidRouter(correction=1)
