"""The command line: parse, call, render."""

import os

# huge pages, for which Linux moves other memory, took a quarter of the time of a comparison of GPT-2 with itself, moved
os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
