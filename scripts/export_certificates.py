"""Twenty certificates of small polynomial and rational networks, whose minors Macaulay2 computes again.

Each certificate is made, verified, and exported as a text for Macaulay2, which evaluates the network at small integers
with numbers that carry derivatives, and prints the minor. The same minor is computed from `algatt.jacobian` over Q and
a determinant of FLINT; the two numbers must be equal, and not zero. About half a minute.

    python scripts/export_certificates.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import flint
import numpy as np

import algatt
from algatt.architectures import Architecture
from algatt.exports.point import PointedProgram, minor_of
from algatt.fields import Elements, Rationals
from algatt.layers import Affine, Causal, Feedforward, Heads, Linear, Power, Residual, Unnormalized

MACAULAY2 = shutil.which("M2")

ONES = {"tokens": 1, "width": 2}
LIGHTNING = Heads(2, width=1, score=Unnormalized(), mask=Causal())

NETWORKS: list[Architecture] = [
    algatt.Lightning((2, 1), (1,), 2),
    algatt.Lightning((2, 1), (2,), 2),
    algatt.Lightning((2, 2), (1,), 2),
    algatt.Lightning((2, 2), (2,), 3),
    algatt.Lightning((3, 2), (1,), 2),
    algatt.Lightning((2, 2, 1), (1, 1), 2),
    algatt.Lightning((2, 2, 2), (1, 1), 2),
    algatt.Normalized((2, 1), (1,), 2, score=Affine(1, 1)),
    algatt.Normalized((2, 2), (2,), 2, score=Affine(1, 1)),
    algatt.Normalized((2, 2), (1,), 3, score=Power(2)),
    algatt.Normalized((2, 2, 1), (1, 1), 2, score=Affine(1, 1)),
    algatt.Network(Linear(2) >> Linear(2), **ONES),
    algatt.Network(Linear(1) >> Linear(3), **ONES),
    algatt.Network(Linear(2, bias=True) >> Linear(2), **ONES),
    algatt.Network(Feedforward(2, Power(2)), **ONES),
    algatt.Network(Feedforward(2, Power(3)), **ONES),
    algatt.Network(Feedforward(2, Power(2)), tokens=1, width=3),
    algatt.Network(Feedforward(2, Power(2)) >> Linear(1), tokens=1, width=3),
    algatt.Network(Residual(LIGHTNING), tokens=3, width=2),
    algatt.Network(Residual(LIGHTNING) >> Residual(Feedforward(2, Power(2))), tokens=2, width=2),
]
"""Networks whose values are polynomials or rational functions."""


def minor_over_the_rationals(arch: Architecture, given: PointedProgram) -> Fraction:
    """Return the minor of the Jacobian that `algatt.jacobian` computes over Q."""
    field = Rationals()
    weights = np.array([flint.fmpq(int(x)) for x in given.weights], dtype=object)
    theta = algatt.unflatten(arch, algatt.Weights, weights, field=field)
    X = Elements(field, np.array([[[flint.fmpq(int(x)) for x in row] for row in one] for one in given.inputs], object))
    J = algatt.verbs.jacobian(arch, theta, X).raw
    minor = J[np.ix_(given.rows, given.columns)]
    found = flint.fmpq_mat(*minor.shape, [flint.fmpq(x) for x in minor.flat]).det()
    return Fraction(int(found.p), int(found.q))


def minor_of_macaulay2(text: str) -> tuple[Fraction, str]:
    """Return the minor that Macaulay2 prints, and what it says of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "minor.m2")
        path.write_text(text)
        done = subprocess.run([str(MACAULAY2), "--script", str(path)], capture_output=True, text=True, check=True)
    _, value, verdict = done.stdout.split()
    return Fraction(value), verdict


def main() -> int:
    """Compare all networks."""
    if MACAULAY2 is None:
        sys.exit("M2 is not installed: the package macaulay2 of Debian brings it")
    agree = 0
    for arch in NETWORKS:
        certificate = algatt.certify(arch, seed=0)
        value, verdict = minor_of_macaulay2(algatt.export(certificate, "macaulay2"))
        given = minor_of(certificate)
        same = value == minor_over_the_rationals(arch, given) and value != 0 and verdict == "nonzero"
        agree += same
        shown = str(value) if len(str(value)) < 30 else f"a fraction of {len(str(value))} characters"
        print(f"{'same' if same else 'DIFFERENT'}: order {len(given.rows):2}, {shown}: {' '.join(f'{arch}'.split())}")
    print(f"{agree} of {len(NETWORKS)} minors are the same in Macaulay2 and in algatt")
    return 0 if agree == len(NETWORKS) else 1


if __name__ == "__main__":
    sys.exit(main())
