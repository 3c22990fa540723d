"""How much memory there is, and what is refused for lack of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import algatt
from algatt import memory


def test_what_fits_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 1000)
    memory.check_memory(1000, "nothing")
    with pytest.raises(algatt.errors.NotEnoughMemory, match="something needs at least") as caught:
        memory.check_memory(1001, "something")
    assert (caught.value.needed, caught.value.available) == (1001, 1000)


def test_nothing_is_refused_where_the_system_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "physical_memory", lambda: iter(()))
    monkeypatch.setattr(memory, "limits", lambda: iter(()))
    assert memory.available_memory() is None
    memory.check_memory(1e30, "everything")


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="there is no /proc/meminfo")
def test_the_memory_is_at_most_that_of_the_machine() -> None:
    assert 0 < memory.available_memory() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(sys.platform != "linux", reason="address spaces are limited elsewhere in other ways")
def test_a_limit_of_the_shell_counts() -> None:
    """As `ulimit -v` sets it."""
    limited = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))"
    code = f"{limited}; from algatt.memory import available_memory; print(available_memory())"
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1]), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert int(done.stdout) <= 2**31


def test_the_limits_of_containers_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the second version of control groups, a group without a limit in one that has it; in the first version, a
    group that is not seen inside.
    """
    files = {
        "/proc/self/cgroup": "3:cpu:/x\n4:cpuacct,memory:/host/name\n0::/slice/job\n",
        "/sys/fs/cgroup/slice/job/memory.max": "max\n",
        "/sys/fs/cgroup/slice/memory.max": "7000\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "5000\n",
    }

    def read_text(path: Path) -> str:
        if str(path) not in files:
            raise FileNotFoundError(str(path))
        return files[str(path)]

    monkeypatch.setattr(Path, "read_text", read_text)
    assert [limit for limit in memory.limits() if limit < 10**6] == [5000, 7000]
