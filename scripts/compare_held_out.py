"""Write 35 pairs of small checkpoints with plain numpy, and count what algatt.compare says of them.

    python scripts/compare_held_out.py            all pairs
    python scripts/compare_held_out.py folded     those whose names have the word
    python scripts/compare_held_out.py --seed 3   of other weights

Of 20 pairs the second is the first, rewritten: norms folded, streams rotated and scaled, neurons and heads in another
order, grouped queries spread out, matrices fused, half precision, other configs of the same network. Of 15 it is
another function, by a mistake that people make. No code of the package takes part in the rewrites.

Exit code: 0 if no pair is called equal that is not, and none different that is equal, 1 if one is, 2 for bad arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from options import Parser, natural

import algatt
from algatt.checkpoints import write_safetensors
from algatt.errors import AlgattError

Tensors = dict[str, np.ndarray]
Model = tuple[dict[str, Any], Tensors]
"""A config, and the tensors by the names of transformers."""

D, M, H, VOCABULARY, LAYERS = 16, 24, 4, 29, 2
"""Width, neurons, heads, tokens and blocks."""

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": D,
    "intermediate_size": M,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": H,
    "num_key_value_heads": 2,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 32,
    "rms_norm_eps": 1e-5,
    "rope_theta": 500.0,
    "tie_word_embeddings": False,
}
GPT2: dict[str, Any] = {
    "model_type": "gpt2",
    "n_embd": D,
    "n_layer": LAYERS,
    "n_head": H,
    "n_inner": M,
    "vocab_size": VOCABULARY,
    "n_positions": 12,
}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="compare_held_out", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the names of pairs; all unless given")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="names the weights (default 0)")
    return parser.parse_args(arguments)


def llama(draw: np.random.Generator, **config: Any) -> Model:
    """Return a Llama with random weights."""
    fields = {**LLAMA, **config}
    keys, w = fields["num_key_value_heads"], D // H
    shapes = {"model.embed_tokens.weight": (VOCABULARY, D), "model.norm.weight": (D,)}
    if not fields["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (VOCABULARY, D)
    for n in range(LAYERS):
        here = f"model.layers.{n}"
        shapes |= {f"{here}.{name}.weight": (D,) for name in ("input_layernorm", "post_attention_layernorm")}
        shapes |= {f"{here}.self_attn.{name}_proj.weight": (D, D) for name in "qo"}
        shapes |= {f"{here}.self_attn.{name}_proj.weight": (keys * w, D) for name in "kv"}
        shapes |= {f"{here}.mlp.{name}_proj.weight": (M, D) for name in ("gate", "up")}
        shapes[f"{here}.mlp.down_proj.weight"] = (D, M)
    return fields, drawn(draw, shapes)


def gpt2(draw: np.random.Generator, **config: Any) -> Model:
    """Return a GPT-2 with random weights."""
    shapes: dict[str, tuple[int, ...]] = {"transformer.wte.weight": (VOCABULARY, D), "transformer.wpe.weight": (12, D)}
    norms = ["transformer.ln_f"]
    for n in range(LAYERS):
        here = f"transformer.h.{n}"
        norms += [f"{here}.ln_1", f"{here}.ln_2"]
        sizes = {"attn.c_attn": (D, 3 * D), "attn.c_proj": (D, D), "mlp.c_fc": (D, M), "mlp.c_proj": (M, D)}
        for name, shape in sizes.items():
            shapes |= {f"{here}.{name}.weight": shape, f"{here}.{name}.bias": shape[1:]}
    for name in norms:
        shapes |= {f"{name}.weight": (D,), f"{name}.bias": (D,)}
    return {**GPT2, **config}, drawn(draw, shapes)


def drawn(draw: np.random.Generator, shapes: dict[str, tuple[int, ...]]) -> Tensors:
    """Return random tensors; vectors of gains are near one."""
    found = {}
    for name, shape in shapes.items():
        raw = draw.standard_normal(shape) / np.sqrt(shape[-1])
        gain = len(shape) == 1 and name.endswith("weight")
        found[name] = 1 + 0.3 * draw.standard_normal(shape) if gain else raw
    return found


def rms_readers(n: int) -> dict[str, list[str]]:
    """Return what reads the norms of a block of Llama."""
    here = f"model.layers.{n}"
    return {
        f"{here}.input_layernorm.weight": [f"{here}.self_attn.{one}_proj.weight" for one in "qkv"],
        f"{here}.post_attention_layernorm.weight": [f"{here}.mlp.{one}_proj.weight" for one in ("gate", "up")],
    }


def folded(model: Model) -> Model:
    """Fold the gains of a Llama into what reads them."""
    config, t = model[0], dict(model[1])
    for n in range(LAYERS):
        for norm, readers in rms_readers(n).items():
            for name in readers:
                t[name] = t[name] * t[norm]
            t[norm] = np.ones(D)
    t["lm_head.weight"] = t["lm_head.weight"] * t["model.norm.weight"]
    t["model.norm.weight"] = np.ones(D)
    return config, t


def streamed(model: Model, matrix: np.ndarray) -> Model:
    """Multiply the stream of a Llama without gains by an orthogonal matrix, or a number."""
    config, t = model[0], dict(model[1])
    back = np.linalg.inv(matrix)
    t["model.embed_tokens.weight"] = t["model.embed_tokens.weight"] @ matrix.T
    t["lm_head.weight"] = t["lm_head.weight"] @ back
    for n in range(LAYERS):
        for readers in rms_readers(n).values():
            for name in readers:
                t[name] = t[name] @ back
        for name in ("self_attn.o_proj", "mlp.down_proj"):
            full = f"model.layers.{n}.{name}.weight"
            t[full] = matrix @ t[full]
    return config, t


def scaled(model: Model, factor: float) -> Model:
    """Multiply what writes to the stream of a Llama by a number, and the epsilon by its square."""
    config, t = {**model[0], "rms_norm_eps": model[0]["rms_norm_eps"] * factor**2}, dict(model[1])
    writers = [f"model.layers.{n}.{one}.weight" for n in range(LAYERS) for one in ("self_attn.o_proj", "mlp.down_proj")]
    for name in ("model.embed_tokens.weight", *writers):
        t[name] = t[name] * factor
    return config, t


def orthogonal(draw: np.random.Generator, size: int) -> np.ndarray:
    return np.linalg.qr(draw.standard_normal((size, size)))[0]


def changed(model: Model, change: Callable[[Tensors], None], **config: Any) -> Model:
    """Return a model after its tensors were changed in place, with other fields of its config."""
    tensors = {name: one.copy() for name, one in model[1].items()}
    change(tensors)
    return {**model[0], **config}, tensors


def kept(_: Tensors) -> None:
    """Change nothing."""


def neurons(order: np.ndarray) -> Callable[[Tensors], None]:
    """Return what permutes the neurons of the first block."""

    def change(t: Tensors) -> None:
        if "transformer.h.0.mlp.c_fc.weight" in t:
            here = "transformer.h.0.mlp"
            t[f"{here}.c_fc.weight"], t[f"{here}.c_fc.bias"] = (
                t[f"{here}.c_fc.weight"][:, order],
                t[f"{here}.c_fc.bias"][order],
            )
            t[f"{here}.c_proj.weight"] = t[f"{here}.c_proj.weight"][order]
            return
        here = "model.layers.0.mlp"
        for name in ("gate", "up"):
            t[f"{here}.{name}_proj.weight"] = t[f"{here}.{name}_proj.weight"][order]
        t[f"{here}.down_proj.weight"] = t[f"{here}.down_proj.weight"][:, order]

    return change


def twin(t: Tensors, split: float) -> None:
    """Let the first two neurons of each block of a GPT-2 be one, of which a share goes through the first."""
    for n in range(LAYERS):
        here = f"transformer.h.{n}.mlp"
        t[f"{here}.c_fc.weight"][:, 1] = t[f"{here}.c_fc.weight"][:, 0]
        t[f"{here}.c_fc.bias"][1] = t[f"{here}.c_fc.bias"][0]
        both = t[f"{here}.c_proj.weight"][0] + t[f"{here}.c_proj.weight"][1]
        t[f"{here}.c_proj.weight"][0], t[f"{here}.c_proj.weight"][1] = split * both, (1 - split) * both


def heads_of_gpt2(t: Tensors, change: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Any]) -> None:
    """Change the rows of queries, keys and values of each head of the first block, biases beside, and its outputs."""
    here, w = "transformer.h.0.attn", D // H
    joined = np.vstack([t[f"{here}.c_attn.weight"], t[f"{here}.c_attn.bias"]])
    parts = joined.reshape(D + 1, 3, H, w)
    out = t[f"{here}.c_proj.weight"].reshape(H, w, D)
    for head in range(H):
        q, k, v, o = change(parts[:, 0, head], parts[:, 1, head], parts[:, 2, head], out[head])
        parts[:, 0, head], parts[:, 1, head], parts[:, 2, head], out[head] = q, k, v, o
    t[f"{here}.c_attn.weight"], t[f"{here}.c_attn.bias"] = np.split(parts.reshape(D + 1, -1), [D])
    t[f"{here}.c_attn.bias"] = t[f"{here}.c_attn.bias"][0]
    t[f"{here}.c_proj.weight"] = out.reshape(D, D)


def bases(draw: np.random.Generator) -> Callable[[Tensors], None]:
    """Return what gives queries and keys, and values and outputs, other bases."""

    def change(t: Tensors) -> None:
        A, B = (np.eye(D // H) + 0.3 * draw.standard_normal((D // H, D // H)) for _ in range(2))
        heads_of_gpt2(t, lambda q, k, v, o: (q @ A, k @ np.linalg.inv(A).T, v @ B, np.linalg.inv(B) @ o))

    return change


def layer_norms_folded(t: Tensors) -> None:
    """Fold the gains and biases of the norms of the blocks of a GPT-2."""
    for n in range(LAYERS):
        for norm, reader in (("ln_1", "attn.c_attn"), ("ln_2", "mlp.c_fc")):
            g, b = (t[f"transformer.h.{n}.{norm}.{kind}"] for kind in ("weight", "bias"))
            name = f"transformer.h.{n}.{reader}"
            t[f"{name}.bias"] = t[f"{name}.bias"] + b @ t[f"{name}.weight"]
            t[f"{name}.weight"] = t[f"{name}.weight"] * g[:, None]
            t[f"transformer.h.{n}.{norm}.weight"], t[f"transformer.h.{n}.{norm}.bias"] = np.ones(D), np.zeros(D)


def value_biases_folded(t: Tensors) -> None:
    """Move biases of values into those of outputs, as attention sums to one."""
    for n in range(LAYERS):
        here = f"transformer.h.{n}.attn"
        t[f"{here}.c_proj.bias"] = (
            t[f"{here}.c_proj.bias"] + t[f"{here}.c_attn.bias"][2 * D :] @ t[f"{here}.c_proj.weight"]
        )
        t[f"{here}.c_attn.bias"][2 * D :] = 0


def head_order(t: Tensors, *, outputs: bool = True) -> None:
    """Exchange the two groups of heads of the first block of a Llama."""
    here, w = "model.layers.0.self_attn", D // H
    groups = np.arange(D).reshape(2, -1)[::-1].ravel()
    keys = np.arange(2 * w).reshape(2, -1)[::-1].ravel()
    t[f"{here}.q_proj.weight"] = t[f"{here}.q_proj.weight"][groups]
    for name in "kv":
        t[f"{here}.{name}_proj.weight"] = t[f"{here}.{name}_proj.weight"][keys]
    if outputs:
        t[f"{here}.o_proj.weight"] = t[f"{here}.o_proj.weight"][:, groups]


def turned(t: Tensors) -> None:
    """Turn each pair of rows of queries and keys that rotary positions turn, and scale it."""
    w = D // H
    half = w // 2
    for name in "qk":
        W = t[f"model.layers.0.self_attn.{name}_proj.weight"].reshape(-1, 2, half, D)
        c, s = np.cos(0.7), np.sin(0.7)
        scale = 1.5 if name == "q" else 1 / 1.5
        first = scale * (c * W[:, 0] - s * W[:, 1])
        W[:, 1] = scale * (s * W[:, 0] + c * W[:, 1])
        W[:, 0] = first


def spread(model: Model) -> Model:
    """Give each query keys and values of its own."""
    config, t = {**model[0], "num_key_value_heads": H}, dict(model[1])
    for n in range(LAYERS):
        for name in "kv":
            full = f"model.layers.{n}.self_attn.{name}_proj.weight"
            t[full] = np.repeat(t[full].reshape(2, -1, D), H // 2, axis=0).reshape(-1, D)
    return config, t


def fused(model: Model) -> Model:
    """Store a Llama as a Phi 3."""
    config, t = {**model[0], "model_type": "phi3", "pad_token_id": 0}, dict(model[1])
    for n in range(LAYERS):
        a, m = f"model.layers.{n}.self_attn", f"model.layers.{n}.mlp"
        t[f"{a}.qkv_proj.weight"] = np.vstack([t.pop(f"{a}.{one}_proj.weight") for one in "qkv"])
        t[f"{m}.gate_up_proj.weight"] = np.vstack([t.pop(f"{m}.{one}_proj.weight") for one in ("gate", "up")])
    return config, t


def untied(model: Model) -> Model:
    """Store the embedding of a tied model a second time."""
    return {**model[0], "tie_word_embeddings": False}, model[1] | {
        "lm_head.weight": model[1]["model.embed_tokens.weight"]
    }


def bfloat16(raw: np.ndarray) -> np.ndarray:
    """Return the upper halves of float32, rounded to nearest, ties to even."""
    bits = raw.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def half(model: Model, kind: Callable[[np.ndarray], np.ndarray]) -> Model:
    """Round all tensors."""
    return model[0], {name: kind(one) for name, one in model[1].items()}


def entry(name: str, place: tuple[int, ...], by: float) -> Callable[[Tensors], None]:
    """Return what changes an entry."""

    def change(t: Tensors) -> None:
        t[name][place] += by

    return change


def pairs(seed: int) -> dict[str, tuple[Model, Model, bool]]:
    """Return the pairs by name, each with whether it is one function."""
    draw = np.random.default_rng(seed)
    l, g = llama(draw), gpt2(draw)
    tied = llama(draw, tie_word_embeddings=True)
    base = folded(l)
    Q = orthogonal(draw, D)
    every = np.arange(M)
    order = draw.permutation(M)
    long = {"rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [2.0, 3.0]}}
    phi = {**fused(l)[0], "original_max_position_embeddings": 4}
    other = {"rope_scaling": {**long["rope_scaling"], "long_factor": [2.0, 4.0]}}
    merged, split = changed(g, lambda t: twin(t, 1.0)), changed(g, lambda t: twin(t, 0.3))
    one_less = changed(merged, lambda t: t.update(neurons_of(t, np.delete(every, 1))), n_inner=M - 1)
    bias = changed(g, lambda t: t["transformer.h.0.attn.c_attn.bias"].__setitem__(slice(D, 2 * D), 0))
    name = "model.layers.1.self_attn.o_proj.weight"
    rewritten = {
        "norms folded, Llama": (l, base),
        "norms folded, GPT-2": (g, changed(g, layer_norms_folded)),
        "stream rotated": (l, streamed(base, Q)),
        "stream scaled with its epsilon": (l, scaled(l, 3.0)),
        "neurons permuted, Llama": (l, changed(l, neurons(order))),
        "neurons permuted, GPT-2": (g, changed(g, neurons(order))),
        "twin neurons": (merged, split),
        "twin neurons merged to one": (merged, one_less),
        "heads exchanged": (l, changed(l, head_order)),
        "rotary pairs turned": (l, changed(l, turned)),
        "bases of heads": (g, changed(g, bases(draw))),
        "value biases folded": (g, changed(g, value_biases_folded)),
        "biases of keys dropped": (g, bias),
        "grouped queries spread out": (l, spread(l)),
        "fused as Phi 3": (l, fused(l)),
        "untied": (tied, untied(tied)),
        "bfloat16 copy": (l, half(l, bfloat16)),
        "float16 copy, rotated": (l, half(streamed(base, Q), lambda raw: raw.astype(np.float16))),
        "keys without effect": (l, changed(l, kept, use_cache=False, attention_dropout=0.1, pretraining_tp=2)),
        "angles in another part": (
            l,
            ({**without(l[0], "rope_theta"), "rope_parameters": {"rope_theta": 500.0}}, l[1]),
        ),
    }
    mistaken = {
        "an entry": (l, changed(l, entry(name, (3, 4), 0.01))),
        "another epsilon": (l, changed(l, kept, rms_norm_eps=1e-3)),
        "another base of angles": (l, changed(l, kept, rope_theta=10000.0)),
        "another long factor": (({**phi, **long}, fused(l)[1]), ({**phi, **other}, fused(l)[1])),
        "another dynamic factor": tuple(
            changed(l, kept, rope_scaling={"type": "dynamic", "factor": factor}) for factor in (2.0, 4.0)
        ),
        "another window": tuple(({**l[0], "model_type": "mistral", "sliding_window": size}, l[1]) for size in (8, 16)),
        "another activation": (g, changed(g, kept, activation_function="gelu")),
        "a later position": (g, changed(g, entry("transformer.wpe.weight", (10, 2), 0.1))),
        "heads exchanged but for outputs": (l, changed(l, lambda t: head_order(t, outputs=False))),
        "gain folded and left": (l, (l[0], {**base[1], "model.norm.weight": l[1]["model.norm.weight"]})),
        "stream rotated, norms not folded": (l, streamed(l, Q)),
        "stream scaled without its epsilon": (l, (l[0], scaled(l, 30.0)[1])),
        "twin neurons merged without their sum": (
            split,
            changed(split, lambda t: t["transformer.h.0.mlp.c_proj.weight"].__setitem__(1, 0)),
        ),
        "embedding rotated, tied": (tied, streamed_tied(tied, Q)),
        "keys with another layout": (l, changed(l, interleaved)),
    }
    return {name: (*pair, True) for name, pair in rewritten.items()} | {
        name: (*pair, False) for name, pair in mistaken.items()
    }


def without(config: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a config without a key."""
    return {key: value for key, value in config.items() if key != name}


def neurons_of(t: Tensors, chosen: np.ndarray) -> Tensors:
    """Return the tensors of the blocks of a GPT-2 with some neurons."""
    found = {}
    for n in range(LAYERS):
        here = f"transformer.h.{n}.mlp"
        found |= {
            f"{here}.c_fc.weight": t[f"{here}.c_fc.weight"][:, chosen],
            f"{here}.c_fc.bias": t[f"{here}.c_fc.bias"][chosen],
            f"{here}.c_proj.weight": t[f"{here}.c_proj.weight"][chosen],
        }
    return found


def streamed_tied(model: Model, matrix: np.ndarray) -> Model:
    """Rotate the embedding of a tied model, and nothing else."""
    return model[0], model[1] | {"model.embed_tokens.weight": model[1]["model.embed_tokens.weight"] @ matrix}


def interleaved(t: Tensors) -> None:
    """Put rows of queries and keys in the other rotary layout, as files of other programs have them."""
    for name in "qk":
        full = f"model.layers.0.self_attn.{name}_proj.weight"
        t[full] = t[full].reshape(-1, 2, D // H // 2, D).transpose(0, 2, 1, 3).reshape(-1, D)


def written(folder: Path, model: Model) -> Path:
    """Write a checkpoint in float32, or float16 where all of it is that."""
    folder.mkdir(parents=True)
    config, tensors = model
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    arrays = {name: one if one.dtype == np.float16 else one.astype(np.float32) for name, one in tensors.items()}
    write_safetensors(folder / "model.safetensors", arrays)
    return folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    options = parse(arguments)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (one, two, equal)) in enumerate(pairs(options.seed).items()):
            if options.words and not any(word in name for word in options.words):
                continue
            paths = [written(Path(folder) / f"{number}" / side, model) for side, model in (("one", one), ("two", two))]
            try:
                found = algatt.compare(*paths)
                said, why = found.equal, found.reason
            except AlgattError as error:
                said, why = None, f"refused: {error}"
            word = "right" if said is equal else "undecided" if said is None else "WRONG"
            counts[f"{word}, {'equal' if equal else 'different'}"] += 1
            print(f"{name:40} {'equal' if equal else 'different':10} {word:10} {why[:150]}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return int(any(what.startswith("WRONG") for what in counts))


if __name__ == "__main__":
    sys.exit(main())
