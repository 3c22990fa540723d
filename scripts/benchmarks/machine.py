"""What a measurement was taken on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path

__all__ = ["cpu_model", "describe", "usable_cores"]

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def cpu_model(cpuinfo: str) -> str | None:
    """Read the name of the processor off the text of Linux's ``/proc/cpuinfo``; None if it is not there."""
    names = (line.partition(":")[2].strip() for line in cpuinfo.splitlines() if line.startswith("model name"))
    return next(names, None)


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe() -> dict[str, str | int | float]:
    """Return the processor, the cores, the load at the start and the versions that matter."""
    cpuinfo = Path("/proc/cpuinfo")
    model = cpu_model(cpuinfo.read_text()) if cpuinfo.exists() else None
    threads = {name: os.environ[name] for name in THREAD_VARIABLES if name in os.environ}
    return {
        "cpu": model or platform.processor() or platform.machine(),
        "cores": usable_cores(),
        "load": round(os.getloadavg()[0], 2),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("numpy", "galois", "python-flint")},
        **threads,
    }
