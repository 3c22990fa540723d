"""Who works for a sweep: this process, processes of this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import multiprocessing
import queue
import signal
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from algatt.errors import InvalidArgument
from algatt.schedulers import ANSWER_SECONDS, connected
from algatt.sweeps.work import Outcome, Task, do, prepare

MOST_ENDS = 2
"""A question whose process ends so often, while it is the only one that is asked, is recorded as failed."""

CHECK_SECONDS = 5.0
"""So often it is looked whether anybody is at work."""

ALONE_SECONDS = 60.0
"""A scheduler may be without workers for so long: they come and go."""


class Crew(ABC):
    """Something with an executor of `concurrent.futures`, which can be begun anew when it breaks."""

    executor: Executor

    @property
    @abstractmethod
    def window(self) -> int:
        """How many questions are handed over at one time, so that nobody waits for the next."""

    def submit(self, task: Task) -> Future[Outcome]:
        """Hand a question over."""
        return self.executor.submit(do, task)

    def check(self) -> None:
        """Raise an error if nobody is at work, and nobody will come."""
        return

    @abstractmethod
    def begin(self) -> None:
        """Make the executor, in the place of one that is broken if there is one."""

    @abstractmethod
    def end(self, *, now: bool) -> None:
        """End it; ``now`` if what is asked has to end too."""


class Processes(Crew):
    """Processes of this machine.

    Parameters
    ----------
    count : int
        How many.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.others: set[Any] = set(multiprocessing.active_children())
        self.begin()

    @property
    def window(self) -> int:
        return 4 * self.count

    def begin(self) -> None:
        self.executor = ProcessPoolExecutor(
            self.count, mp_context=multiprocessing.get_context("spawn"), initializer=prepare
        )

    def submit(self, task: Task) -> Future[Outcome]:
        if not hasattr(signal, "pthread_sigmask"):
            return super().submit(task)
        # a process may be started here, and has what is blocked here: Ctrl-C is the parent's from its first moment
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            return super().submit(task)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def end(self, *, now: bool) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        if now:
            for child in set(multiprocessing.active_children()) - self.others:
                child.kill()


class DaskWorkers(Crew):
    """The workers of a Dask scheduler, which may be on other machines.

    Parameters
    ----------
    address : str or distributed.Client or LocalCluster
        Where the scheduler is, such as ``tcp://192.168.1.5:8786``, or what Dask's `Client` takes instead.

    Raises
    ------
    MissingExtra
        If Dask is not installed.
    InvalidArgument
        If the scheduler does not answer; later, if it is gone or has no workers for a minute.
    """

    def __init__(self, address: Any) -> None:
        self.client = connected(address)
        self.address, self.threads, self.seen = address, 0, time.monotonic()
        self.check()
        self.begin()

    @property
    def window(self) -> int:
        return 4 * max(1, self.threads)

    def submit(self, task: Task) -> Future[Outcome]:
        while self.client.status != "running":  # the client connects again by itself, if there is somebody
            self.check()
            time.sleep(CHECK_SECONDS / 20)
        return super().submit(task)

    def check(self) -> None:
        running = self.client.status == "running"
        self.threads = sum(self.client.nthreads().values()) if running else 0
        if self.threads:
            self.seen = time.monotonic()
        elif time.monotonic() - self.seen > ALONE_SECONDS:
            what = "has no workers" if running else "is gone"
            was = f"{self.address!r}, which {what} for {ALONE_SECONDS:g} s"
            raise InvalidArgument("scheduler", was, "one with workers; what was answered is recorded")

    def begin(self) -> None:
        # what is asked is a function of its arguments, but two of the same are two all the same
        self.executor = self.client.get_executor(pure=False)

    def end(self, *, now: bool) -> None:
        self.executor.shutdown(wait=False)
        self.client.close(timeout=ANSWER_SECONDS)


@dataclass
class Job:
    """A question on its way."""

    number: int
    task: Task
    ends: int = 0
    attempts: int = 0
    alone: bool = False


def outcomes(tasks: Iterable[Task], crew: Crew | None) -> Iterator[tuple[int, int, Outcome]]:
    """Iterate over questions as they are answered: the number of each, how often it was asked, and what came of it.

    When a process ends before it has answered, everything that was asked at that moment is asked again, one question
    at a time, so that the one that ends processes is found.
    """
    if crew is None:
        for number, task in enumerate(tasks):
            yield number, 1, do(task)
        return
    finished = False
    try:
        yield from crew_outcomes(deque(Job(number, task) for number, task in enumerate(tasks)), crew)
        finished = True
    finally:
        crew.end(now=not finished)


def crew_outcomes(waiting: deque[Job], crew: Crew) -> Iterator[tuple[int, int, Outcome]]:
    """Hand questions over and iterate over what comes back."""
    suspects: deque[Job] = deque()
    flying: dict[Future[Outcome], Job] = {}
    landed: queue.SimpleQueue[Future[Outcome]] = queue.SimpleQueue()
    due = time.monotonic() + CHECK_SECONDS
    while waiting or suspects or flying:
        alone = bool(suspects)
        source, window = (suspects, 1) if alone else (waiting, crew.window)
        while source and len(flying) < window:
            job = source.popleft()
            try:
                future = crew.submit(job.task)
            except BrokenExecutor:  # a process ended while it had nothing to do
                source.appendleft(job)
                if flying:
                    break
                crew.begin()
                continue
            job.attempts, job.alone = job.attempts + 1, alone
            flying[future] = job
            future.add_done_callback(landed.put)
        if time.monotonic() >= due:
            crew.check()
            due = time.monotonic() + CHECK_SECONDS
        try:
            future = landed.get(timeout=CHECK_SECONDS)
        except queue.Empty:
            continue
        job = flying.pop(future)
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            yield job.number, job.attempts, future.result()
        elif not lost(error):
            told = " ".join(f"{type(error).__name__}: {error}".split())
            yield job.number, job.attempts, Outcome(None, told, 0.0, "")
        else:
            job.ends += job.alone
            if job.ends < MOST_ENDS:
                suspects.append(job)
            else:
                told = f"its process ended {job.attempts} times: it was killed, or there was not enough memory"
                told += "" if job.task.limit is None else ", or it did not end in time"
                yield job.number, job.attempts, Outcome(None, told, 0.0, "")
            if isinstance(error, BrokenExecutor) and not flying:
                crew.begin()


def lost(error: BaseException) -> bool:
    """Whether an error says that whoever was asked is gone."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker"
