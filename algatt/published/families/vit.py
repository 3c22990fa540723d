"""Vision transformers: ViT, and DINOv2."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from algatt.errors import InvalidArgument, in_words
from algatt.layers import (
    Chain,
    ClassToken,
    Concatenate,
    Entrywise,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    MeanToken,
    Named,
    Parallel,
    ReadAs,
    Reading,
    Residual,
    SelectTokens,
    SiLU,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, only_logits, stacked
from algatt.published.stored import Stored, parts

VIT = ("ViTForImageClassification", "ViTModel")
MOST_PATCHES = 2**20
"""Maximum number of patches of an image."""

DINOV2 = ("Dinov2ForImageClassification", "Dinov2Model")


def vit(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of ViT (arXiv 2010.11929): a token for each patch of an image, and one that is read."""
    norm = LayerNorm(fields.not_negative("layer_norm_eps", 1e-12))
    hidden = Feedforward(fields.whole("intermediate_size", 3072), activation(fields, "hidden_act", "gelu"), bias=True)
    block = Residual(norm >> heads(fields)) >> Residual(norm >> hidden)
    body = embedding(fields, patches(fields)[1]) >> stacked([block] * fields.whole("num_hidden_layers"))
    first = SelectTokens(0, 1)
    if fields.architecture(VIT).endswith("Model"):
        only_logits(reading)
        width = fields.optional("pooler_output_size") or fields.whole("hidden_size")
        if width != fields.whole("hidden_size"):
            raise InvalidArgument("pooler_output_size", repr(width), f"{fields.whole('hidden_size')}, as hidden_size")
        last = Entrywise(activation(fields, "pooler_act", "tanh"))
        return (
            body >> norm >> Concatenate(SelectTokens(), Named("pooler", first >> Linear(width, True) >> last), axis=1)
        )
    # what is not read is not normalised
    return body >> first >> norm >> Unembedding(labels(fields), bias=True, reading=reading)


def dinov2(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of DINOv2 (arXiv 2304.07193): factors behind all branches, and a head that also reads the mean
    of all patches.
    """
    norm = LayerNorm(fields.not_negative("layer_norm_eps", 1e-6))
    width = fields.whole("hidden_size")
    m = int(width * fields.positive("mlp_ratio", 4))
    hidden = (
        Feedforward((m * 2 // 3 + 7) // 8 * 8, SiLU(), gated=True, bias=True)
        if fields.truth("use_swiglu_ffn", False)
        else Feedforward(m, activation(fields, "hidden_act", "gelu"), bias=True)
    )
    block = Residual(norm >> heads(fields) >> LayerScale()) >> Residual(norm >> hidden >> LayerScale())
    first = embedding(fields, patches_of_dinov2(fields)[1], masked=fields.truth("use_mask_token", True))
    body = first >> stacked([block] * fields.whole("num_hidden_layers")) >> norm
    if fields.architecture(DINOV2).endswith("Model"):
        only_logits(reading)
        return body
    count = labels(fields)  # the two halves of its matrix read the stream, of which tokens are taken behind them
    classified = Named("class", Linear(count, bias=True) >> SelectTokens(0, 1))
    averaged = Named("patches", Linear(count) >> SelectTokens(1) >> MeanToken())
    return body >> Parallel(classified, averaged) >> ReadAs(reading)


def embedding(fields: Fields, count: int, *, masked: bool = False) -> Chain:
    """Return what makes tokens of so many patches, which are columns of channels of rows of pixels."""
    projection: Layer = Linear(fields.whole("hidden_size"), bias=True)
    if masked:
        projection = projection >> MaskToken()
    layers: Chain = projection >> LearnedPosition(count) >> ClassToken(position=True)
    return layers


def heads(fields: Fields) -> Heads:
    """Return the attention of a block."""
    fields.only("is_causal", False)
    width = head_width(fields, "hidden_size", "num_attention_heads")
    biases = "QKVO" if fields.truth("qkv_bias", True) else "O"
    return Heads(fields.whole("num_attention_heads"), width=width, biases=biases)


def labels(fields: Fields) -> int:
    """Return the number of classes, by itself or by their names; 2 unless given."""
    names = fields.part("id2label").values
    count = fields.whole("num_labels", len(names) or 2)
    if names and len(names) != count:
        raise InvalidArgument("num_labels", repr(count), f"{len(names)}, as there are names in id2label")
    return count


def patches(fields: Fields) -> tuple[int, int]:
    """Return how many numbers a patch has, and how many patches an image has."""
    (height, width), (rows, columns) = sides(fields, "image_size", 224), sides(fields, "patch_size", 16)
    if height % rows or width % columns:
        raise InvalidArgument("image_size", f"{height} x {width}", f"of whole patches of {rows} x {columns}")
    count = height // rows * (width // columns)
    if count > MOST_PATCHES:
        raise InvalidArgument("image_size", f"{height} x {width}", f"of at most {MOST_PATCHES} patches")
    return fields.whole("num_channels", 3) * rows * columns, count


def patches_of_dinov2(fields: Fields) -> tuple[int, int]:
    """Return the same, patches being of 14 x 14 unless given."""
    return patches(with_default_patch(fields))


def with_default_patch(fields: Fields) -> Fields:
    """Return the fields with the size of patches."""
    return Fields({"patch_size": 14, **{name: value for name, value in fields.values.items() if value is not None}})


def sides(fields: Fields, name: str, default: int) -> tuple[int, int]:
    """Return height and width, which are equal if one number is given."""
    given = fields.get(name, "an integer >= 1, or two", default)
    both = given if isinstance(given, list | tuple) else [given, given]
    if len(both) != 2:
        raise InvalidArgument(name, in_words(given), "an integer >= 1, or two")
    height, width = (Fields({name: one}).whole(name) for one in both)
    return height, width


def stored_vit(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints of ViT, for older and newer names."""
    there = "" if fields.architecture(VIT).endswith("Model") else "vit."
    yield from stored_ends(there)
    for number in range(fields.whole("num_hidden_layers")):
        here = f"{number + 1}"
        new, old = f"{there}layers.{number}", f"{there}encoder.layer.{number}"
        yield from stored_attention(tensors, new, old, here)
        norms = "layernorm_before=norm_1 layernorm_after=norm_2"
        yield from parts(tensors, new, here, f"{norms} mlp.fc1=feedforward.up mlp.fc2=feedforward.down")
        yield from parts(tensors, old, here, f"{norms} intermediate.dense=feedforward.up output.dense=feedforward.down")


def stored_dinov2(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints of DINOv2, for older and newer names."""
    there = "" if fields.architecture(DINOV2).endswith("Model") else "dinov2."
    yield from stored_ends(there)
    yield Stored(f"{there}embeddings.mask_token", ("mask_token.m",), transposed=True)
    yield Stored("classifier.weight", ("class.linear.W", "patches.linear.W"), axis=1)
    yield Stored("classifier.bias", ("class.linear.b",))
    for number in range(fields.whole("num_hidden_layers")):
        block, here = f"{there}encoder.layer.{number}", f"{number + 1}"
        yield from stored_attention(tensors, block, block, here)
        for part in (1, 2):
            yield from parts(tensors, block, here, f"norm{part}=norm_{part}")
            yield Stored(f"{block}.layer_scale{part}.lambda1", (f"{here}.scale_{part}.g",))
        yield from stored_hidden(tensors, f"{block}.mlp", f"{here}.feedforward")


def stored_hidden(tensors: Container[str], there: str, here: str) -> Iterator[Stored]:
    """Iterate over the tensors of a network of one hidden layer; with a gate, that was above the other half once."""
    yield from parts(tensors, there, here, "fc1=up fc2=down up_proj=up gate_proj=gate down_proj=down weights_out=down")
    yield Stored(f"{there}.weights_in.weight", (f"{here}.gate", f"{here}.up"))
    yield Stored(f"{there}.weights_in.bias", (f"{here}.b_gate", f"{here}.b_up"))


def stored_ends(there: str) -> Iterator[Stored]:
    """Iterate over the tensors before and behind the blocks."""
    yield Stored(f"{there}embeddings.cls_token", ("class_token.c",), transposed=True)
    yield Stored(f"{there}embeddings.position_embeddings", ("class_token.p", "position.P"))
    names = f"{there}embeddings.patch_embeddings.projection=linear.W {there}layernorm=norm"
    yield from parts((), "", "", f"{names} {there}pooler.dense=pooler.linear.W classifier=unembedding.U")


def stored_attention(tensors: Container[str], new: str, old: str, here: str) -> Iterator[Stored]:
    """Iterate over the tensors of the heads of a block."""
    newer = "q_proj=heads.Q k_proj=heads.K v_proj=heads.V o_proj=heads.O"
    older = "attention.query=heads.Q attention.key=heads.K attention.value=heads.V output.dense=heads.O"
    yield from parts(tensors, f"{new}.attention", here, newer)
    yield from parts(tensors, f"{old}.attention", here, older)


def small_image(values: Mapping[str, Any], numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a small model of images that are a row of patches of one number."""
    small = {**values, "image_size": [1, numbers["context"]], "patch_size": 1, "num_channels": 2, "num_labels": 3}
    small.pop("id2label", None)
    return small


def small_dinov2(values: Mapping[str, Any], numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the same; the hidden width is a multiple of the width."""
    return {**small_image(values, numbers), "mlp_ratio": 1}


SIZES = {"width": "hidden_size", "layers": "num_hidden_layers", "heads": "num_attention_heads"}

KEYS = (
    *("hidden_act", "id2label", "image_size", "is_causal", "layer_norm_eps", "num_channels", "num_labels"),
    *("patch_size", "qkv_bias"),
)
KEYS_OF_VIT = ("encoder_stride", "pooler_act", "pooler_output_size")
KEYS_OF_DINOV2 = (
    *("mlp_ratio", "use_mask_token", "use_swiglu_ffn"),
    # of models that give the values of several blocks
    *("apply_layernorm", "out_features", "out_indices", "reshape_hidden_states", "stage_names"),
)

register(
    ModelFamily(
        ("vit",),
        vit,
        {**SIZES, "hidden": "intermediate_size"},
        stored_vit,
        VIT,
        patches,
        small_image,
        keys=(*KEYS, *KEYS_OF_VIT),
    )
)
register(
    ModelFamily(
        ("dinov2",),
        dinov2,
        SIZES,
        stored_dinov2,
        DINOV2,
        patches_of_dinov2,
        small_dinov2,
        keys=(*KEYS, *KEYS_OF_DINOV2),
    )
)
