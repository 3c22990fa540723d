"""Start one process, wait for it, and write its wall time, peak memory and exit code as JSON.

This is a process between the benchmark and what it measures, because Linux counts the memory of the process that calls
exec in the peak of the new one: started by a benchmark that holds large arrays, every small process would look as
large. It imports little for the same reason.

Arguments: the files for this result, for stdout and for stderr, then the program and its arguments.
"""

import json
import os
import sys
import time
from pathlib import Path


def main() -> None:
    """Run the command of the arguments."""
    result, out, err, *command = sys.argv[1:]
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    redirections = [(os.POSIX_SPAWN_OPEN, number, path, flags, 0o600) for number, path in ((1, out), (2, err))]
    began = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=redirections)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - began
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes on macOS, in KiB on Linux
    measured = {
        "seconds": seconds,
        "peak_bytes": usage.ru_maxrss * unit,
        "exit_code": os.waitstatus_to_exitcode(status),
    }
    Path(result).write_text(json.dumps(measured))


if __name__ == "__main__":
    main()
