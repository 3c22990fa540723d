"""The figures of the paper: files that are pictures, and a surface that is computed in two ways that agree."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import algatt

ROOT = Path(__file__).parents[2]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("number", "width"), [(1, 7.0), (2, 3.4), (4, 3.4)])
def test_a_figure_is_two_files(script, tmp_path, number, width):
    assert script(f"figure_{number}").main(["-o", str(tmp_path)]) == 0
    svg, png = tmp_path / f"figure_{number}.svg", tmp_path / f"figure_{number}.png"
    assert sorted(tmp_path.iterdir()) == [png, svg]
    assert ElementTree.parse(svg).getroot().attrib["width"] == f"{72 * width:g}pt"
    content = png.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">I", content[16:20]) == (round(300 * width),)


@pytest.mark.parametrize("number", [1, 2, 4])
def test_the_figure_of_the_documentation_is_small(number):
    assert (ROOT / "docs" / "figures" / f"figure_{number}.svg").stat().st_size < 300_000


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", [1, 2, 4])
def test_one_command_each(tmp_path, number):
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    command = [sys.executable, str(ROOT / "scripts" / f"figure_{number}.py")]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, env=environment)
    assert done.stderr == ""
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("number", [1, 2, 4])
def test_bad_arguments_are_told_in_one_line(script, number, capsys, tmp_path):
    with pytest.raises(SystemExit) as caught:
        script(f"figure_{number}").main(["--colour"])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert script(f"figure_{number}").main(["-o", str(tmp_path / "missing")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_the_surface_is_the_whitney_umbrella(script):
    computed = script("figure_1").compute()
    y, z, b = np.moveaxis(computed.surface, -1, 0)
    assert computed.difference < 1e-9
    assert np.abs(b**2 + z * y**2).max() < 1e-12
    assert z.max() == 0
    assert z.min() == -1


def test_the_resultant_is_b_squared_plus_z_y_squared(script):
    """At integers, exactly; of degree 2 in b and in y, and 1 in z, so that 3 values of each are enough."""
    figure_1 = script("figure_1")
    for z in (-2, 1, 3):
        for y in (-1, 2, 5):
            for b in (-3, 0, 4):
                assert figure_1.resultant(z, y, b) == b**2 + z * y**2


def test_points_of_the_line_above_zero_are_not_functions(script):
    """f = x1^2 + z x2^2 has no real factor there, and the double zero of the resultant is on the line alone."""
    figure_1 = script("figure_1")
    assert figure_1.resultant_heights(0.25, 0.0) == [0.0, 0.0]
    assert figure_1.resultant_heights(0.25, 0.5) == []


def test_the_points_that_are_marked_are_singular_and_boundary(script):
    figure_1 = script("figure_1")
    for s, y, singular, boundary in (
        (0.5, 0.5, False, False),
        (0.5, 0.0, True, False),
        (0.0, 0.5, False, False),
        (0.0, 0.0, True, True),
    ):
        theta = figure_1.parameters(s, y)
        assert algatt.is_singular(figure_1.ARCH, theta) == singular
        assert algatt.is_boundary(figure_1.ARCH, theta) == boundary


@pytest.mark.parametrize(
    "wrong", [lambda z, y, b: b**2 - z * y**2, lambda z, y, b: b**2 + z * y, lambda z, y, b: b**2 + z * y**2 + 1e-6]
)
def test_a_wrong_resultant_is_noticed(script, monkeypatch, capsys, tmp_path, wrong):
    figure_1 = script("figure_1")
    monkeypatch.setattr(figure_1, "resultant", wrong)
    assert figure_1.main(["-o", str(tmp_path)]) == 1
    assert "the network and the resultant differ" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_wrong_network_is_noticed(script, monkeypatch, tmp_path):
    figure_1 = script("figure_1")
    point = figure_1.network_point
    monkeypatch.setattr(figure_1, "network_point", lambda s, y: (point(s, y)[0], point(s, y)[1], abs(point(s, y)[2])))
    assert figure_1.main(["-o", str(tmp_path)]) == 1


def test_a_network_outside_of_the_slice_is_noticed(script, monkeypatch, capsys, tmp_path):
    figure_1 = script("figure_1")
    other = figure_1.parameters(0.5, 1.0)
    monkeypatch.setattr(
        figure_1, "parameters", lambda s, y: algatt.AttentionMatrix.of([(other.layers[0].A.T, other.layers[0].V)])
    )
    assert figure_1.main(["-o", str(tmp_path)]) == 1
    assert "not in the slice" in capsys.readouterr().err
