"""Pictures and pages of the symmetries of a network: what is joined, and that nothing covers anything else."""

from __future__ import annotations

import itertools
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.cli.main import main
from algatt.errors import InvalidArgument, OutputError
from algatt.layers import Causal, Embedding, Feedforward, Heads, Linear, Power, ReLU, Residual, Tie, Unembedding
from algatt.symmetry import SymmetryReport
from algatt.views import network_files, symmetries, symmetry_files
from algatt.views.networks.figures import text_width
from algatt.views.networks.shapes import Box, Caption
from algatt.views.symmetries.page import page
from algatt.views.symmetries.picture import Polyline, SpaceDot, SymmetryPicture, symmetry_picture

BLOCK = Residual(Heads(2, mask=Causal())) >> Residual(Feedforward(3, ReLU()))

NETWORKS: dict[str, algatt.architectures.Architecture] = {
    "transformer": algatt.Network(Embedding(5, 4) >> 2 * BLOCK >> Unembedding(5), tokens=3),
    "tied": algatt.Network(Tie(Embedding(5, 4) >> BLOCK >> Unembedding(5), {"unembedding.U": "embedding.E"}), tokens=3),
    "lightning": algatt.Lightning((4, 3, 4), (2, 2), 3),
    "nothing": algatt.Network(Linear(2), tokens=1, width=2),
}


def report(name: str) -> SymmetryReport:
    return SymmetryReport.of(NETWORKS[name])


def drawn(name: str) -> SymmetryPicture:
    return symmetry_picture(report(name), text_width)


def lines(picture: SymmetryPicture) -> list[Polyline]:
    """Return the thick vertical lines: one for each space."""
    return [one for one in picture.shown if isinstance(one, Polyline) and one.points[0][0] == one.points[1][0]]


@pytest.mark.parametrize("name", NETWORKS)
def test_each_space_has_a_line_with_an_end_at_each_tensor_that_it_moves(name: str) -> None:
    families, picture = report(name).families, drawn(name)
    vertical = lines(picture)
    assert len(vertical) == len(families)
    ends = [
        sum(isinstance(one, SpaceDot) and one.x == line.points[0][0] and inside(line, one.y) for one in picture.shown)
        for line in vertical
    ]
    assert sorted(ends) == sorted(len(family.sides or family.tensors) for family in families)


def inside(line: Polyline, y: float) -> bool:
    (_, top), (_, bottom) = line.points
    return top <= y <= bottom


@pytest.mark.parametrize("name", NETWORKS)
def test_no_lines_are_on_each_other_and_all_is_within_the_picture(name: str) -> None:
    picture = drawn(name)
    for one, two in itertools.combinations(lines(picture), 2):
        (x, top), (_, bottom) = one.points
        (u, start), (_, end) = two.points
        assert abs(x - u) >= 5 or bottom + 4 < start or end + 4 < top
    right = max(one.right for one in picture.shown if isinstance(one, Box))
    words = [one for one in picture.shown if isinstance(one, Caption)]
    entries = [one for one in words if one.x > right]
    assert all(
        one.x + text_width(one.text, one.size, one.bold) <= picture.width + 1e-9
        for one in entries
        if one.side == "left"
    )
    assert all(0 <= one.y <= picture.height for one in words)
    for one in lines(picture):
        assert right < one.points[0][0] < picture.width


def test_a_tied_tensor_is_drawn_where_it_is() -> None:
    texts = [one.text for one in drawn("tied").shown if isinstance(one, Caption)]
    assert "$E$" in texts
    assert "$U$" not in texts


def test_spaces_that_are_beside_each_other_differ_in_colour() -> None:
    vertical = lines(drawn("transformer"))
    assert len(vertical) > 10
    for one, two in itertools.combinations(vertical, 2):
        (_, top), (_, bottom) = one.points
        assert one.colour != two.colour or not (inside(two, top) or inside(two, bottom))


def test_draw_puts_it_on_axes() -> None:
    ax = algatt.draw(report("transformer"))
    shown = {text.get_text() for text in ax.texts}
    assert {"stream", "GL(4)", "1.heads.score_1", "2.heads.value_2", "acts on the rows"} <= shown
    assert algatt.draw(report("lightning"), ax=ax) is ax


def test_svg_is_xml_and_the_same_each_time() -> None:
    text = symmetries.svg(report("tied"))
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert symmetries.svg(report("tied")) == text


def test_too_many_tensors_are_refused() -> None:
    arch = algatt.Network(26 * Residual(Heads(2)), tokens=2, width=2)
    few = SymmetryReport(arch, arch.parameters, 0, (), 0)
    with pytest.raises(
        InvalidArgument,
        match=r"of 208 tensors; it should be one of at most 200 tensors; the html page has no limit",
    ):
        symmetry_picture(few, text_width)


def embedded(text: str) -> dict[str, Any]:
    """Return the data that a page holds."""
    (content,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    data: dict[str, Any] = json.loads(content)
    return data


def paths(layer: dict[str, Any]) -> list[str]:
    own = [path for family in layer["families"] if not family["tied"] for path in family["paths"]]
    return own + [path for part in layer["parts"] for path in paths(part)]


@pytest.mark.parametrize("name", ["transformer", "tied", "lightning"])
def test_the_page_has_all_tensors_and_all_spaces(name: str) -> None:
    text = page(report(name))
    data = embedded(text)
    assert paths(data["root"]) == list(algatt.coordinates(NETWORKS[name]))
    assert [one["name"] for one in data["symmetries"]["families"]] == [one.name for one in report(name).families]
    assert all(set(one["tensors"]) <= set(paths(data["root"])) for one in data["symmetries"]["families"])
    assert "http" not in text.replace("http-equiv", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    network_files.write(algatt.Network(Residual(Feedforward(3, Power(2))), tokens=2, width=4), "net.json")
    return tmp_path


def test_files_have_the_format_of_their_suffix(folder: Path) -> None:
    beginnings = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    for suffix, beginning in beginnings.items():
        assert main(["draw", "net.json", "--symmetries", "-o", f"net.{suffix}"]) == 0
        written = Path(f"net.{suffix}").read_bytes()
        assert written.startswith(beginning)
        symmetry_files.write(SymmetryReport.of(network()), f"again.{suffix}")
        assert Path(f"again.{suffix}").read_bytes() == written


def network() -> algatt.Network:
    return algatt.Network(Residual(Feedforward(3, Power(2))), tokens=2, width=4)


def test_without_a_file_they_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "net.json", "--symmetries"]) == 0
    assert "feedforward.hidden   T(3)" in capsys.readouterr().out


def test_a_format_without_a_picture_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "net.json", "--symmetries", "-o", "net.dot"]) == 2
    told = capsys.readouterr().err
    assert told == "algatt: output was of the format dot; it should be one of svg, pdf, png, html, for symmetries\n"
    assert not Path("net.dot").exists()
    with pytest.raises(InvalidArgument, match="dot"):
        symmetry_files.write(SymmetryReport.of(network()), "net.dot")
    with pytest.raises(OutputError):
        symmetry_files.write(SymmetryReport.of(network()), "absent/net.svg")
