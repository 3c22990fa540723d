"""Differential attention (arXiv 2410.05258, equations 1 to 3)."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers import Causal, DifferentialHeads, Residual, RMSNorm
from algatt.layers.base import Tensors, tensor_shapes
from algatt.layers.differential_heads import differences

EPS = 1e-5


def attention(w, X, heads, a, start, mask, gain):
    def softmax(number):
        scores = (w[f"heads.K_{number}"] @ X).T @ (w[f"heads.Q_{number}"] @ X) / math.sqrt(a)
        values = np.exp(scores) * mask
        return values / values.sum(axis=0)

    first, second = (math.exp((w[f"heads.q_{n}"] * w[f"heads.k_{n}"]).sum()) for n in (1, 2))
    total = 0
    for head in range(1, heads + 1):
        maps = softmax(2 * head - 1) - (first - second + start) * softmax(2 * head)
        mixed = w[f"heads.V_{head}"] @ X @ maps
        mixed = gain * mixed / np.sqrt((mixed**2).mean(axis=0) + EPS)
        total = total + w[f"heads.O_{head}"] @ mixed * (1 - start)
    return total


@pytest.mark.parametrize(
    ("heads", "a", "start", "causal", "gain"), [(1, 2, 0.2, False, False), (2, 1, 0.5, True, True)]
)
def test_one_softmax_is_subtracted_from_another(is_real_value, heads, a, start, causal, gain):
    norm = RMSNorm(EPS, gain=gain)
    layer = DifferentialHeads(heads, a, start=start, mask=Causal() if causal else None, norm=norm)
    generator = np.random.default_rng(0)
    shapes, _ = tensor_shapes(layer, (3, 4))
    tensors = {name: generator.standard_normal(shape) for name, shape in shapes.items()}
    X = generator.standard_normal((3, 4))
    mask = np.triu(np.ones((4, 4))) if causal else np.ones((4, 4))
    g = tensors["heads.norm.g"] if gain else 1
    is_real_value(layer, tensors, X, attention(tensors, X, heads, a, start, mask, g))


@dataclass(frozen=True, repr=False)
class OfANumber(DifferentialHeads):
    """The same with lambda itself as a tensor."""


@verbs.tensors.method
def tensors_of_a_number(layer: OfANumber, shape: tuple) -> dict[str, tuple[int, ...]]:
    tensors = verbs.tensors(DifferentialHeads(layer.heads, layer.width), shape)
    return {name: size for name, size in tensors.items() if name[0].isupper()} | {"factor": (1, 1)}


@verbs.apply.method
def apply_of_a_number(layer: OfANumber, w: Tensors, X: Elements) -> Elements:
    return differences(layer, w, X, w.factor)


def test_of_the_numbers_that_make_lambda_all_but_one_are_redundant():
    """Keys and queries: 2 for each of two heads of width 1; values behind norms turn: 1 each; of the 4 numbers that
    make lambda 3 are. All functions are functions of the other weights and lambda, so that these bound the dimension
    from above, too.
    """
    report, above = (
        algatt.dimension(algatt.Network(Residual(layer(2, 1)), tokens=3, width=4))
        for layer in (DifferentialHeads, OfANumber)
    )
    assert report.parameters - report.lower == 2 * 2 + 2 * 1 + 3
    assert (report.upper, report.status) == (report.lower, "proven")
    assert (above.parameters, above.value, above.status) == (report.parameters - 3, report.lower, "proven")


def test_what_is_no_number_or_slot_is_refused():
    with pytest.raises(InvalidArgument, match=r"^heads was 0; it should be an integer >= 1$"):
        DifferentialHeads(0, 2)
    with pytest.raises(InvalidArgument, match=r"^norm was None; it should be a layer"):
        DifferentialHeads(1, 2, norm=None)
    with pytest.raises(InvalidArgument, match=r"^start was 'learned'; it should be "):
        DifferentialHeads(1, 2, start="learned")
