"""What spaces are called, given the tensors that they join."""

from __future__ import annotations

from algatt.symmetry.spaces import name_spaces


def test_spaces_that_join_other_parts_of_the_same_tensors_are_those_of_heads() -> None:
    """As of torch, where one matrix has all queries, keys and values, and of transformers, where heads share keys."""
    fused = [[f"attn.in_proj.rows_{i}", f"attn.in_proj.rows_{i + 2}"] for i in (1, 2)]
    values = [[f"attn.in_proj.rows_{i + 4}", f"attn.out_proj.weight.columns_{i}"] for i in (1, 2)]
    shared = [[f"1.q.weight.rows_{i}", f"1.q.weight.rows_{i + 1}", f"1.k.weight.rows_{i}"] for i in (1, 3)]
    assert name_spaces([*fused, *values, *shared], [2] * 6) == [
        "attn.head_1.rows_1-rows_3",
        "attn.head_2.rows_2-rows_4",
        "attn.head_1.rows_5-columns_1",
        "attn.head_2.rows_6-columns_2",
        "1.head_1.rows_1-rows_2-rows_1",
        "1.head_2.rows_3-rows_4-rows_3",
    ]


def test_other_spaces_are_no_heads() -> None:
    """What all layers read and write, one pair of parts, numbers, and what has a name of its own."""
    stream = ["norm.g", "attn.in_proj.rows_1", "attn.out_proj.weight.columns_1"]
    one = ["attn.in_proj.rows_1", "attn.in_proj.rows_2"]
    numbers = [["W.rows_1", "W.rows_2"], ["W.rows_3", "W.rows_4"]]
    named = ["1.heads.Q_2", "1.heads.K_2"]
    assert name_spaces([stream, one, *numbers, named], [6, 2, 1, 1, 2]) == [
        "stream",
        "attn.in_proj.rows_1-rows_2",
        "W.scale_1",
        "W.scale_2",
        "1.heads.score_2",
    ]
