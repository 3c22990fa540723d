"""The families of published models, one file for each."""

from algatt.published.families import deepseek, gemma, gpt2, gpt_neox, llama, mixtral, olmoe, phi3, qwen3_moe

__all__ = ["deepseek", "gemma", "gpt2", "gpt_neox", "llama", "mixtral", "olmoe", "phi3", "qwen3_moe"]
