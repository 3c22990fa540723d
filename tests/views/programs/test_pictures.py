"""Pictures of programs: each instruction is below those whose results it takes, and no box is on another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.layers import Feedforward, Heads, Residual, RMSNorm, SiLU
from algatt.views import program_files
from algatt.views.networks.shapes import Box, Segment
from algatt.views.programs.picture import MOST, program_picture, rows_of

NETWORKS = {
    "lightning": algatt.Lightning((2, 3, 2), (1, 2), 2),
    "block": algatt.Network(
        Residual(RMSNorm() >> Heads(2)) >> Residual(Feedforward(3, SiLU(), gated=True)), tokens=2, width=4
    ),
}


def measure(text: str, size: float, bold: bool) -> float:
    """Letters of one width."""
    return len(text) * size / 2


@pytest.mark.parametrize("name", NETWORKS)
def test_operands_are_above(name: str) -> None:
    """And what is joined is in neighbouring rows, with lines that pass the rows between."""
    program = algatt.maps.program(NETWORKS[name])
    rows, edges = rows_of(program)
    row_of = {number: height for height, row in enumerate(rows) for number in row}
    assert sorted(row_of) == list(range(len(row_of)))
    assert all(row_of[below] == row_of[above] + 1 for above, below in edges)
    reached = {number: set() for number in row_of}
    for above, below in sorted(edges, key=lambda edge: row_of[edge[0]]):
        reached[below] |= {above} if above < len(program) else reached[above]
    for number, one in enumerate(program.instructions):
        assert reached[number] == set(one.operands)


@pytest.mark.parametrize("name", NETWORKS)
def test_no_two_boxes_overlap(name: str) -> None:
    program = algatt.maps.program(NETWORKS[name])
    drawn = program_picture(program, measure)
    boxes = [one for one in drawn.shown if isinstance(one, Box)]
    assert len(boxes) == len(program)
    for i, one in enumerate(boxes):
        assert -drawn.left <= one.left < one.right <= drawn.right
        assert 0 <= one.top < one.bottom <= drawn.height
        for other in boxes[:i]:
            beside = one.right <= other.left or other.right <= one.left
            assert beside or one.bottom <= other.top or other.bottom <= one.top
    arrows = sum(isinstance(one, Segment) and one.arrow for one in drawn.shown)
    assert arrows == sum(len(set(one.operands)) for one in program.instructions)


def test_a_program_is_drawn_and_written(tmp_path: Path) -> None:
    program = algatt.maps.program(NETWORKS["block"])
    assert algatt.draw(program).get_title() == f"{len(program)} instructions"
    program_files.write(program, tmp_path / "program.svg")
    assert "heads.Q" in (tmp_path / "program.svg").read_text()
    with pytest.raises(algatt.errors.InvalidArgument, match="ends in"):
        program_files.write(program, tmp_path / "program.html")


def test_long_programs_are_refused() -> None:
    net: Any = algatt.Network(10 * Residual(Heads(2)), tokens=2, width=4)
    program = algatt.maps.program(net)
    assert len(program) > MOST
    with pytest.raises(algatt.errors.InvalidArgument, match=f"at most {MOST}"):
        algatt.draw(program)
