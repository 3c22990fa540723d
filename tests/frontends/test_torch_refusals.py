"""Modules of torch that are refused: in one line, with the operation and its place in the user's code."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
nn = torch.nn
F = nn.functional


class Called(nn.Module):
    """A module that is called by a function: this is the line that torch knows of."""

    def __init__(self, inner: Any, function: Any) -> None:
        super().__init__()
        self.inner, self.function = inner, function

    def forward(self, x: Any) -> Any:
        return self.function(self.inner, x)


REFUSED = {
    "branches": (lambda y: y if y.sum() > 0 else -y, "control flow that depends on the input"),
    "dropout": (lambda y: F.dropout(y, 0.5, training=True), "dropout"),
    "noise": (lambda y: y + torch.randn_like(y), "without randomness"),
    "complex": (lambda y: torch.view_as_real(torch.complex(y, y)).sum(-1), "of real numbers"),
    "sums of complex numbers": (
        lambda y: torch.view_as_real(torch.view_as_complex(torch.stack([y, y], -1)) + 1).sum(-1),
        r"aten.add.Tensor \(of complex numbers\), at .*; it should be a product, as rotations are",
    ),
    "in-place updates at places of the input": (
        lambda y: y.index_put((torch.arange(2), y.argmax(-1)), torch.zeros(())),
        "aten.index_put.default",
    ),
    "a loop that depends on the input": (lambda y: [y := y / 2 for _ in range(int(y.sum()))][-1], "control flow"),
    "integer arithmetic": (lambda y: y * (y > 0).long().sum() // 2, "with"),
    "determinants": (lambda y: torch.linalg.det(y @ y.mT), r"aten._linalg_det.default \(which has no rule\)"),
    "lengths of another kind": (
        lambda y: y.norm(p=3, dim=-1),
        "it should be (of the exponents 1, 2 and inf|with integers, or halves)",
    ),
    "transforms of Fourier": (lambda y: torch.fft.fft(y).real, "of real numbers"),
    "numbers of Python": (lambda y: y * y.max().item(), "without numbers that are taken out of arrays"),
    "rounding": (lambda y: y.long().double(), "with numbers in the place of truth values"),
    "numbers as truth values": (lambda y: torch.logical_and(y, y > 0) * 1.0, "with numbers in the place of truth"),
    "sums of truth values": (lambda y: ((y > 0) + (y > 1)) * 1.0, "on two arrays of truth values"),
    "arithmetic with places": (lambda y: y * torch.topk(y, 2).indices.sum(), "of places of largest entries"),
    "smallest entries": (lambda y: torch.topk(y, 2, largest=False).values, "it should be of largest ones"),
    "entries that are minus infinity": (
        lambda y: y.masked_fill(y > 0, -torch.inf) + 1,
        "of minus infinity depending on the input",
    ),
    "other entries at places": (lambda y: y.scatter(-1, torch.topk(y, 2).indices, y), "of other entries than those"),
    "places that are counted": (
        lambda y: y.gather(-1, (y > 0).sum(-1, keepdim=True)),
        "it should be at places of largest entries, or constant",
    ),
    "rounded quotients": (lambda y: torch.div(y, 2, rounding_mode="floor"), "it should be not rounded"),
    "sine": (torch.sin, r"aten.sin.default \(which has no rule\)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_operation_and_the_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    function, message = REFUSED[name]
    module = Called(nn.Linear(3, 3), lambda inner, x: function(inner(x))).eval()
    with pytest.raises(InvalidArgument, match=message) as caught:
        algatt.from_torch(module, torch.randn(2, 3))
    assert "\n" not in str(caught.value)
    assert f"{__file__}:" in str(caught.value)
    assert capsys.readouterr().err == ""


def test_arithmetic_on_numbers_of_tokens_names_the_line() -> None:
    module = Called(nn.Embedding(5, 3), lambda inner, tokens: inner((tokens + 1) % 5)).eval()
    with pytest.raises(
        InvalidArgument, match=r"aten\.add\.Tensor \(computed of numbers of tokens\), at .*: ?\d+;"
    ) as caught:
        algatt.from_torch(module, torch.tensor([[1, 2]]))
    assert f"{__file__}:" in str(caught.value)


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"module was of type function; it should be a torch.nn.Module"):
        algatt.from_torch(lambda x: x, torch.randn(2))
    with pytest.raises(InvalidArgument, match=r"in training, with dropout in 1; it should be module.eval\(\)"):
        algatt.from_torch(nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)), torch.randn(2, 3))
