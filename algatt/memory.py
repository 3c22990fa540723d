"""How much memory there is, asked before work that would not fit: without an answer the system ends such a process
after hours, and tells nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from algatt.errors import NotEnoughMemory

LIMITS = {"": ("/sys/fs/cgroup", "memory.max"), "memory": ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")}
"""Where Linux has the limit of a container, by the controller that /proc/self/cgroup names: the second and the first
version of control groups.
"""


def check_memory(needed: float, purpose: str) -> None:
    """Raise an error if a computation needs more memory than there is.

    Parameters
    ----------
    needed : float
        Bytes that are held at one time: at least so many, since what is refused has to be hopeless.
    purpose : str
        What needs them.

    Raises
    ------
    NotEnoughMemory
        With both numbers. Where the system does not say how much memory it has, nothing is refused.
    """
    available = available_memory()
    if available is not None and needed > available:
        raise NotEnoughMemory(purpose, needed, available)


def available_memory() -> int | None:
    """Return how many bytes of physical memory this process can get now, or None if the system does not say."""
    return min([*physical_memory(), *limits()], default=None)


def physical_memory() -> Iterator[int]:
    """Iterate over what is known of the machine: what is free or can be freed (Linux), else all there is."""
    try:
        found = re.search(r"^MemAvailable: *(\d+) kB$", Path("/proc/meminfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    if found is not None:
        yield 1024 * int(found[1])
    elif hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def limits() -> Iterator[int]:
    """Iterate over the limits that are set for this process: of its address space, and of the control groups that it is
    in.
    """
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            yield soft
    except ImportError:  # Windows
        pass
    for path in limit_files():
        try:
            yield int(path.read_text())
        except (OSError, ValueError):  # not there, or "max"
            continue


def limit_files() -> Iterator[Path]:
    """Iterate over the files in which the limits of control groups may be: each group's own, and those of the groups
    around it.
    """
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, group = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in LIMITS:
                root, name = LIMITS[controller]
                inside = PurePosixPath(group.lstrip("/"))
                for folder in (inside, *inside.parents):
                    yield Path(root, folder, name)
