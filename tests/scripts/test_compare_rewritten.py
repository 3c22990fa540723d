"""The script that rewrites a checkpoint in ways that break it, and says by what names it is told."""

from __future__ import annotations

import json
import re

import pytest

from algatt.checkpoints import write_safetensors
from written_checkpoints import LLAMA, llama

BROKEN = {
    "an embedding centred under an RMSNorm": r"embedding\.E was centred alone",
    "a tied embedding rotated": r"embedding\.E was rotated alone",
    "the other rotary layout": r"rows of 1\.heads\.K_1, .* are in the other rotary layout",
    "a gain folded, and left": r"1\.norm_1\.g left after folding, in the second point",
    "a gain folded twice": r"1\.norm_1\.g folded twice, in the second point",
    "another epsilon": r"another epsilon",
}


def test_every_rewrite_is_told_by_its_name(tmp_path, script, capsys):
    """Of a network of one block with tied embeddings, and gains that are not 1."""
    config = LLAMA | {"tie_word_embeddings": True, "num_hidden_layers": 1}
    state = {name: one for name, one in llama().items() if name != "lm_head.weight" and ".1." not in name}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    write_safetensors(tmp_path / "model.safetensors", state)
    assert script("compare_rewritten").main([str(tmp_path)]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("moved by a random element: equal; ")
    assert [line.partition(": ")[0] for line in others] == list(BROKEN)
    for line, words in zip(others, BROKEN.values(), strict=True):
        assert re.search(f": different; {words}; values differ by ", line)


@pytest.mark.parametrize("arguments", [["nowhere"], ["nowhere", "--trials", "0"]])
def test_bad_arguments(script, arguments, capsys):
    try:
        code = script("compare_rewritten").main(arguments)
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
