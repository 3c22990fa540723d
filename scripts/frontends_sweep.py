"""Models of transformers as they are: whether `algatt.from_torch` has their values and their dimensions.

    python scripts/frontends_sweep.py [--single] [--dimensions SECONDS] [NAME ...]

prints for each published model at a small size, and for six types that `algatt.published` does not know, the relative
difference of the values to those of torch in double precision, or with --single in single precision, the number of
instructions, the seconds that tracing and writing took, and whether the program is that of the config in normal form.
With --dimensions it prints too, for the module and for the network of the config, the dimension with its status and
the rank of the symmetries, within a limit of seconds for each.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import multiprocessing
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import algatt
from algatt.architectures.network import arrange
from algatt.frontends.matching import matched_tensors
from algatt.programs.joined import joined_tensors
from algatt.published import read, scaled
from algatt.published.fields import values_of
from algatt.published.known import CONFIGS
from algatt.published.scaled_proofs import VOCABULARY, sizes_of

TOKENS = [3, 5, 4, 2]

SMALL = {
    "vocab_size": 6,
    "hidden_size": 4,
    "intermediate_size": 3,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 16,
    "pad_token_id": None,
    "bos_token_id": None,
    "eos_token_id": None,
}

OTHERS: dict[str, dict[str, Any]] = {
    "falcon": {"new_decoder_architecture": False, "parallel_attn": True, "bias": False, "ffn_hidden_size": 3},
    "stablelm": {},
    "cohere": {},
    "glm": {"head_dim": 2, "attention_bias": True},
    "granite": {},
    "modernbert": {"global_attn_every_n_layers": 1, "cls_token_id": None, "sep_token_id": None},
}
"""Types that `algatt.published` does not know, with fields of their configs."""

PARALLEL = ("falcon", "cohere")
"""Types whose blocks add attention and neurons to the same vectors, which are seen at as many as there are tokens."""

CLASSES = {"modernbert": "ModernBertForMaskedLM"}


@contextlib.contextmanager
def doubles() -> Iterator[None]:
    """Compute in double precision what models compute in single precision, whatever their weights have."""
    import torch

    kept = torch.float32, torch.float, torch.Tensor.float, torch.get_default_dtype()
    torch.float32 = torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.float32, torch.float, torch.Tensor.float = kept[:3]
        torch.set_default_dtype(kept[3])


def model_of(fields: dict[str, Any], kind: str | None = None) -> Any:
    """Return a model of transformers with random weights."""
    import torch
    import transformers

    options = {key: value for key, value in fields.items() if key not in ("model_type", "architectures")}
    if fields["model_type"] != "roberta":
        options["pad_token_id"] = None
    made = transformers.AutoConfig.for_model(
        fields["model_type"], **copy.deepcopy(options), attn_implementation="eager"
    )
    made._experts_implementation = "batched_mm"
    model = getattr(transformers, kind)(made) if kind else transformers.AutoModelForCausalLM.from_config(made)
    if fields["model_type"] == "t5" and not fields.get("tie_word_embeddings", True):  # tied there all the same
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    if fields["model_type"] == "whisper":  # these positions are fixed
        positions = model.model.encoder.embed_positions
        positions.register_buffer("weight", positions._parameters.pop("weight").detach())
    for module in model.modules():  # what is added where experts are chosen is a buffer there, and a tensor here
        if "e_score_correction_bias" in module._buffers:
            correction = module._buffers.pop("e_score_correction_bias")
            module.register_parameter("e_score_correction_bias", torch.nn.Parameter(correction))
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 3)
    return model.double().eval()


def example_of(fields: dict[str, Any], count: int) -> tuple[Any, dict[str, Any]]:
    """Return an example with a number of tokens, and what is constant."""
    import torch

    if "image_size" in fields:
        height, width = fields["image_size"]
        return torch.randn(1, fields["num_channels"], height, width), {}
    tokens = torch.tensor([TOKENS[:count]])
    if fields["model_type"] == "whisper":
        features = torch.randn(1, fields["num_mel_bins"], 2 * fields["max_source_positions"])
        return {"input_features": features, "decoder_input_ids": tokens}, {"use_cache": False}
    if fields["model_type"] == "t5":
        return {"input_ids": tokens[:, :2], "decoder_input_ids": tokens[:, 2:]}, {"use_cache": False}
    if fields["model_type"] in ("bert", "albert", "modernbert", "roberta"):
        positions = {"position_ids": torch.arange(2, 2 + tokens.shape[1])[None]}
        return tokens, positions if fields["model_type"] == "roberta" else {}
    return tokens, {"use_cache": False}


def inputs_of(net: Any, example: Any) -> Any:
    """Return the input of the network."""
    if net.source is not None:
        features, tokens = (one[0].numpy() for one in example.values())
        return features, tokens
    if isinstance(example, dict):
        return np.concatenate([one.numpy().ravel() for one in example.values()])
    array = example.numpy()
    if net.vocabulary:
        return array.ravel()
    _, channels, height, width = array.shape
    side = int((net.width / channels) ** 0.5)
    cut = array.reshape(channels, height // side, side, width // side, side)
    return cut.transpose(0, 2, 4, 1, 3).reshape(net.width, -1)


def with_pooled(output: Any) -> Any:
    """Return the last vectors with the pooled one behind them, as the published model has them."""
    import torch

    return torch.cat([output.last_hidden_state, output.pooler_output[:, None]], 1)


def row(fields: dict[str, Any], kind: str | None, tokens: int, limit: float, single: bool) -> str:
    """Return what there is to say of a model."""
    import torch

    with contextlib.nullcontext() if single else doubles(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = model_of(fields, kind)
        model = model.float() if single else model
        example, constants = example_of(fields, tokens)
        start = time.perf_counter()
        value = with_pooled if fields.get("architectures") == ["BertModel"] else None
        net = algatt.from_torch(model, example, constants=constants, value=value)
        seconds = time.perf_counter() - start
        with torch.no_grad():
            given = example if isinstance(example, dict) else {}
            output = model(**given, **constants) if given else model(example, **constants)
        chosen = value(output) if value else output.logits if hasattr(output, "logits") else output[0]
        expected = chosen.numpy()
        theta = algatt.weights_of(model)
    expected = expected.reshape(-1, expected.shape[-1]).T
    value = algatt.evaluate(net, theta, inputs_of(net, example))
    apart = np.abs(value - expected).max() / np.abs(expected).max()
    known = network_of_config(fields, net)
    line = f"{apart:8.1e} {len(net.layers.program):6} {seconds:6.1f}  {program_of_config(known, net):8}"
    if limit:
        line += f" {within(limit, answer, net):34}"
        if known is not None:
            line += f" {within(limit, answer, known)}"
    return line


def answer(net: Any) -> str:
    """Return the dimension of a network and the rank of its symmetries."""
    report = algatt.dimension(net)
    return f"{report.value} {report.status}, {net.parameters - report.upper} of {net.parameters}"


def within(limit: float, function: Callable[..., str], *arguments: Any) -> str:
    """Return what a function returns in a process of its own, or that it took longer than a limit in seconds."""
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    process = context.Process(target=lambda: queue.put(attempt(function, *arguments)))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.kill()
        process.join()
        return f"none in {limit:.0f} s"
    return "killed" if queue.empty() else str(queue.get())


def attempt(function: Callable[..., str], *arguments: Any) -> str:
    """Return what a function returns, or its error: each row stands for itself."""
    try:
        return function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def network_of_config(fields: dict[str, Any], net: Any) -> Any:
    """Return the network of the config, or None if its type is not known."""
    try:
        return read(fields, tokens=None if "image_size" in fields else net.tokens)
    except algatt.errors.InvalidArgument:
        return None


def program_of_config(known: Any, net: Any) -> str:
    """Return whether the network of the config has the same program in normal form, up to the names of tensors and the
    rounding of constants to single precision: then all questions have one answer; or has it where tensors that are read
    below each other are joined.
    """
    if known is None:
        return "unknown"
    programs = [arrange(one).network.layers.program for one in (known, net)]
    found = matched_tensors(*programs)
    if found is None:
        return "joined" if matched_tensors(*(joined_tensors(one)[0] for one in programs)) else "differs"
    return "same" if found[1] else "rounded"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--dimensions", type=float, default=0, metavar="SECONDS")
    options = parser.parse_args()
    folder = CONFIGS
    known = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["config"] for path in sorted(folder.glob("*.json"))
    }
    rows: dict[str, tuple[dict[str, Any], str | None, int]] = {}
    for name, config in known.items():
        sizes = sizes_of(values_of(config))[0]
        fields = scaled(config, **sizes)
        if "image_size" in fields:
            fields |= {"image_size": [4, 4], "patch_size": 2}
        if "type_vocab_size" in fields:  # inputs of the published models have types, and examples only the first
            fields |= {"type_vocab_size": 1}
        tokens = len(TOKENS) if fields["model_type"] == "t5" else sizes.get("tokens", 3)
        rows[name] = fields, fields["architectures"][0], tokens
    for name, changes in OTHERS.items():
        size = {"vocab_size": VOCABULARY} if name in PARALLEL else {}
        rows[name] = {"model_type": name, **SMALL, **size, **changes}, CLASSES.get(name), 2 if size else 3
    for name, (fields, kind, tokens) in rows.items():
        if not options.names or name in options.names:
            print(f"{name:24} {attempt(row, fields, kind, tokens, options.dimensions, options.single)}", flush=True)


if __name__ == "__main__":
    main()
