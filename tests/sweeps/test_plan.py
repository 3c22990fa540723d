"""Plans in files: what they ask, and what is wrong with them in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.sweeps import Family, read_plan

PLAN = """
question = "redundant"
seed = 3
limit = 1.5
[[family]]
name = "one"
network = "Lightning((d, e), (a,), 2)"
where = "a <= d"
[family.sizes]
d = "1..3"
e = [2, 5]
a = "1..3..2"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text)
    return path


def test_a_plan(tmp_path: Path) -> None:
    plan = read_plan(written(tmp_path, PLAN))
    assert (plan.question, plan.seed, plan.limit, plan.products) == ("redundant", 3, 1.5, 12)
    members = list(plan.members())
    assert [member.sizes for member in members] == [
        {"d": d, "e": e, "a": a} for d in (1, 2, 3) for e in (2, 5) for a in (1, 3) if a <= d
    ]
    assert members[0].architecture == algatt.Lightning((1, 2), (1,), 2)
    assert {member.family for member in members} == {"one"}


def test_a_published_model_at_small_sizes(tmp_path: Path) -> None:
    config = '{"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 1, "vocab_size": 9, "n_positions": 4}'
    (tmp_path / "config.json").write_text(config)
    text = '[[family]]\npublished = "config.json"\nsizes = {layers = "1..2", head_width = 1, vocabulary = 4}'
    members = list(read_plan(written(tmp_path, text)).members())
    assert [member.architecture.vocabulary for member in members] == [4, 4]
    assert members[0].architecture.parameters < members[1].architecture.parameters


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 3", "sed = 3", r"plan was with the unknown key 'sed' \(did you mean seed\?\)"),
        ("where =", "were =", r"family 1 was with the unknown key 'were' \(did you mean where\?\)"),
        ('"1..3"', '"3..1"', r"sizes\.d was '3\.\.1', an empty range"),
        ('"1..3"', "[]", r"sizes\.d was \[\]; it should be an integer"),
        ('"1..3"', "1.5", r"sizes\.d was 1\.5"),
        ('"redundant"', '"size"', "question was 'size'; it should be one of dimension, redundant"),
        ("limit = 1.5", "limit = 0", "limit was 0; it should be a positive number"),
        ("limit = 1.5", "limit = true", "limit was True"),
        ("seed = 3", "seed = -1", "seed was -1"),
        ("(a,), 2)", "(b,), 2)", "where b is neither a size nor a noun of algatt"),
        ("network =", "published = 'x'\nnetwork =", "with network and published"),
        ("[[family]]", "[family]", r"one or more tables \[\[family\]\]"),
        ("limit = 1.5", "limit = ", "which cannot be read"),
    ],
)
def test_what_is_wrong_with_a_plan(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in PLAN
    with pytest.raises(InvalidArgument, match=message):
        read_plan(written(tmp_path, PLAN.replace(old, new)))


def test_a_plan_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="which cannot be read"):
        read_plan(tmp_path / "plan.toml")


def test_sizes_that_make_no_network_are_told() -> None:
    family = Family("Lightning((d, 2), (1,), 2)", {"d": range(2)})
    with pytest.raises(InvalidArgument) as raised:
        list(family.members())
    assert raised.value.__notes__ == ["at d = 0; where = ... leaves such sizes out"]
    with pytest.raises(InvalidArgument, match="network was of type int at d = 0; it should be a network"):
        list(Family(lambda d: d, {"d": range(2)}).members())
    with pytest.raises(InvalidArgument, match=r"sizes\['d'\] was range\(0, 0\)"):
        Family("Lightning((d, 2), (1,), 2)", {"d": range(0)})
