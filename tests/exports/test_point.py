"""Jacobians at points and minors of certificates, which other systems compute again."""

from __future__ import annotations

import ast
import importlib.util
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.cli.main import main
from algatt.errors import InvalidArgument
from algatt.exports import POINT_SYSTEMS
from algatt.layers import Affine, Embedding, Feedforward, Linear, Power, Unembedding

NETWORKS = [
    algatt.Network(Feedforward(2, Power(3)), tokens=1, width=2),
    algatt.Normalized((2, 1), (1,), 2, score=Affine(1, 1)),
    algatt.Lightning((2, 2, 1), (1, 1), 2),
]
"""A perceptron, rational functions, and two layers."""

INSTALLED = {
    "sympy": importlib.util.find_spec("sympy") is not None,
    "python": True,
    "macaulay2": shutil.which("M2") is not None,
    "singular": shutil.which("Singular") is not None,
}


def run(system: str, text: str, folder: Path) -> str:
    """Return what a system prints."""
    if not INSTALLED[system]:
        pytest.skip(f"{system} is not installed")
    file = folder / "file"
    file.write_text(text)
    commands = {"macaulay2": ["M2", "--script", str(file)], "singular": ["Singular", "-q"]}
    given = text if system == "singular" else None
    command = commands.get(system, [sys.executable, str(file)])
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


@pytest.mark.sample(2)
@pytest.mark.parametrize("arch", NETWORKS, ids=repr)
def test_all_systems_compute_the_minor_of_a_certificate(
    arch: algatt.architectures.Architecture, tmp_path: Path
) -> None:
    certificate = algatt.certify(arch, seed=0)
    expected = run("python", algatt.export(certificate, "python"), tmp_path)
    name, value, verdict = expected.split()
    assert (name, verdict) == ("minor:", "nonzero")
    assert Fraction(value) != 0
    for system in POINT_SYSTEMS:
        if INSTALLED[system] and (system != "sympy" or arch is NETWORKS[0]):  # which takes its time
            assert run(system, algatt.export(certificate, system), tmp_path) == expected


@pytest.mark.parametrize("system", POINT_SYSTEMS)
def test_the_jacobian_at_a_point_by_hand(system: str, tmp_path: Path) -> None:
    """The value of x -> w2 w1 x at w = (1/2, 3) and x = 5 has the derivatives w2 x = 15 and w1 x = 5/2."""
    arch = algatt.Network(Linear(1) >> Linear(1), tokens=1, width=1)
    theta = algatt.Weights.of({"linear_1.W": [[0.5]], "linear_2.W": [[3.0]]})
    printed = run(system, algatt.export(arch, system, weights=theta, inputs=[[5]]), tmp_path)
    assert [Fraction(word) for word in printed.translate(str.maketrans("{}[]',", "      ")).split()] == [
        15,
        Fraction(5, 2),
    ]


def test_the_jacobian_at_a_point_is_that_of_differences(tmp_path: Path) -> None:
    arch = NETWORKS[1]
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    inputs = np.array([[[1, 2], [3, 5]], [[-1, 4], [2, 7]]])
    text = algatt.export(arch, "python", weights=theta, inputs=inputs)
    rows = [[Fraction(entry) for entry in row] for row in ast.literal_eval(run("python", text, tmp_path))]
    found = np.array([[float(entry) for entry in row] for row in rows])
    step = 2.0**-20
    vector = algatt.flatten(theta)
    for place in range(len(vector)):
        moved = [vector.copy(), vector.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        values = [
            algatt.evaluate(arch, algatt.unflatten(arch, algatt.Weights, one), inputs.astype(float)) for one in moved
        ]
        assert np.allclose(((values[0] - values[1]) / (2 * step)).ravel(), found[:, place], rtol=1e-5, atol=1e-5)


def test_the_jacobian_at_tokens(tmp_path: Path) -> None:
    """The value of token 1 is u e_1: its derivatives by e_0, e_1, u are 0, u, e_1."""
    arch = algatt.Network(Embedding(2, 1) >> Unembedding(1), tokens=1)
    theta = algatt.Weights.of({"embedding.E": [[7.0], [0.5]], "unembedding.U": [[3.0]]})
    text = algatt.export(arch, "python", weights=theta, inputs=[1])
    assert ast.literal_eval(run("python", text, tmp_path)) == [["0", "3", "1/2"]]
    with pytest.raises(InvalidArgument, match=r"inputs was with numbers from 2 to 2; it should be numbers of tokens"):
        algatt.export(arch, "python", weights=theta, inputs=[2])


def test_the_command_reads_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cert.json"
    certificate = algatt.certify(NETWORKS[0], seed=0)
    certificate.save(path)
    assert main(["export", str(path), "--to", "singular"]) == 0
    assert capsys.readouterr().out == algatt.export(certificate, "singular")
    assert main(["export", str(path), "--to", "latex"]) == 2
    assert "to was 'latex'; it should be one of sympy, python, macaulay2, singular" in capsys.readouterr().err


def test_what_has_no_rational_minor() -> None:
    softmax = algatt.certify(algatt.Softmax((2, 1), (1,), 2), seed=0)
    with pytest.raises(
        InvalidArgument, match="certificate was one of a network with exp, sqrt or the like; it should be"
    ):
        algatt.export(softmax, "python")
    theta = algatt.sample(NETWORKS[0], algatt.Weights, field=algatt.Reals(), seed=0)
    with pytest.raises(InvalidArgument, match="inputs was not given"):
        algatt.export(NETWORKS[0], "python", weights=theta)
    with pytest.raises(InvalidArgument, match=r"inputs was of shape \(1, 1, 3\)"):
        algatt.export(NETWORKS[0], "python", weights=theta, inputs=[[1, 2, 3]])
    with pytest.raises(InvalidArgument, match="degree was 2 for a point"):
        algatt.export(NETWORKS[0], "python", degree=2, weights=theta, inputs=[[1], [2]])
    softmax_net = algatt.Softmax((2, 1), (1,), 2)
    point = algatt.sample(softmax_net, algatt.Weights, field=algatt.Reals(), seed=0)
    with pytest.raises(InvalidArgument, match="arch was one that computes exp"):
        algatt.export(softmax_net, "python", weights=point, inputs=[[1, 2], [3, 4]])


def test_a_refuted_certificate_is_not_written() -> None:
    good = algatt.certify(NETWORKS[0], seed=0)
    claims = {**good.claims, "columns": [0, 1, 2, 3, 4, 6]}  # all four weights of a neuron, which rescalings move
    bad = algatt.certificates.Certificate(claims, good.made_with, good.network)
    with pytest.raises(InvalidArgument, match="certificate was refuted: the minor of the Jacobian is zero"):
        algatt.export(bad, "python")
