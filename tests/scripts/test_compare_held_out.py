"""The scripts that make pairs of checkpoints with plain numpy, and change keys of configs beside transformers."""

from __future__ import annotations

from types import SimpleNamespace

import algatt


def test_pairs_are_counted(script, capsys):
    assert script("compare_held_out").main(["keys without", "fused", "another window"]) == 0
    *rows, counts = capsys.readouterr().out.splitlines()
    assert [row[52:57] for row in rows] == ["right"] * 3
    assert counts == "1 right, different, 2 right, equal"


def test_an_equal_that_is_not_is_wrong(script, capsys, monkeypatch):
    monkeypatch.setattr(algatt, "compare", lambda *_: SimpleNamespace(equal=True, reason="none"), raising=False)
    assert script("compare_held_out").main(["an entry"]) == 1
    assert "1 WRONG, different" in capsys.readouterr().out


def test_keys_are_changed_to_values_of_their_kind(script):
    keys = script("config_keys")
    assert keys.others("use_cache", True) == [False]
    assert keys.others("hidden_act", "silu") == ["relu", "gelu"]
    config = {"model_type": "llama", "rope_scaling": {"factor": 2}}
    changed = {name: other for name, _, other in keys.changes(config, {})}
    assert changed["rope_scaling.factor"]["rope_scaling"] == {}


def test_what_transformers_changes_and_ours_does_not_is_wrong(script):
    keys = script("config_keys")
    np = keys.np
    one, two = [np.ones(3)], [np.full(3, 2.0)]
    assert keys.verdict(one, two, one).startswith("WRONG")
    assert keys.verdict(one, one, two).startswith("WRONG")
    assert keys.verdict(one, one, f"{keys.CRASH} KeyError").startswith("WRONG")
    assert [
        keys.verdict(one, *pair) for pair in ((one, one), (two, two), (two, "no"), (one, "no"), ("error", two))
    ] == [
        "same",
        "follows",
        "refused",
        "refused, without effect",
        "not run",
    ]
