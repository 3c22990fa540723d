"""The sections of ``scripts/benchmark.py``, one file each, and how they measure."""
