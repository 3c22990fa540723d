"""Gains and biases of norms are folded, and means taken away, where values stay."""

from __future__ import annotations

import numpy as np
import pytest

from algatt import Weights
from algatt.checkpoints import (
    Centre,
    Checkpoint,
    FoldNorms,
    Untie,
    transform,
)
from algatt.errors import InvalidArgument
from algatt.layers import LayerNorm, RMSNorm
from converted_checkpoints import checkpoint_of, converted, of_layers

FOLDED = ("llama_3_1_8b", "phi_2", "mamba_130m", "mixtral_8x7b_v0_1", "deepseek_v2", "dinov2_small_imagenet1k")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FOLDED)
def test_folded_gains_are_ones(name: str) -> None:
    one = checkpoint_of(name)
    one = transform(Untie(), one) if name == "mamba_130m" else one
    after = converted(FoldNorms(), one).weights
    gains = [key for key in after.names() if "norm" in key and key.endswith(".g") and "heads" not in key]
    assert len(gains) >= 3
    for key in gains:
        np.testing.assert_array_equal(after[key], 1)
    assert any((one.weights[key] != 1).any() for key in gains)


def test_biases_of_norms_are_folded_where_readers_have_some() -> None:
    after = converted(FoldNorms(), checkpoint_of("gpt2")).weights
    np.testing.assert_array_equal(after["1.norm_1.b"], 0)
    np.testing.assert_array_equal(after["2.norm_2.b"], 0)
    assert (after["norm.b"] != 0).all()  # the unembedding has no bias


def test_the_last_gain_stays_where_embeddings_are_tied_and_is_folded_when_they_are_not() -> None:
    one = checkpoint_of("smollm2_135m")
    assert (converted(FoldNorms(), one).weights["norm.g"] != 1).any()
    np.testing.assert_allclose(converted(FoldNorms(), transform(Untie(), one)).weights["norm.g"], 1, atol=1e-14)


def test_gains_with_a_zero_and_gains_behind_layers_are_refused() -> None:
    one = checkpoint_of("llama_2_7b")
    arrays = {name: np.array(one.weights[name]) for name in one.weights.names()}
    arrays["1.norm_2.g"][2] = 0
    with pytest.raises(InvalidArgument, match=r"1.norm_2.g was with a zero"):
        transform(FoldNorms(), Checkpoint(one.network, Weights.of(arrays), one.config))
    with pytest.raises(InvalidArgument, match="no gain that a matrix can take up"):
        transform(FoldNorms(), checkpoint_of("minilm_l6_v2"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["pythia_160m", "phi_2", "gpt_j_6b"])
def test_what_writes_to_a_stream_of_layer_norms_has_no_mean(name: str) -> None:
    after = converted(Centre(), checkpoint_of(name)).weights
    np.testing.assert_allclose(after["embedding.E"].sum(axis=1), 0, atol=1e-12)
    for key in ("1.heads.O_2", "2.feedforward.down", "2.feedforward.b_down"):
        np.testing.assert_allclose(after[key].sum(axis=0), 0, atol=1e-12)


def test_tied_embeddings_are_centred_when_they_are_untied() -> None:
    one = checkpoint_of("gpt2")
    with pytest.raises(InvalidArgument, match=r"mean of the rows of embedding.E, as the unembedding is .* untie first"):
        transform(Centre(), one)
    after = converted(Centre(), converted(Untie(), one)).weights
    for key in ("embedding.E", "position.P"):
        np.testing.assert_allclose(after[key].sum(axis=1), 0, atol=1e-12)


def test_streams_of_rms_norms_are_not_centred() -> None:
    with pytest.raises(InvalidArgument, match="without a LayerNorm, so that its function sees means"):
        transform(Centre(), checkpoint_of("smollm2_135m"))


def test_streams_of_any_layers_are_centred_where_nothing_sees_their_means() -> None:
    after = converted(Centre(), of_layers(LayerNorm(), LayerNorm()))
    for name in ("linear_1.W", "heads.O_2", "feedforward.down"):
        np.testing.assert_allclose(after.weights[name].sum(axis=0), 0, atol=1e-12)
    with pytest.raises(InvalidArgument, match=r"sees the mean of the columns of linear_1\.W"):
        transform(Centre(), of_layers(LayerNorm(), RMSNorm()))
