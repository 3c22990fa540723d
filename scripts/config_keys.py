"""Change each key of a config, run the model of transformers and ours, and list what each says.

    python scripts/config_keys.py                 one published config of each model type, scaled down
    python scripts/config_keys.py phi3 gpt2       of some model types
    python scripts/config_keys.py --json FILE     also write the rows

It needs torch and transformers. Keys are those of the config, of the class of transformers, and of our family, and
those in the parts of the config about rotary positions. Each is changed to other values of its kind, and left out. Both
models have the same weights and read the same inputs in double precision, shorter and longer than windows and contexts.
A row is wrong if transformers computes other values, or takes tensors of other shapes, and our network neither follows
nor refuses the key; or if it says other values than transformers. What transformers cannot run counts for nothing.

Exit code: 0 if no row is wrong, 1 if one is, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from options import Parser

import algatt
from algatt import published
from algatt.errors import AlgattError
from algatt.published.known import CONFIGS

MODELS = CONFIGS
"""Where the configs are."""

LENGTHS = (2, 6)
"""Numbers of tokens of the inputs."""

CLOSE = 1e-7
"""Relative distance of values that are the same but for rounding."""

MOST_WEIGHTS = 2_000_000
"""Maximum number of weights of a model of transformers that is made."""

PARTS = ("rope_scaling", "rope_parameters", "text_config")
"""Keys whose parts are changed one by one."""

NAMES = ("model_type", "architectures", "torch_dtype", "dtype")
"""Keys that choose the class and the type of the numbers, which stay."""

ACTIVATIONS = ("relu", "gelu", "silu")
"""Values of keys that name an activation."""

CRASH = "WRONG: crash,"
"""The beginning of what is said of an error that is no refusal."""

OTHER = "other tensors"
"""What is said of transformers where weights of another model do not fit."""

Values = list[np.ndarray] | str
"""The values at the inputs, or why there are none."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="config_keys", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("types", nargs="*", metavar="TYPE", help="model types; all unless given")
    parser.add_argument("--json", metavar="FILE", help="write the rows to a file")
    return parser.parse_args(arguments)


def doubles() -> None:
    """Let transformers compute in double precision where it asks for single, as for norms and angles."""
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    for name, value in (("float32", torch.float64), ("float", torch.float64)):
        setattr(torch, name, value)
    torch.Tensor.float = torch.Tensor.double  # type: ignore[method-assign]  # the aim
    torch.set_default_dtype(torch.float64)


def configs(types: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over configs at small sizes, one of each model type, and of each rule of rotary angles."""
    seen: set[tuple[str, str]] = set()
    for path in sorted(MODELS.glob("*.json")):
        config = json.loads(path.read_text(encoding="utf-8"))["config"]
        part = config.get("rope_scaling") or {}
        kind = (config["model_type"], str(part.get("rope_type", part.get("type"))))
        if kind not in seen and (not types or kind[0] in types):
            seen.add(kind)
            small = published.scaled(config, layers=2, vocabulary=13, head_width=4, tokens=8)
            yield path.stem, varied(small)


def varied(config: dict[str, Any]) -> dict[str, Any]:
    """Return a config whose windows and contexts are shorter than the longer input, and whose tokens it has."""
    short = {"sliding_window": 3, "original_max_position_embeddings": 4, "max_window_layers": 1}
    changed = {**config, **{name: value for name, value in short.items() if config.get(name)}}
    changed |= {name: 1 for name, value in config.items() if name.endswith("_token_id") and value}
    if config["model_type"] in ("phi3", "whisper"):  # whose usual one is behind the vocabulary
        changed["pad_token_id"] = 1
    if isinstance(part := config.get("rope_scaling"), dict):
        changed["rope_scaling"] = {**part, **{name: 4 for name in short if name in part}}
    if "patch_size" in config:
        changed |= {"image_size": [4, 4] if isinstance(config["image_size"], list) else 4, "patch_size": 2}
    return changed


def model_of(config: Mapping[str, Any]) -> Any:
    """Return the model of transformers of a config."""
    import torch
    import transformers

    made = transformers.AutoConfig.for_model(**copy.deepcopy(dict(config)))
    made._attn_implementation = made._experts_implementation = "eager"
    kind = getattr(transformers, config["architectures"][0])
    with torch.device("meta"):
        count = kind(copy.deepcopy(made)).num_parameters()
    if count > MOST_WEIGHTS:
        raise ValueError(f"{count} weights")
    model = kind(made).eval()
    if config["model_type"] == "t5" and config.get("tie_word_embeddings") is False:  # which the library ignores
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.clone())
    return model


def filled(model: Any) -> dict[str, Any]:
    """Return weights for a model, drawn at random."""
    import torch

    draw = torch.Generator().manual_seed(1)
    state = {}
    for name, one in model.state_dict().items():
        state[name] = 0.4 * torch.randn(one.shape, generator=draw, dtype=torch.float64)
        if one.ndim == 1 and not name.endswith("bias"):
            state[name] += 1
    trained = (name for name, one in model.named_parameters() if one.requires_grad)
    names = {*trained, *(name for name in state if name.endswith("correction_bias"))}
    return {name: one for name, one in state.items() if name in names}


def theirs(config: Mapping[str, Any], state: Mapping[str, Any] | None) -> tuple[Values, dict[str, Any]]:
    """Return the values of transformers, and the weights; those that are given if they fit."""
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = model_of(config)
            own = filled(model)
            weights = own if state is None else dict(state)
            if {name: one.shape for name, one in weights.items()} != {name: one.shape for name, one in own.items()}:
                return OTHER, own
            model.load_state_dict(weights, strict=False)
            with torch.no_grad():
                found = [value_of(model(**given)) for given, _, _ in inputs_of(config)]
            return found, weights
    except Exception as error:  # whatever transformers raises
        return f"{type(error).__name__}: {error}".splitlines()[0][:90], {}


def value_of(output: Any) -> np.ndarray:
    """Return the value of a model with or without a head, tokens beside each other."""
    import torch

    if (logits := getattr(output, "logits", None)) is not None:
        return (logits if logits.ndim == 3 else logits[:, None])[0].T.numpy()
    pooled, tokens = output.pooler_output, output.last_hidden_state
    joined = tokens if torch.equal(pooled, tokens[:, 0]) else torch.cat([tokens, pooled[:, None]], dim=1)
    return joined[0].T.numpy()


def inputs_of(config: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Any, int | None]]:
    """Iterate over inputs of transformers, each as our network has it, and with its number of tokens."""
    import torch

    draw = np.random.default_rng(1)
    if "image_size" in config:
        size = np.broadcast_to(config["image_size"], 2)
        pixels = draw.standard_normal((1, config.get("num_channels", 3), *size))
        side = config["patch_size"]
        grid = pixels.reshape(1, pixels.shape[1], size[0] // side, side, size[1] // side, side)
        patches = grid.transpose(0, 1, 3, 5, 2, 4).reshape(1, pixels.shape[1] * side**2, -1)
        yield {"pixel_values": torch.tensor(pixels)}, patches, None
        return
    vocabulary = int(config.get("vocab_size", 13))
    for tokens in LENGTHS:
        ids = np.array([[(3 * place + 5) % (vocabulary - 4) + 4 for place in range(tokens)]])
        given = {"input_ids": torch.tensor(ids)}
        if config["model_type"] == "t5":
            half = tokens // 2
            yield (
                {"input_ids": given["input_ids"][:, :half], "decoder_input_ids": given["input_ids"][:, half:]},
                ids,
                tokens,
            )
        elif config["model_type"] == "whisper":
            columns = 2 * config.get("max_source_positions", 1500)
            sound = draw.standard_normal((1, config.get("num_mel_bins", 80), columns))
            both = {"input_features": torch.tensor(sound), "decoder_input_ids": given["input_ids"]}
            yield both, (sound, ids), columns + tokens
        else:
            yield given, ids, tokens


def ours(config: Mapping[str, Any], state: Mapping[str, Any]) -> Values:
    """Return our values."""
    from algatt.checkpoints.checkpoint import named
    from algatt.checkpoints.tensors import FileTensor, FileTensors

    try:
        members = {
            name: FileTensor(tuple(one.shape), "F64", 53, lambda one=one: one.numpy()) for name, one in state.items()
        }
        tensors = FileTensors("transformers", members)
        net = published.read(config)
        theta = published.weights(config, named(net, config, tensors)[0])
        return [
            algatt.evaluate(published.read(config, tokens=tokens), theta, X)[0] for _, X, tokens in inputs_of(config)
        ]
    except AlgattError as error:
        return f"{error}"[:90]
    except Exception as error:
        return f"{CRASH} {type(error).__name__}: {error}"[:90]


def changes(config: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Iterate over the keys with other values, and the config that has them."""
    names = {*config, *known, *keys_of(config)} - {*NAMES}
    for name in sorted(names):
        value = config.get(name, known.get(name))
        if name in PARTS and isinstance(value, Mapping) and value:
            for inner in value:
                for other in others(inner, value[inner]):
                    yield f"{name}.{inner}", other, {**config, name: {**value, inner: other}}
                yield f"{name}.{inner}", "left out", {**config, name: {k: v for k, v in value.items() if k != inner}}
            continue
        for other in others(name, value):
            yield name, other, {**config, name: other}
        if name in config:
            yield name, "left out", {key: one for key, one in config.items() if key != name}


def keys_of(config: Mapping[str, Any]) -> set[str]:
    """Return the keys that our family reads."""
    from algatt.published.base import opened

    _, family = opened(config)
    return {*family.sizes.values(), *(family.keys or ()), *family.aliases}


def others(name: str, value: Any) -> list[Any]:
    """Return other values of the kind of a value."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, 2 * value, max(value // 2, 1)]
    if isinstance(value, float):
        return [0.5 * value, 1.5 * value + 0.125]
    if isinstance(value, str):
        return [one for one in ACTIVATIONS if one != value] if "act" in name else []
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [list(reversed(value)), [value[0]] * len(value), [value[-1]] * len(value)]
    if isinstance(value, list) and value and all(isinstance(one, int | float) for one in value):
        return [[2 * one + 1 for one in value]]
    if value is None:
        return [True, 3, 0.7]
    return []


def distance(one: list[np.ndarray], two: list[np.ndarray]) -> float:
    """Return the largest relative distance of values."""
    return max(
        float(np.abs(a.ravel() - b.ravel()).max() / np.abs(b).max()) if a.size == b.size else np.inf
        for a, b in zip(one, two, strict=True)
    )


def verdict(base: list[np.ndarray], them: Values, us: Values) -> str:
    """Return what a change does: ``same``, ``follows``, ``refused``, ``not run``, or ``WRONG`` and why."""
    if isinstance(us, str) and us.startswith(CRASH):
        return us
    if isinstance(them, str):
        return "not run"
    if isinstance(us, str):
        return "refused" if distance(them, base) > CLOSE else "refused, without effect"
    if distance(us, them) > CLOSE:
        return f"WRONG: {distance(us, them):.1e} apart, changed {distance(them, base):.1e} there"
    return "follows" if distance(them, base) > CLOSE else "same"


def rows_of(name: str, config: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Iterate over the rows of a config: model, key, value, verdict."""
    import transformers

    kind = config["model_type"]
    base, state = theirs(config, None)
    given = ours(config, state)
    if isinstance(base, str) or isinstance(given, str) or distance(given, base) > CLOSE:
        why = base if isinstance(base, str) else given if isinstance(given, str) else f"{distance(given, base):.1e}"
        yield name, "as it is", "", f"WRONG: {why}"
        return
    known = transformers.AutoConfig.for_model(**copy.deepcopy(config)).to_dict()
    for key, value, changed in changes(config, {k: v for k, v in known.items() if k != "model_type"}):
        them, own = theirs(changed, state)
        if them == OTHER:
            them, _ = theirs(changed, None)
        yield f"{name} ({kind})", key, str(value), verdict(base, them, ours(changed, own or state))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    options = parse(arguments)
    doubles()
    found = []
    for name, config in configs(options.types):
        rows = list(rows_of(name, config))
        found += rows
        counts = Counter(row[3].partition(":")[0] for row in rows)
        print(f"{name:28} {', '.join(f'{count} {word}' for word, count in counts.items())}", flush=True)
        for _, key, value, word in rows:
            if word.startswith("WRONG"):
                print(f"    {key} = {value}: {word}", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=0), encoding="utf-8")
    return int(any(row[3].startswith("WRONG") for row in found))


if __name__ == "__main__":
    sys.exit(main())
