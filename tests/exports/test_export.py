"""Networks written for computer algebra systems; those that are installed run what is written."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.exports import SYSTEMS
from algatt.layers import Affine, Embedding, Heads, Linear, Power, Residual, Unembedding

NETWORKS = [
    (algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2), 4),
    (algatt.Lightning(dims=(2, 2), ranks=(1,), tokens=2), 4),
    (algatt.Network(Linear(1) >> Linear(3), tokens=1, width=3), 2),
    (algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2), 2),
    (algatt.Network(Embedding(2, 1) >> Unembedding(3), tokens=1), 2),
]
"""Networks, and a degree up to which their ideals are generated, as Macaulay2 and Singular compute them."""

RATIONAL = [
    (algatt.Normalized((1, 1), (1,), 2, score=Affine(1, 1)), 2),
    (algatt.Normalized((2, 1), (1,), 2, score=Power(1)), 3),
    (algatt.Network(Embedding(2, 1) >> Heads(1, score=Power(1)) >> Unembedding(2), tokens=2), 2),
]
"""Networks that divide: their ideals are those of projective closures."""

MACAULAY2, SINGULAR = shutil.which("M2"), shutil.which("Singular")


def run_python(text: str) -> dict[str, Any]:
    """Return the names that a program defines."""
    names: dict[str, Any] = {}
    exec(text, names)  # noqa: S102 - what was written is to be run
    return names


@pytest.mark.parametrize(("arch", "degree"), NETWORKS, ids=repr)
def test_python_computes_the_coefficients(arch: algatt.architectures.Architecture, degree: int) -> None:
    program = run_python(algatt.export(arch, "python", degree=degree))
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(8388593), seed=1)
    weights = [int(entry) for entry in algatt.flatten(theta)]
    found = algatt.coefficients(arch, theta)
    known = dict(zip(found.basis, map(int, found.vector), strict=True))
    values = program["coordinates"](weights)
    expected = [known[one] for one in algatt.hilbert_function(arch, 1).coordinates]
    assert [value % 8388593 for value in values] == expected
    assert set(program["equations"](values)) == {0}


@pytest.mark.skipif(importlib.util.find_spec("sympy") is None, reason="sympy is not installed")
@pytest.mark.parametrize(("arch", "degree"), NETWORKS, ids=repr)
def test_sympy_substitutes_the_parametrization(arch: algatt.architectures.Architecture, degree: int) -> None:
    import sympy

    program = run_python(algatt.export(arch, "sympy", degree=degree))
    values = dict(zip(program["symbols"], program["coordinates"], strict=True))
    assert program["equations"]
    assert all(sympy.expand(one.subs(values)) == 0 for one in program["equations"])
    assert len(program["parameters"]) == arch.parameters


@pytest.mark.sample(2)
@pytest.mark.skipif(MACAULAY2 is None, reason="Macaulay2 is not installed")
@pytest.mark.parametrize(("arch", "degree"), NETWORKS + RATIONAL, ids=repr)
def test_macaulay2_computes_the_same_ideal(
    arch: algatt.architectures.Architecture, degree: int, tmp_path: Path
) -> None:
    text = algatt.export(arch, "macaulay2", degree=degree) + "print toString(I == ker phi)\n"
    text += "print toString(numgens trim I == numgens I)\n"
    (tmp_path / "file.m2").write_text(text)
    command = [str(MACAULAY2), "--script", str(tmp_path / "file.m2")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["true", "true"]


@pytest.mark.skipif(SINGULAR is None, reason="Singular is not installed")
@pytest.mark.parametrize(("arch", "degree"), NETWORKS + RATIONAL, ids=repr)
def test_singular_computes_the_same_ideal(arch: algatt.architectures.Architecture, degree: int) -> None:
    text = algatt.export(arch, "singular", degree=degree)
    text += "setring S; ideal k = std(kernel(R, phi)); I = std(I);\nsize(reduce(k, I)) + size(reduce(I, k));\n"
    done = subprocess.run([str(SINGULAR), "-q"], input=text, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]


def test_names_of_weights_are_those_of_the_tensors() -> None:
    text = algatt.export(algatt.Lightning(dims=(1, 1), ranks=(1,), tokens=2), "oscar")
    assert 'R, (Q_1_1_1, K_1_1_1, V_1_1_1,) = polynomial_ring(QQ, ["Q_1_1_1", "K_1_1_1", "V_1_1_1"])' in text
    assert "    Q_1_1_1*K_1_1_1*V_1_1_1])" in text
    stacked = algatt.Network(Linear(1) >> Linear(1), tokens=1, width=1)
    assert "    linear_1_W_1_1*linear_2_W_1_1], R)" in algatt.export(stacked, "sage")
    assert "{V_{1,1,1}}" in algatt.export(algatt.Lightning(dims=(1, 1), ranks=(1,), tokens=2), "latex")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_text_says_what_it_is(system: str) -> None:
    text = algatt.export(NETWORKS[0][0], system, degree=4)
    assert "Lightning(dims=(2, 1), ranks=(2,), tokens=2)" in text.splitlines()[0]
    assert "c_6 = coefficient of y_1_1: x_2_1^3" in text
    assert text.endswith("\n")


def test_what_cannot_be_exported() -> None:
    with pytest.raises(InvalidArgument, match="to was 'maple'; it should be one of sympy, python, macaulay2"):
        algatt.export(NETWORKS[0][0], "maple")
    with pytest.raises(InvalidArgument, match="it should be a network whose values are rational functions"):
        algatt.export(algatt.Softmax(dims=(2, 2), ranks=(1,), tokens=2), "sympy")
    with pytest.raises(InvalidArgument, match="degree was -1"):
        algatt.export(NETWORKS[0][0], "sympy", degree=-1)
