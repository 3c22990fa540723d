"""Sizes in files, plans and options have limits, which are seen before the work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.cli.main import main
from algatt.errors import InvalidArgument
from algatt.files import parse_json
from algatt.layers import Linear, Residual, Stack
from algatt.layers.base import DEEPEST, MOST_LAYERS
from algatt.sweeps import Expression, Family

HUGE = 10**30

LINEAR = {"name": "Linear", "width": 2}


def network(**fields: Any) -> str:
    return json.dumps({"name": "Network", "layers": LINEAR, "tokens": 1, "width": 2, **fields})


def nested(count: int) -> str:
    inner = '{"name": "Residual", "layer": ' * count + json.dumps(LINEAR) + "}" * count
    return f'{{"name": "Network", "tokens": 1, "width": 2, "layers": {inner}}}'


FILES = {
    "a width": (network(layers={"name": "Linear", "width": HUGE}), f"width was {HUGE}; it should be an integer from 1"),
    "tokens": (network(tokens=HUGE), f"tokens was {HUGE}; it should be an integer from 1 to 2147483647"),
    "heads": (network(layers={"name": "Heads", "heads": HUGE}), f"heads was {HUGE}; it should be an integer from 1"),
    "many layers": (
        network(layers={"name": "Stack", "count": 10**6, "block": LINEAR}),
        "the number of blocks was 1000000; it should be at most 20000",
    ),
    "stacks of stacks": (
        network(layers={"name": "Stack", "count": 10**4, "block": {"name": "Stack", "count": 10**4, "block": LINEAR}}),
        "layers; it should be at most 20,000",
    ),
    "nested layers": (nested(100), "layers was nested at least 65 deep; it should be nested at most 64 deep"),
    "deep JSON": (nested(3000), "which has more than 200 lists and objects within each other"),
    "deeper JSON": ("[" * 10**5 + "]" * 10**5, "which has more than 200 lists and objects within each other"),
    "no JSON": ('{"name": ', "which is not JSON"),
    "no network": ("[[]]", "which is of type tuple"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", FILES)
def test_sizes_in_a_file_are_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, message = FILES[name]
    path = tmp_path / "net.json"
    path.write_text(text)
    for command in ("dimension", "draw", "symmetries"):
        assert main([command, str(path)]) == 2
        printed = capsys.readouterr()
        assert message in printed.err
        assert printed.err.count("\n") == 1
        assert not printed.out


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (["dimension", "--dims", f"{HUGE},2", "--ranks", "1", "--tokens", "2"], "dims[0]"),
        (["dimension", "--dims", "2,2", "--ranks", "1", "--tokens", str(HUGE)], "tokens"),
        (
            [
                "flow",
                "--heads",
                "1",
                "--tokens",
                "3",
                "--dim",
                "2",
                "--until",
                "1",
                "--noise",
                "1",
                "--steps",
                "9" * 12,
            ],
            "--steps",
        ),
        (["tree", "--layers", str(10**12)], "layers"),
    ],
)
def test_sizes_of_options_are_refused(arguments: list[str], argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert f"{argument} was " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10**30 * Linear(d)", "more than 1000 times"),
        ("Network(1000 * (1000 * Linear(d)), 1, d)", "layers was a network of at least 1,001,001 layers"),
        ("Linear(10**30 * d)", "width was 2000000000000000000000000000000; it should be an integer from 1"),
        ("(((9**1000)**1000)**1000)", "an integer of more than 256 bits"),
        ("(2**255) * (2**255)", "an integer of more than 256 bits"),
        ("(-3)**999", "an integer of more than 256 bits"),
        ("(d,) * 1000 * 1000", "a tuple of more than 1000 entries"),
        ("1000 * (d, d)", "a tuple of more than 1000 entries"),
        ("Linear(1.5 ** 999999999999)", "more than 1000 times"),
    ],
)
def test_sizes_in_a_plan_are_refused(text: str, told: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Expression(text, "network").value({"d": 2})
    assert told in str(caught.value)
    with pytest.raises(InvalidArgument) as caught:
        next(iter(Family(text, {"d": (2,)}).members()))
    assert told in str(caught.value)


def test_what_is_honest_is_computed() -> None:
    for text, value in (
        ("2**64 + d", 2**64 + 2),
        ("(2**127) * (2**127)", 2**254),
        ("(d, 1) * 500", (2, 1) * 500),
        ("0**1000 + 1**1000 + 2**-1", 1.5),
    ):
        assert Expression(text, "network").value({"d": 2}) == value
    layer: Any = Linear(2)
    for _ in range(DEEPEST - 1):
        layer = Residual(layer)
    assert algatt.Network(layer, tokens=1, width=2).parameters == 4
    with pytest.raises(InvalidArgument, match="nested at least 65 deep"):
        algatt.Network(Residual(layer), tokens=1, width=2)
    for _ in range(3000):
        layer = Residual(layer)
    with pytest.raises(InvalidArgument, match="nested at least 65 deep"):
        algatt.Network(layer, tokens=1, width=2)


def test_blocks_are_counted_with_what_is_in_them() -> None:
    half = (MOST_LAYERS - 2) // 2
    pair = Stack((Linear(2), Linear(2)))
    with pytest.raises(InvalidArgument, match="a network of at least 30,000 layers; it should be at most 20,000"):
        algatt.Network(Stack((pair,) * half + (Linear(2),) * 2), tokens=1, width=2)
    for count in (HUGE, 10**6):
        with pytest.raises(InvalidArgument, match="the number of blocks was"):
            count * Linear(2)


def test_json_is_parsed_to_a_depth() -> None:
    assert parse_json(b"[" * 200 + b"]" * 200) == json.loads("[" * 200 + "]" * 200)
    for text in (b"[" * 201 + b"1" + b"]" * 201, b'{"a":' * 300 + b"1" + b"}" * 300):
        with pytest.raises(ValueError, match="has more than 200 lists and objects within each other"):
            parse_json(text)
    for text in (b"", b"{", b"\xff\xfe\xfd", b"[1,]"):
        with pytest.raises(ValueError, match="is not JSON"):
            parse_json(text)
