"""The work of a command in a process of its own, so that Ctrl-C ends it within a second.

Python looks at signals between two of its own steps, and some calls are one step for minutes: a singular value
decomposition of LAPACK, a determinant of FLINT. So the work is done by a child, while its parent only waits for it. On
Ctrl-C the child has half a second to see the signal; if it does, it ends in its own time, with a checkpoint if one was
asked for. If it does not, or on the second Ctrl-C, the parent ends it. A file is renamed to its place when it is
complete, so that nothing is half-written.

This needs a fork, and a child that ends with its parent, so it is done on Linux alone; elsewhere Ctrl-C waits for the
end of such a call.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from algatt.cli.exit_codes import ExitCode

PATIENCE = 0.5
"""Seconds that the child has to see a signal."""

SET_DEATH_SIGNAL = 1
"""The first argument of Linux's prctl that asks for a signal when the parent ends."""

FORWARDED = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)]
"""Signals that end the child and its parent; Windows does not have them all."""


def run_watched(work: Callable[[], int]) -> int:
    """Do some work in a child and return its exit code, in the parent and in the child alike; where Ctrl-C means
    nothing, do it here.
    """
    if sys.platform != "linux" or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return work()
    seen, see = os.pipe()
    watch = ChildWatch(seen)
    watch.begin()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, *FORWARDED])  # until both know what to do
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # of threads that a fork leaves behind: they are OpenBLAS's, which is prepared for it
        watch.child = os.fork()
    if not watch.child:
        obey(see)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return watch.end() if watch.child else work()


def obey(see: int) -> None:
    """Have this process, the child, say that it has seen the first Ctrl-C, ignore those that follow, and end with its
    parent.
    """
    ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL)

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, lambda *_: None)
        os.write(see, b"!")
        raise KeyboardInterrupt

    for number in (signal.SIGALRM, *FORWARDED):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, interrupt)


@dataclass
class ChildWatch:
    """What the parent knows of the child.

    Parameters
    ----------
    seen : int
        The end of a pipe that can be read once the child has seen Ctrl-C.
    child : int
        The child's process; 0 before there is one, after it, and in the child.
    interrupted : bool
        Whether Ctrl-C was pressed.
    ended : bool
        Whether the parent had to end the child.
    """

    seen: int
    child: int = 0
    interrupted: bool = False
    ended: bool = False

    def begin(self) -> None:
        """Take care of the signals."""
        signal.signal(signal.SIGINT, self.interrupt)
        signal.signal(signal.SIGALRM, self.check)
        for number in FORWARDED:
            signal.signal(number, self.forward)

    def send(self, number: int) -> None:
        """Send a signal to the child, which may have ended already."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, number)

    def forward(self, number: int, frame: FrameType | None) -> None:
        """Pass a signal on that ends the child, and this process with it; before there is a child, end alone."""
        if self.child:
            self.send(number)
        else:
            end_by(number)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Pass the first Ctrl-C on, since not only a terminal sends it; end the child at the second."""
        if self.interrupted and self.child:
            self.kill()
        elif not self.interrupted:
            self.interrupted = True
            self.pass_on()

    def pass_on(self) -> None:
        """Pass Ctrl-C on and give the child some time; before there is a child, do nothing yet."""
        if self.child:
            self.send(signal.SIGINT)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    def check(self, number: int, frame: FrameType | None) -> None:
        """End the child unless it has seen Ctrl-C."""
        if self.child and not select.select([self.seen], [], [], 0)[0]:
            self.kill()

    def kill(self) -> None:
        """End the child."""
        self.ended = True
        self.send(signal.SIGKILL)

    def end(self) -> int:
        """Wait for the child and return its exit code; tell in a line what it cannot tell itself."""
        if self.interrupted:  # when it was not there yet
            self.pass_on()
        _, status = os.waitpid(self.child, 0)
        self.child = 0
        signal.setitimer(signal.ITIMER_REAL, 0)
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return code
        if self.ended or -code == signal.SIGINT:
            return tell("interrupted", ExitCode.INTERRUPTED)
        if -code == signal.SIGKILL:
            return tell("the system ended the process, as it does where memory is short", ExitCode.NO_ROOM)
        if -code in FORWARDED:
            end_by(-code)
        return tell(f"the process was ended by {signal.Signals(-code).name}", ExitCode.BUG)


def end_by(number: int) -> None:
    """End this process by a signal, so that whoever sent it sees that it was obeyed."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def tell(message: str, code: int) -> int:
    """Tell a line on stderr, where there may be a progress bar and no cursor."""
    tidy = "\r\x1b[2K\x1b[?25h" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{tidy}algatt: {message}\n")
    return code
