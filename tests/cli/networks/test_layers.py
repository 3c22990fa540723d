"""The command layers: the list of what networks are made of."""

from __future__ import annotations

import pytest

import algatt
from algatt.cli.main import main
from networks_in_files import report


def test_the_list_of_layers_has_them_all_with_their_papers(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {one["name"]: one for one in report(capsys, "layers")["layers"]}
    nouns = {name for name in algatt.layers.__all__ if name[0].isupper()}
    assert nouns - set(listed) == {
        "Activation",
        "Layer",
        "Mask",
        "Position",
        "Reading",
        "Router",
        "Score",
        "Tensors",
        "Weighting",
    }  # what others are below
    papers = {
        "Heads": "1706.03762",  # Attention is all you need
        "Rotary": "2104.09864",  # RoFormer
        "ALiBi": "2108.12409",  # Train short, test long
        "RMSNorm": "1910.07467",  # Root mean square layer normalization
        "LayerNorm": "1607.06450",
        "Residual": "1512.03385",  # Deep residual learning
        "GELU": "1606.08415",
        "Experts": "1701.06538",  # Outrageously large neural networks
        "RelativeBias": "1910.10683",  # T5
    }
    assert {name: listed[name]["arxiv"][0] for name in papers} == papers
    kinds = {one["kind"] for one in listed.values()}
    assert kinds == {"layer", "combinator", "mask", "position", "activation", "score", "router", "reading"}
    assert (listed["Causal"]["kind"], listed["SiLU"]["kind"], listed["Tie"]["kind"]) == (
        "mask",
        "activation",
        "combinator",
    )


def test_its_lines_are_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    for one in report(capsys, "layers")["layers"]:
        assert one["line"].endswith(".")
        assert not set("\\`$\n{}") & set(one["line"]), one["line"]


def test_the_list_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["layers"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    (line,) = [line for line in out.splitlines() if line.startswith("  RMSNorm ")]
    words = " ".join(line.split())
    assert words.startswith("RMSNorm The layer x -> g * x / sqrt(|x|^2 / d + eps), for each token (Zhang")
    assert words.endswith(" arXiv:1910.07467")


def test_a_model_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "gpt2", "--tokens", "3"]) == 0
    assert "Heads(12" in capsys.readouterr().out
