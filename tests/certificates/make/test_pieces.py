"""Certificates of dimensions by pieces: of networks with a hub and copies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import algatt
from algatt.certificates.standalone import standalone_verifier
from algatt.certificates.verifier import kinds
from algatt.certificates.verifier.kinds import verify_bytes
from algatt.errors import InvalidArgument
from algatt.geometry import Copies, RandomPoints
from algatt.layers import Affine, Causal, Feedforward, Heads, Power, Residual, RMSNorm, Rotary, SiLU


def test_a_million_parameters(tmp_path: Path) -> None:
    """655,358 is the number of parameters less 2 * 256^2 for keys and queries, 512^2 between the layers and 2."""
    arch = algatt.Lightning(dims=(512, 512, 512), ranks=(256, 256), tokens=4)
    certificate = algatt.certify(arch)
    assert (certificate.kind, certificate.dimension, certificate.status) == ("pieces", 655358, "proven")
    assert certificate.claim == "a dimension of 655358"
    report = algatt.verify(certificate)
    assert report.ok
    assert report.claim.endswith("reads 4 vectors of 512 numbers, has a neuromanifold of dimension 655358")
    certificate.save(tmp_path / "million.json")
    assert (tmp_path / "million.json").stat().st_size < 5000
    (tmp_path / "verify.py").write_text(standalone_verifier(), encoding="utf-8")
    command = [sys.executable, "-I", str(tmp_path / "verify.py"), str(tmp_path / "million.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"verified: {report.claim}")


NETWORKS = {
    "lightning": (algatt.Lightning((12, 12, 12), (6, 6), 4), 3),
    "lightning, hubs of other sizes": (algatt.Lightning((9, 7, 5), (4, 3), 2), 2),
    "squares": (algatt.Normalized((12, 12), (6,), 3, Power(2)), 2),
    "rational": (algatt.Normalized((8, 8, 8), (4, 4), 3, Affine(1, 1)), 3),
    "softmax": (algatt.Normalized((8, 8), (4,), 3), 3),
    "heads and neurons": (
        algatt.Network(
            Residual(RMSNorm() >> Heads(2, width=2, value_width=2, mask=Causal(), position=Rotary()))
            >> Residual(RMSNorm() >> Feedforward(10, SiLU(), gated=True)),
            tokens=3,
            width=7,
        ),
        2,
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_pieces_say_what_random_points_do(name: str) -> None:
    arch, copies = NETWORKS[name]
    known = algatt.dimension(arch, points=RandomPoints())
    assert known.status == "proven"
    certificate = algatt.certify(algatt.dimension(arch, points=Copies(copies)))
    assert (certificate.kind, certificate.dimension, certificate.upper) == ("pieces", known.value, known.value)
    assert algatt.verify(certificate).claim.endswith(f"has a neuromanifold of dimension {known.value}")


def test_pieces_that_the_verifier_finds_too_large_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arch, copies = NETWORKS["heads and neurons"]
    report = algatt.dimension(arch, points=Copies(copies))
    monkeypatch.setattr(kinds, "MOST_REAL_ORDER", 10)
    with pytest.raises(InvalidArgument, match=r"too large: claims.rows was .* should be at most 10 rows"):
        algatt.certify(report)


def test_what_is_not_cut() -> None:
    """As many tokens as an axis has that is cut."""
    arch = algatt.Lightning((6, 6), (4,), tokens=6)
    with pytest.raises(InvalidArgument, match="as many tokens as an axis that is cut"):
        algatt.certify(algatt.dimension(arch, points=Copies(2)))


def test_directions_that_divide_by_zero_in_a_piece_are_refuted() -> None:
    """Values are zero between parts; a velocity adds and takes away a multiple of V / V."""
    certificate = algatt.certify(algatt.dimension(algatt.Lightning((12, 3), (6,), 4), points=Copies(3)))
    document = json.loads(certificate.to_json())
    lines = document["claims"]["families"][0]["moves"]["K_1"]
    n = len(lines)
    lines += ["tensor V_1  : 3 x 12", f"reciprocal %{n}  : 3 x 12", f"multiply %{n} %{n + 1}  : 3 x 12"]
    lines += [f"constant [{' '.join(['1'] * 18)}]  : 6 x 3", f"product %{n + 3} %{n + 2}  : 6 x 12"]
    lines += [f"multiply %0 %{n + 4}  : 6 x 12", f"negate %{n + 5}  : 6 x 12", f"add %{n + 5} %{n + 6}  : 6 x 12"]
    lines += [f"add %{n - 1} %{n + 7}  : 6 x 12"]
    reasons = verify_bytes(json.dumps(document).encode()).reasons
    assert reasons == tuple(f"piece {piece}: the directions divide by zero" for piece in range(3))
