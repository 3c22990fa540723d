"""The families of published models, one file for each."""

from algatt.published.families import (
    albert,
    bert,
    deepseek,
    gemma,
    gpt2,
    gpt_neox,
    llama,
    mamba,
    mixtral,
    olmoe,
    phi3,
    qwen3_moe,
    vit,
)

__all__ = [
    "albert",
    "bert",
    "deepseek",
    "gemma",
    "gpt2",
    "gpt_neox",
    "llama",
    "mamba",
    "mixtral",
    "olmoe",
    "phi3",
    "qwen3_moe",
    "vit",
]
