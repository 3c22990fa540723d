"""The script that certifies many networks, verifies each certificate twice and forges it."""

from __future__ import annotations

import algatt


def test_certificates_are_verified_twice_and_forgeries_refuted(script, capsys, monkeypatch):
    module = script("certify_networks")
    every = list(module.networks(1, 0))
    chosen = [every[0], *[one for one in every if "CausalSquare" in repr(one) or "Decay" in repr(one)]]
    assert len(chosen) == 3
    monkeypatch.setattr(module, "networks", lambda count, seed: iter(chosen))
    assert module.main(["--changes", "5"]) == 0
    counts = dict(reversed(line.split(maxsplit=1)) for line in capsys.readouterr().out.splitlines())
    assert counts["verified by both, proven"] == "3"
    others = int(counts.get("changes of rows, columns, points and programs", 0))
    assert int(counts["changes that are refuted"]) + others == 15


def test_what_is_not_verified_is_told(script, capsys, monkeypatch):
    module = script("certify_networks")
    monkeypatch.setattr(module, "networks", lambda count, seed: iter([algatt.Lightning((2, 1), (1,), 2)]))
    monkeypatch.setattr(module, "standalone_verifier", lambda: "raise SystemExit(1)")
    assert module.main(["--changes", "0"]) == 1
    assert "1 NOT VERIFIED" in capsys.readouterr().out
