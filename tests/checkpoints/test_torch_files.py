"""State dicts of PyTorch in files: tensors alone are loaded."""

from __future__ import annotations

import pickle
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algatt.checkpoints import load, read_tensors
from algatt.errors import InvalidArgument, MissingExtra
from written_checkpoints import LLAMA, llama


class Code:
    """Code that a pickle would run: it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_without_torch_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    path = tmp_path / "pytorch_model.bin"
    path.write_bytes(pickle.dumps({}))
    with pytest.raises(MissingExtra, match=r"torch is not installed; python -m pip install '.\[torch\]'"):
        read_tensors(path)


def test_a_zip_that_is_cut_off_is_refused_before_torch_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "whole.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", b"x" * 100)
    (tmp_path / "cut.pt").write_bytes(path.read_bytes()[:90])
    with pytest.raises(InvalidArgument, match="which is truncated; it should be a state dict of PyTorch"):
        read_tensors(tmp_path / "cut.pt")


@pytest.mark.parametrize("zipped", [True, False])
def test_state_dicts_of_both_formats(tmp_path: Path, zipped: bool) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    state = llama()
    path = tmp_path / "pytorch_model.bin"
    made = {name: torch.tensor(array) for name, array in state.items()}
    torch.save(made, path, _use_new_zipfile_serialization=zipped)
    found = read_tensors(tmp_path)
    for name, array in state.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == np.float32
    one = load(tmp_path, LLAMA)
    torch.save({"epoch": 3, "model_state_dict": made}, path, _use_new_zipfile_serialization=zipped)
    assert load(tmp_path, LLAMA).weights == one.weights
    (tmp_path / "cut.pt").write_bytes(path.read_bytes()[:2000])
    with pytest.raises(InvalidArgument, match=r"^path was") as caught:
        read_tensors(tmp_path / "cut.pt")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("zipped", [True, False])
def test_pickled_code_is_not_run(tmp_path: Path, zipped: bool) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    path, made = tmp_path / "model.pt", tmp_path / "made"
    torch.save({"a": torch.ones(2), "b": Code(made)}, path, _use_new_zipfile_serialization=zipped)
    with pytest.raises(InvalidArgument, match="with pickled code or other objects, which are not loaded") as caught:
        read_tensors(path)
    assert "\n" not in str(caught.value)
    assert not made.exists()
    (tmp_path / "bare.pkl").write_bytes(pickle.dumps(Code(made)))
    with pytest.raises(InvalidArgument, match=r"^path was"):
        read_tensors(tmp_path / "bare.pkl")
    assert not made.exists()


def test_types_of_tensors(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    path = tmp_path / "model.pt"
    torch.save({"a": torch.tensor([1.0, 205 / 2048]).bfloat16(), "b": torch.arange(3), "c": torch.ones(2, 3).T}, path)
    found = read_tensors(path)
    assert found["a"].tolist() == [1, 205 / 2048]
    assert found["c"].shape == (3, 2)
    assert found.precision == 8
    with pytest.raises(InvalidArgument, match=r"b was of torch.int64; it should be dense, of one of the types float64"):
        found["b"]
    torch.save([torch.ones(2)], path)
    with pytest.raises(InvalidArgument, match="with an object of type list; it should be a state dict"):
        read_tensors(path)
    torch.save({"a": 3}, path)
    with pytest.raises(InvalidArgument, match="where 'a' is of type int"):
        read_tensors(path)
