"""Eliminations that end before they are done and go on from a file: nothing else comes out, and no other file is
taken.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.geometry.dimensions import checkpoint as checkpoints
from algatt.geometry.dimensions.evidence import Minor
from algatt.linalg import elimination
from interrupted import Killed, until

ARCH = algatt.Lightning((8, 8, 8), (4, 4), 3)
"""Of 256 parameters; the bounds meet at 158, as the theorem for two layers says."""

PANEL = 16


@pytest.fixture(autouse=True)
def low_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels of so few rows that a small matrix has several of them."""
    monkeypatch.setattr(elimination, "PANEL", PANEL)
    monkeypatch.setattr(checkpoints, "PANEL", PANEL)


def interrupted(path: Path, arch: algatt.architectures.Architecture = ARCH, rank: int = 100, **options: object) -> None:
    """Leave a file of a computation that was ended."""
    with pytest.raises(Killed):
        algatt.dimension(arch, checkpoint=path, progress=until(rank), **options)
    assert path.exists()


def minors(report: algatt.geometry.DimensionReport) -> tuple[Minor, Minor]:
    assert report.evidence is not None
    return report.evidence.lower.minor, report.evidence.upper.minor


@pytest.mark.parametrize("arch", [ARCH, algatt.Softmax((6, 6, 6), (3, 3), 3)], ids=str)
def test_what_went_on_is_what_was_never_ended(arch: algatt.architectures.Architecture, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    interrupted(path, arch, 40)
    interrupted(path, arch, 70)  # once more, from the first file
    seen: list[int] = []
    report = algatt.dimension(arch, checkpoint=path, progress=lambda rank, upper: seen.append(rank))
    whole = algatt.dimension(arch, field=report.field)
    assert seen[0] > 48
    assert report == whole
    assert report.status == "proven"
    assert minors(report) == minors(whole)
    assert list(tmp_path.iterdir()) == []


def test_the_file_holds_the_last_panels_that_were_done(tmp_path: Path) -> None:
    interrupted(tmp_path / "saved")
    head = json.loads((tmp_path / "saved").read_bytes().split(b"\n")[1])
    assert head["top"] == 6 * PANEL  # the seventh was not saved when the process ended
    assert len(head["pivot rows"]) == head["top"]


@pytest.mark.parametrize("place", [0, 30, 2000, -5000, -33, -1])
def test_a_changed_byte_is_refused(place: int, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    interrupted(path)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(InvalidArgument, match="which is cut off or changed"):
        algatt.dimension(ARCH, checkpoint=path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("length", [0, 10, 31, 32, 33, 5000, -1])
def test_a_file_that_is_cut_off_is_refused(length: int, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    interrupted(path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InvalidArgument, match="checkpoint"):
        algatt.dimension(ARCH, checkpoint=path)


@pytest.mark.parametrize(
    ("arch", "options"),
    [
        (algatt.Lightning((8, 8, 8), (4, 3), 3), {}),
        (ARCH, {"seed": 1}),
        (ARCH, {"field": algatt.PrimeField(8388587)}),
    ],
)
def test_the_file_of_another_computation_is_refused(
    arch: algatt.architectures.Architecture, options: dict[str, object], tmp_path: Path
) -> None:
    interrupted(tmp_path / "saved", arch, **options)
    with pytest.raises(InvalidArgument, match="which another computation wrote"):
        algatt.dimension(ARCH, checkpoint=tmp_path / "saved")


@pytest.mark.parametrize("row", [0, -1])
def test_a_lie_with_the_right_digest_is_refused(row: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the rows that are done the first one, of the others the last one has one entry changed."""
    whole = checkpoints.with_digest

    def lying(head: bytes, work: object) -> object:
        changed = work.copy()
        changed[row, -1] += 1
        return whole(head, changed)

    monkeypatch.setattr(checkpoints, "with_digest", lying)
    interrupted(tmp_path / "saved")
    with pytest.raises(InvalidArgument, match="whose rows are not those of the network"):
        algatt.dimension(ARCH, checkpoint=tmp_path / "saved")


@pytest.mark.parametrize("field", [algatt.Balls(), algatt.Reals()])
def test_other_fields_have_no_checkpoint(field: algatt.fields.Field, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="checkpoint"):
        algatt.dimension(ARCH, field=field, checkpoint=tmp_path / "saved")


def test_the_command_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from algatt.cli.main import main

    path = tmp_path / "saved"
    interrupted(path)
    options = ["--dims", "8,8,8", "--ranks", "4,4", "--tokens", "3", "--json", "--checkpoint", str(path)]
    assert main(["dimension", *options]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 158
    path.write_bytes(b"nothing of ours")
    assert main(["dimension", *options]) == 2
    assert "checkpoint" in capsys.readouterr().err
