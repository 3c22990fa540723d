"""The script that proves dimensions of published architectures at small sizes."""

from __future__ import annotations

import dataclasses
import json

import pytest

from algatt.layers import Probabilities
from algatt.published import ScaledProof
from algatt.published.scaled_proofs import SIZES, TOKENS, reading_name


@pytest.fixture
def proofs(script):
    return script("published_proofs")


@pytest.fixture
def calls(proofs, monkeypatch):
    """The tasks that are done, each at once."""
    done = []

    def prove(task):
        done.append(task)
        n, sizes = task.parameters, dict(task.sizes)
        read = reading_name(task.reading)
        return ScaledProof(task.model, "a type", sizes, read, task.eps, n, n - 1, n - 1, n - 1, 0, "0", task.pattern)

    monkeypatch.setattr(proofs.Task, "prove", prove)
    return done


def run(proofs, record, *arguments):
    return proofs.main(["--record", str(record), "--processes", "1", "--models", "llama_2_7b", "gemma_2b", *arguments])


def test_what_is_wanted_of_each_architecture(proofs):
    wanted = [(task.sizes, task.reading, task.eps) for task in proofs.tasks_of(["llama_2_7b"], large=True)]
    logits = [(sizes, None, None) for sizes in SIZES]
    assert len(wanted) == 5
    assert all(one in wanted for one in logits)
    assert (SIZES[0], Probabilities(), None) in wanted
    assert (SIZES[0], None, 0) in wanted


def test_parallel_blocks_have_larger_vocabularies(proofs):
    wanted = list(proofs.tasks_of(["phi_2", "gpt_j_6b", "pythia_160m"], large=True))
    assert {task.sizes["vocabulary"] for task in wanted} == {24}
    assert len(wanted) == 12


@pytest.mark.sample(0)
def test_a_proof_that_takes_too_long_is_given_up(proofs, monkeypatch):
    """The second of two tasks never ends."""
    ended = []

    def endless(task):
        if task.eps == 0:
            while True:
                ended.append(task)
        return dataclasses.replace(proofs.load(proofs.RECORD)[0], pattern=task.pattern)

    monkeypatch.setattr(proofs.Task, "prove", endless)
    tasks = [task for task in proofs.tasks_of(["llama_2_7b"], large=False) if task.reading is None][1:]
    (_, found), (_, given_up) = proofs.outcomes(tasks, 1, 1)
    assert isinstance(found, ScaledProof)
    assert ended
    assert "1 s of processor time" in given_up


def test_the_large_network_has_5_000_parameters(proofs):
    """Llama of width 12, 192 tokens, 2 neurons: two tables, 4 matrices of 12 x 12, gates, three gains."""
    task = next(one for one in proofs.tasks_of(["llama_2_7b"], large=True) if one.sizes == proofs.LARGE[1])
    assert task.parameters == 2 * 192 * 12 + 4 * 12**2 + 3 * 2 * 12 + 3 * 12 > 5000


def test_models_that_differ_in_constants_are_proven_once(proofs):
    both = list(proofs.tasks_of(["llama_3_8b", "tinyllama_1_1b"], large=False))
    assert {task.model for task in both} == {"meta-llama/Meta-Llama-3-8B"}
    assert len(both) == 4


def test_a_second_run_does_what_is_missing(proofs, calls, tmp_path, capsys):
    record = tmp_path / "record.json"
    assert run(proofs, record) == 0
    assert len(calls) == 9
    of_logits = [task.parameters for task in calls[:5]]
    assert of_logits == sorted(of_logits)
    assert not any(task.reading is None and task.eps is None for task in calls[5:])
    whole = record.read_text()
    rows = json.loads(whole)["proofs"]
    record.write_text(json.dumps({"proofs": rows[:4]}))
    assert run(proofs, record) == 0
    assert len(calls) == 9 + 5
    assert record.read_text() == whole
    assert run(proofs, record) == 0
    assert len(calls) == 9 + 5
    assert run(proofs, record, "--again", "--small") == 0
    assert len(calls) == 9 + 5 + 8
    assert "8 of 8 are proven and as symbols say" in capsys.readouterr().out


def test_a_run_that_is_killed_keeps_what_was_done(proofs, calls, tmp_path, monkeypatch):
    """Each proof is in the record before the next one begins."""
    record, prove = tmp_path / "record.json", proofs.Task.prove

    class KilledError(BaseException):
        pass

    def killed(task):
        if len(calls) == 3:
            raise KilledError
        return prove(task)

    monkeypatch.setattr(proofs.Task, "prove", killed)
    with pytest.raises(KilledError):
        run(proofs, record)
    assert len(json.loads(record.read_text())["proofs"]) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]


def test_what_differs_is_told(proofs, calls, tmp_path, monkeypatch, capsys):
    prove = proofs.Task.prove
    monkeypatch.setattr(
        proofs.Task, "prove", lambda task: dataclasses.replace(prove(task), lower=5, upper=5 if task.eps == 0 else 7)
    )
    assert run(proofs, tmp_path / "record.json", "--small") == 1
    assert "0 of 8 are proven" in capsys.readouterr().out


def test_a_proof_in_another_process(proofs, tmp_path):
    """The task is passed on, and its proof comes back: of an empty list there is nothing to wait for."""
    assert list(proofs.outcomes([], 2, 1)) == []
    assert proofs.load(tmp_path / "absent.json") == []
    assert TOKENS == 3


@pytest.mark.parametrize("arguments", [["--models", "mamba"], ["--processes", "0"], ["--colour"]])
def test_bad_arguments_are_told_in_one_line(proofs, arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        proofs.main(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_is_no_record_is_told(proofs, tmp_path, capsys):
    record = tmp_path / "record.json"
    record.write_text("{")
    assert run(proofs, record) == 2
    assert "which is no record" in capsys.readouterr().err
    assert run(proofs, tmp_path / "absent" / "record.json") == 2
