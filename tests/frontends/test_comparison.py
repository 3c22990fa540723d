"""Models that were read from different places are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import checkpoints
from algatt.architectures.network import arrange
from algatt.errors import InvalidArgument
from algatt.fields import Sigmoid, concatenate
from algatt.frontends.comparison import compare_models
from algatt.frontends.matching import matched_tensors
from algatt.layers import Causal, Feedforward, Heads, LayerNorm, Linear, Residual, RMSNorm, SiLU
from algatt.maps import program
from algatt.programs.joined import joined_tensors
from algatt.programs.normal_form import normal_form
from pairs_of_texts import TOKENS, D, conv, fused
from written_networks import Written

ROWS = algatt.Network(Written((("W", (D, 12)), ("O", (4, D))), conv), tokens=TOKENS, width=D)
FUSED = algatt.Network(Written((("W", (12, D)), ("O", (D, 4))), fused), tokens=TOKENS, width=D)
HEADS = algatt.Network(Residual(Heads(2, width=2, score=algatt.layers.Exponential())), tokens=TOKENS, width=D)


def points() -> tuple[algatt.Weights, algatt.Weights]:
    theta = algatt.sample(ROWS, algatt.Weights, field=algatt.Reals(), seed=1)
    return theta, algatt.Weights.of({"W": theta["W"].T, "O": theta["O"].T})


def test_a_conversion_is_checked() -> None:
    """Tokens as rows and one matrix, as GPT-2 has it, and tokens as columns."""
    one, two = points()
    found = compare_models(ROWS, one, FUSED, two)
    assert (found.equal, found.lengths) == (True, (TOKENS, TOKENS))
    heads = {
        f"heads.{letter}_{i}": two["W"][4 * place + 2 * i - 2 : 4 * place + 2 * i]
        for place, letter in enumerate("QKV")
        for i in (1, 2)
    }
    heads |= {f"heads.O_{i}": two["O"][:, 2 * i - 2 : 2 * i] for i in (1, 2)}
    assert compare_models(ROWS, one, HEADS, algatt.Weights.of(heads)).equal


@pytest.mark.parametrize("name", ["W", "O"])
def test_an_entry_that_was_converted_wrongly_is_found(name: str) -> None:
    one, two = points()
    for place in range(0, two[name].size, 5):
        arrays = {key: np.array(two[key]) for key in ("W", "O")}
        arrays[name].flat[place] += 0.125
        assert compare_models(ROWS, one, FUSED, algatt.Weights.of(arrays)).equal is False


def test_other_programs_are_told_apart_by_values() -> None:
    nets = [algatt.Network(Residual(layer), tokens=TOKENS, width=D) for layer in (Linear(D), Linear(D) >> SiLU())]
    theta = algatt.sample(nets[0], algatt.Weights, field=algatt.Reals(), seed=1)
    found = compare_models(nets[0], theta, nets[1], algatt.Weights.of({"linear.W": theta["linear.W"]}))
    assert found.equal is False
    values = [
        algatt.evaluate(
            net, theta if net is nets[0] else algatt.Weights.of({"linear.W": theta["linear.W"]}), found.separating_input
        )
        for net in nets
    ]
    assert np.abs(values[0] - values[1]).max() > 0.01
    with pytest.raises(InvalidArgument, match="it should be of input_shape"):
        compare_models(nets[0], theta, algatt.Network(Linear(D), tokens=2, width=D), theta)


BLOCK = Residual(LayerNorm() >> Heads(2, mask=Causal())) >> Residual(LayerNorm() >> Feedforward(3, SiLU()))


def net(**changes: Any) -> Any:
    eps = changes.pop("eps", 1e-5)
    block = Residual(LayerNorm(eps) >> Heads(2, mask=Causal())) >> Residual(LayerNorm(eps) >> Feedforward(3, SiLU()))
    return normal_form(program(algatt.Network(block, tokens=3, width=4))).program


def test_constants_are_one_up_to_single_precision_and_said_to_be() -> None:
    names, exact = matched_tensors(net(), net())
    assert exact
    assert all((name, False) == other for name, other in names.items())
    assert matched_tensors(net(), net(eps=float(np.float32(1e-5))))[1] is False
    assert matched_tensors(net(), net(eps=2e-5)) is None
    one = algatt.Network(Residual(LayerNorm(1e-5) >> Linear(4)), tokens=3, width=4)
    two = algatt.Network(Residual(LayerNorm(float(np.float32(1e-5))) >> Linear(4)), tokens=3, width=4)
    theta = algatt.sample(one, algatt.Weights, field=algatt.Reals(), seed=1)
    found = compare_models(one, theta, two, theta)
    assert (found.equal, found.status) == (True, "numerical")
    assert "up to rounding to single precision" in found.reason


def test_sums_are_matched_in_any_order() -> None:
    def text(w: Any, X: Any, turned: bool) -> Any:
        one, two, three = w.A @ X, w.B @ (X * X), w.C @ (X * X * X)
        return three * 2 + (one * one + two) if turned else (two + three * 2) + one * one

    shapes = tuple((name, (D, D)) for name in "ABC")
    nets = [algatt.Network(Written(shapes, lambda w, X, t=t: text(w, X, t)), tokens=2, width=D) for t in (False, True)]
    theta = algatt.sample(nets[0], algatt.Weights, field=algatt.Reals(), seed=1)
    assert compare_models(nets[0], theta, nets[1], theta).equal
    other = algatt.Weights.of({"A": theta["A"], "B": theta["C"], "C": theta["B"]})
    assert compare_models(nets[0], theta, nets[1], other).equal is False


def test_factors_of_one_form_are_told_apart_by_what_else_reads_them() -> None:
    """The gate of SwiGLU stands twice in its product, and the other factor once."""

    def text(w: Any, X: Any, turned: bool) -> Any:
        gate, up = (w.B @ X, w.A @ X) if turned else (w.A @ X, w.B @ X)
        return w.C @ ((up * gate) * gate.entrywise(Sigmoid()) if turned else (gate * gate.entrywise(Sigmoid())) * up)

    shapes = tuple((name, (D, D)) for name in "ABC")
    nets = [algatt.Network(Written(shapes, lambda w, X, t=t: text(w, X, t)), tokens=2, width=D) for t in (False, True)]
    theta = algatt.sample(nets[0], algatt.Weights, field=algatt.Reals(), seed=1)
    moved = algatt.Weights.of({"A": theta["B"], "B": theta["A"], "C": theta["C"]})
    assert compare_models(nets[0], theta, nets[1], moved).equal
    assert compare_models(nets[0], theta, nets[1], theta).equal is False


def test_files_of_onnx_are_compared(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed; the extra onnx brings it")
    texts = ("h = MatMul (x, A)\n y = MatMul (h, B)", "h = Gemm <transB = 1> (x, A)\n y = Gemm <transB = 1> (h, B)")
    A, B = np.arange(6.0).reshape(3, 2) / 7, np.arange(8.0).reshape(2, 4) / 5
    for name, text, arrays in (("a", texts[0], (A, B)), ("b", texts[1], (A.T, B.T)), ("c", texts[1], (A.T, -B.T))):
        model = onnx.parser.parse_model(
            f'<ir_version: 10, opset_import: ["": 18]>\ng (double[2, 3] x) => (double[2, 4] y) {{ {text} }}'
        )
        tensors = zip("AB", arrays, strict=True)
        model.graph.initializer.extend(
            onnx.numpy_helper.from_array(np.ascontiguousarray(one), key) for key, one in tensors
        )
        onnx.save(model, tmp_path / f"{name}.onnx")
    assert algatt.compare(tmp_path / "a.onnx", tmp_path / "b.onnx", tokens=2).equal is True
    assert algatt.compare(tmp_path / "a.onnx", tmp_path / "c.onnx", tokens=2).equal is False


def test_a_norm_without_a_gain_is_one_whose_gain_was_folded() -> None:
    """W (g * y) is (W diag(g)) y."""
    nets = []
    for gain in (True, False):
        attention = RMSNorm(gain=gain) >> Heads(2, mask=Causal())
        nets.append(algatt.Network(Residual(attention) >> RMSNorm(gain=gain) >> Linear(3), tokens=3, width=4))
    theta = algatt.sample(nets[0], algatt.Weights, field=algatt.Reals(), seed=0)
    names, norms = ("Q_1", "Q_2", "K_1", "K_2", "V_1", "V_2"), sorted(n for n in theta.tensors if n.endswith("g"))
    arrays = {n: W.raw for n, W in theta.tensors.items() if n not in norms}
    arrays |= {f"heads.{n}": arrays[f"heads.{n}"] * theta[norms[0]].T for n in names}
    arrays["linear.W"] = arrays["linear.W"] * theta[norms[1]].T
    moved = checkpoints.move(nets[1], algatt.Weights.of(arrays), seed=1)
    for first, second in (((nets[0], theta), (nets[1], moved)), ((nets[1], moved), (nets[0], theta))):
        found = compare_models(*first, *second)
        assert found.equal
        assert "gains of both are folded" in found.reason
    arrays = {n: W.raw.copy() for n, W in moved.tensors.items()}
    arrays["heads.V_1"][0, 1] += 1e-3
    assert compare_models(nets[0], theta, nets[1], algatt.Weights.of(arrays)).equal is False


def joined_or_apart(name: str) -> Any:
    """Return a function of the rows that two matrices make, or one with as many."""

    def text(w: Any, X: Any) -> Any:
        rows = w.C @ X if name == "one" else concatenate([w.A @ X, w.B @ X])
        made = w.O @ (rows / ((rows * rows).sum(axis=0) + 1).sqrt()).entrywise(Sigmoid())
        return made + w.A @ (X * X) if name == "read twice" else made

    shapes = {"one": {"C": (2 * D, D)}, "read twice": {"A": (D, D), "B": (D, D)}}.get(name, {"A": (D, D), "B": (D, D)})
    return algatt.Network(Written((*shapes.items(), ("O", (D, 2 * D))), text), tokens=2, width=D)


def test_tensors_that_are_read_below_each_other_are_one() -> None:
    """[A X; B X] = [A; B] X, as queries of all heads before a norm of all their rows, which may be one matrix."""
    apart, one = joined_or_apart("two"), joined_or_apart("one")
    theta = algatt.sample(apart, algatt.Weights, field=algatt.Reals(), seed=1)
    whole = algatt.Weights.of({"C": np.vstack([theta["A"], theta["B"]]), "O": theta["O"]})
    turned = algatt.Weights.of({"C": np.vstack([theta["B"], theta["A"]]), "O": theta["O"]})
    for sides in ((apart, theta, one, whole), (one, whole, apart, theta)):
        found = compare_models(*sides)
        assert found.equal
        assert "read below each other are joined" in found.reason
    assert compare_models(apart, theta, one, turned).equal is False


def test_tensors_that_are_read_twice_stay_apart() -> None:
    given = program(joined_or_apart("read twice"))
    assert joined_tensors(given) == (given, {})


def gained(name: str) -> Any:
    """Return a function of rows that a gain multiplies, which is a tensor or a tensor and a constant."""

    def text(w: Any, X: Any) -> Any:
        g = {"whole": w.g, "number": w.g + 1, "column": np.arange(D).reshape(D, 1) + w.g}.get(name, w.g + 1)
        made = w.O @ (g * X).entrywise(Sigmoid())
        return made + w.g if name == "read twice" else made

    return algatt.Network(Written((("g", (D, 1)), ("O", (D, D))), text), tokens=2, width=D)


@pytest.mark.parametrize(("name", "added"), [("number", np.ones((D, 1))), ("column", np.arange(D).reshape(D, 1))])
def test_a_tensor_with_a_constant_is_one(name: str, added: Any) -> None:
    """A gain 1 + w, as that of Gemma, is a gain."""
    apart, one = gained(name), gained("whole")
    theta = algatt.sample(apart, algatt.Weights, field=algatt.Reals(), seed=1)
    whole = algatt.Weights.of({"g": theta["g"] + added, "O": theta["O"]})
    for sides in ((apart, theta, one, whole), (one, whole, apart, theta)):
        found = compare_models(*sides)
        assert found.equal
        assert found.status == "proven"
    assert compare_models(apart, theta, one, theta).equal is False


def test_points_of_a_tensor_with_a_constant_are_moved_forth_and_back() -> None:
    net = gained("column")
    theta, found = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1), arrange(net)
    np.testing.assert_array_equal(found.forth(theta)["g"], theta["g"] + np.arange(D).reshape(D, 1))
    np.testing.assert_allclose(found.back(found.forth(theta))["g"], theta["g"], atol=1e-15)


def test_a_tensor_that_is_read_without_the_constant_too_stays() -> None:
    assert not arrange(gained("read twice")).parts


def partly_turned(name: str) -> Any:
    """Return scores of keys and queries of which two rows are turned: of one matrix, or of one for these rows."""

    def turned(X: Any) -> Any:
        return X.rotate((0.5,), tuple(range(X.shape[-1])))

    def text(w: Any, X: Any) -> Any:
        keys = w.K @ X
        if name == "one":
            rows = w.Q @ X
            queries = concatenate([rows[:1], turned(rows[1:])])
        else:
            queries = concatenate([w.A @ X, turned(w.B @ X)])
        return X @ (concatenate([keys[:1], turned(keys[1:])]).T @ queries).entrywise(Sigmoid())

    shapes = {"Q": (3, D)} if name == "one" else {"A": (1, D), "B": (2, D)}
    return algatt.Network(Written((*shapes.items(), ("K", (3, D))), text), tokens=3, width=D)


def test_rows_of_which_some_are_turned_are_tensors() -> None:
    """Queries of a head with positions and those without may be rows of one matrix, as in DeepSeek-V2."""
    apart, one = partly_turned("two"), partly_turned("one")
    theta = algatt.sample(apart, algatt.Weights, field=algatt.Reals(), seed=1)
    whole = algatt.Weights.of({"Q": np.vstack([theta["A"], theta["B"]]), "K": theta["K"]})
    other = algatt.Weights.of({"Q": np.vstack([theta["B"], theta["A"]]), "K": theta["K"]})
    for sides in ((apart, theta, one, whole), (one, whole, apart, theta)):
        assert compare_models(*sides).equal
    assert compare_models(apart, theta, one, other).equal is False
