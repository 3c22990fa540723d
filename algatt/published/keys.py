"""Which keys of configs have no effect on the values of a model: what is left is read, or refused."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from algatt.errors import InvalidArgument, in_words
from algatt.files import shorten

WITHOUT_EFFECT = frozenset(
    (
        # the files, the libraries, and the type of the numbers
        *("_attn_implementation", "_attn_implementation_autoset", "_commit_hash", "_experts_implementation"),
        *("_name_or_path", "attn_implementation", "cache_implementation", "dtype", "experts_implementation"),
        *("feature_extractor_type", "finetuning_task", "language", "model_name", "name_or_path"),
        *(
            "processor_class",
            "quantization_config",
            "task_specific_params",
            "tokenizer_class",
            "torch_dtype",
            "torchscript",
        ),
        *("transformers.js_config", "transformers_version", "unsloth_fixed", "unsloth_version", "use_bfloat16"),
        # what is returned beside the values, what is kept between calls, and in how many pieces they are computed
        *("chunk_size_feed_forward", "gradient_checkpointing", "output_attentions", "output_hidden_states"),
        *("output_past", "output_router_logits", "output_scores", "pretraining_tp", "return_dict"),
        *("return_dict_in_generate", "use_cache"),
        # initial weights
        *("init_std", "initializer_factor", "initializer_range", "layerscale_value"),
        # training alone
        *("activation_dropout", "attention_dropout", "attention_probs_dropout_prob", "attn_pdrop"),
        *("classifier_dropout", "classifier_dropout_prob", "decoder_layerdrop", "drop_path_rate", "dropout"),
        *("dropout_rate", "embd_pdrop", "encoder_layerdrop", "hidden_dropout", "hidden_dropout_prob"),
        *("layerdrop", "resid_pdrop", "router_aux_loss_coef", "router_jitter_noise"),
        # which tokens mean what
        *("bos_token_id", "cls_token_id", "decoder_start_token_id", "eos_token_id", "mask_token_id"),
        *("pad_token_id", "sep_token_id", "unk_token_id"),
        # classes that a head of another kind would have
        *("id2label", "label2id", "num_labels", "problem_type"),
        # how texts are generated
        *("bad_words_ids", "begin_suppress_tokens", "diversity_penalty", "do_sample", "early_stopping"),
        *("encoder_no_repeat_ngram_size", "exponential_decay_length_penalty", "forced_bos_token_id"),
        *("forced_decoder_ids", "forced_eos_token_id", "length_penalty", "max_length", "min_length"),
        *("no_repeat_ngram_size", "num_beam_groups", "num_beams", "num_return_sequences", "prefix"),
        *("remove_invalid_values", "repetition_penalty", "suppress_tokens", "temperature", "top_k", "top_p"),
        *("typical_p",),
    )
)
"""Keys without an effect on values, in models of all types."""

ONLY: Mapping[str, Any] = {
    "add_cross_attention": False,
    "cross_attention_hidden_size": None,
    "is_causal": True,
    "is_decoder": False,
    "is_encoder_decoder": False,
    "pruned_heads": {},
    "attention_bias": False,
    "is_llama_config": True,
    "mlp_bias": False,
    "rms_norm": True,
    "rope_interleaved": False,
    "rotary": True,
    "scale_attn_weights": True,
    "tie_encoder_decoder": False,
    "use_bidirectional_attention": False,
}
"""The values of keys with which models are what the layers say, unless their family reads the key."""

LAYERS = (
    *("decoder_layers", "encoder_layers", "n_layer", "num_decoder_layers", "num_hidden_groups", "num_hidden_layers"),
    "num_layers",
)
PARTS = (
    *("decoder_attention_heads", "encoder_attention_heads", "n_head", "num_attention_heads", "num_heads"),
    *("n_routed_experts", "num_experts", "num_local_experts"),
)
"""The keys that say how many blocks a network has, and how many heads and experts a block."""

WIDTHS = (
    *("d_kv", "d_model", "head_dim", "hidden_size", "image_size", "max_source_positions", "n_embd"),
    *("qk_rope_head_dim", "relative_attention_max_distance", "relative_attention_num_buckets", "rotary_dim"),
)
"""The keys that say how wide streams, heads and images are, and how long what is listed of positions."""

MOST_WIDTH = 2**18
"""Maximum width."""

MOST_LAYERS = 4096
"""Maximum number of blocks."""

MOST_PARTS = 2**16
"""Maximum number of heads and experts of all blocks together; DeepSeek V3 has 24,000."""

CODE = "auto_map"
"""The key that names classes in files beside the config."""


def check_keys(values: Mapping[str, Any], model_type: str, read: Collection[str]) -> None:
    """Raise `InvalidArgument` unless each key of a config is read, or known to be without effect; what is null is not
    given.

    Parameters
    ----------
    values : mapping of str to object
        The config.
    model_type : str
        Its model type.
    read : collection of str
        The keys that its family reads.
    """
    for name, value in values.items():
        if value is None or name in read or name in WITHOUT_EFFECT:
            continue
        if name == CODE:
            check_code(value, model_type)
        elif name not in ONLY:
            should = f"not in the config: of models of type {model_type!r} its effect is not known"
            raise InvalidArgument(shorten(str(name)), in_words(value), should)
        elif value != ONLY[name] or type(value) is not type(ONLY[name]):
            raise InvalidArgument(name, in_words(value), f"{ONLY[name]!r}: the layers have no other")


def check_counts(values: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` if a config asks for more blocks, heads, experts or rows than any model has, before one
    is made.
    """
    for name in WIDTHS:
        if type(value := values.get(name)) is int and value > MOST_WIDTH:
            raise InvalidArgument(name, in_words(value), f"at most {MOST_WIDTH}")
    layers = 1
    for name in LAYERS:
        if type(value := values.get(name)) is int and value > 0:
            if value > MOST_LAYERS:
                raise InvalidArgument(name, in_words(value), f"at most {MOST_LAYERS}")
            layers = max(layers, value)
    for name in PARTS:
        if type(value := values.get(name)) is int and value * layers > MOST_PARTS:
            raise InvalidArgument(name, in_words(value), f"at most {MOST_PARTS // layers} in each of {layers} blocks")


def check_code(value: Any, model_type: str) -> None:
    """Raise `InvalidArgument` unless all classes that a config names beside it are called as those of its model type,
    which the library has itself and takes without being asked to run other code.
    """
    beginning = model_type.removesuffix("_text").replace("_", "")
    classes = value.values() if isinstance(value, dict) else [value]
    if not all(isinstance(one, str) and one.rpartition(".")[2].lower().startswith(beginning) for one in classes):
        should = f"of classes of models of type {model_type!r}: the layers are those, and not other code"
        raise InvalidArgument(CODE, in_words(value), should)


def with_own_names(values: Mapping[str, Any], others: Mapping[str, str]) -> dict[str, Any]:
    """Return a config with the names that its family has for its keys, for other ones that the library also takes.

    Raises
    ------
    InvalidArgument
        If one is there by two names, with two values.
    """
    found = {name: value for name, value in values.items() if name not in others}
    for name in values.keys() & others.keys():
        own, value = others[name], values[name]
        if value is not None and found.setdefault(own, value) != value:
            if found[own] is not None:
                raise InvalidArgument(name, in_words(value), f"{in_words(found[own])}, as {own} is")
            found[own] = value
    return found
