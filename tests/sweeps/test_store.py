"""Where a record may be, and its lock, which is of the file and not of its name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from algatt.cli.main import main
from algatt.errors import InvalidArgument
from algatt.sweeps import Family, Store, sweep

FAMILY = Family("Lightning((d, d), (1,), 2)", {"d": (1, 2)})

links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


@links
def test_one_process_writes_whatever_link_leads_to_the_record(tmp_path: Path) -> None:
    record = tmp_path / "record.sqlite"
    (tmp_path / "folder").symlink_to(tmp_path)
    (tmp_path / "folder" / "link").symlink_to(record)
    names = [record, tmp_path / "link", tmp_path / "folder" / "record.sqlite", tmp_path / "folder" / "link"]
    for first in names:
        with Store(first):
            for second in names:
                with pytest.raises(InvalidArgument, match="to which another process writes"):
                    Store(second)
    with Store(record) as opened:
        assert opened.rows() == []
    assert sorted(path.name for path in tmp_path.glob("*-writer")) == ["record.sqlite-writer"]


@links
def test_a_record_of_two_names_is_not_written(tmp_path: Path) -> None:
    sweep(FAMILY, tmp_path / "record.sqlite")
    os.link(tmp_path / "record.sqlite", tmp_path / "other.sqlite")
    for name in ("record.sqlite", "other.sqlite"):
        with pytest.raises(
            InvalidArgument, match=r"a file with 2 names \(hard links\); it should be a file with one name"
        ):
            Store(tmp_path / name)
    with Store(tmp_path / "other.sqlite", writing=False) as opened:
        assert len(opened.rows()) == 2


@pytest.mark.parametrize(
    ("name", "was"),
    [
        ("", "names no file"),
        ("a\0b", "names no file"),
        (".", "is a folder"),
        (os.devnull, "is a pipe or a device"),
        ("none/record.sqlite", "which cannot be used"),
    ],
)
def test_what_is_no_place_for_a_record_is_refused_before_the_work(
    name: str, was: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def network(**_: int) -> None:
        raise AssertionError

    with pytest.raises(InvalidArgument, match=f"store was .*{was}"):
        sweep(Family(network, {"d": (1, 2)}), name)
    assert main(["sweep", "no plan is read", "--store", name]) == 2
    assert was in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no names for what is open")
def test_where_the_process_prints_is_no_place_for_a_record(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Where stdout is a file, ``/dev/stdout`` is that file."""
    for name in ("/dev/fd/1", "/dev/fd/2"):
        with pytest.raises(InvalidArgument, match=f"'{name}', to which this process prints"):
            sweep(FAMILY, name)
    reading, writing = os.pipe()
    with pytest.raises(InvalidArgument, match="which is a pipe or a device"):
        sweep(FAMILY, f"/dev/fd/{writing}")
    os.close(reading)
    os.close(writing)
