"""Collecting the states of a run, with what is measured at them, and writing them to a checkpoint from time to time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from algatt.dynamics.energy import unchecked_energy
from algatt.dynamics.entropy import unchecked_entropy
from algatt.dynamics.flow import Flow
from algatt.dynamics.shadow import dominance_margins, shadows
from algatt.dynamics.trajectory import ARRAYS, Trajectory
from algatt.dynamics.velocity import seen, unchecked_outputs
from algatt.errors import OutputError
from algatt.files import check_writable

CHECKPOINT_SECONDS = 60.0
"""Seconds between two checkpoints."""


MOST = 2048
"""States that a run records unless samples are given."""


class TrajectoryRecorder:
    """The part of a trajectory that is there so far.

    Parameters
    ----------
    flow : Flow
        What drives the tokens.
    previous : Trajectory, optional
        What goes before.
    checkpoint : path, optional
        A file to which the trajectory so far is written.
    """

    def __init__(
        self, flow: Flow, previous: Trajectory | None = None, checkpoint: str | os.PathLike[str] | None = None
    ) -> None:
        self.flow = flow
        self.checkpoint = checkpoint
        self.rows: list[dict[str, np.ndarray]] = [] if previous is None else rows_of(previous)
        self.begun = len(self.rows)
        self.stride = 0
        self.reached: tuple[float, np.ndarray] | None = None
        self.step = 0.0 if previous is None else previous.step
        self.steps = 0 if previous is None else previous.steps
        self.evaluations = 0 if previous is None else previous.evaluations
        self.departure = 0.0 if previous is None else previous.departure
        self.noise, self.seed = (0.0, 0) if previous is None else (previous.noise, previous.seed)
        self.methods = [] if previous is None else list(previous.methods)
        self.written = time.monotonic()

    def add(self, moment: float, state: np.ndarray) -> None:
        """Record a state, in place of the last one if no float is between their times."""
        if self.rows and moment <= self.rows[-1]["times"]:
            self.rows.pop()
        self.rows.append(self.measured(moment, state))

    def thin(self, refinement: int) -> None:
        """Drop most of the states of this run if there are too many of them: first those inside of steps, then every
        second one, and record fewer from then on. What went before the run is kept.
        """
        if len(self.rows) - self.begun > MOST:
            kept = refinement if self.stride == 0 else 2
            self.stride = 1 if self.stride == 0 else 2 * self.stride
            self.rows[self.begun :] = self.rows[self.begun :: kept]

    def use(self, moment: float, method: str) -> None:
        """Note the method of the steps from a time on."""
        if not self.methods or self.methods[-1][1] != method:
            self.methods.append((moment, method))

    def measured(self, moment: float, state: np.ndarray) -> dict[str, np.ndarray]:
        """Return a state with what a trajectory has at it."""
        tokens = seen(self.flow, state)
        with np.errstate(over="ignore", invalid="ignore"):
            outputs = unchecked_outputs(self.flow, tokens)
            measured = {"shadows": shadows(tokens, outputs), "margins": dominance_margins(self.flow, tokens, outputs)}
        measured |= {"energies": unchecked_energy(self.flow, tokens), "entropies": unchecked_entropy(self.flow, tokens)}
        return {"times": np.array(moment, dtype=np.float64), "states": state.copy(), **measured}

    def reach(self, moment: float, state: np.ndarray) -> None:
        """Note how far the run has come, which is kept if it stops there, and write a checkpoint if it is
        time for one.
        """
        self.reached = (moment, state)
        if time.monotonic() - self.written >= CHECKPOINT_SECONDS:
            self.write_checkpoint()

    def write_checkpoint(self) -> None:
        """Write what is recorded to the checkpoint, if there is to be one."""
        if self.checkpoint is not None:
            self.trajectory("unfinished").save(self.checkpoint)
        self.written = time.monotonic()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Write the run so far to the checkpoint if steps are cut off, by an interrupt too, and say so.

        Raises
        ------
        OutputError
            If the checkpoint cannot be written, before the steps.
        """
        if self.checkpoint is not None:
            check_writable(self.checkpoint)
        try:
            yield
        except BaseException as error:
            try:
                self.write_checkpoint()
            except OutputError as problem:  # which must not hide the error that has the run so far
                if not isinstance(error, OutputError):
                    error.add_note(str(problem))
            else:
                if self.checkpoint is not None:
                    error.add_note(f"the run so far is in {os.fspath(self.checkpoint)}")
            raise

    def trajectory(self, ending: str) -> Trajectory:
        """Return what is recorded, and for a run that is unfinished how far it has come, which may lie beyond the last
        state that was asked for.
        """
        rows = self.rows
        if ending == "unfinished" and self.reached is not None and self.reached[0] > rows[-1]["times"]:
            rows = [*rows, self.measured(*self.reached)]
        values: dict[str, Any] = {name: np.stack([row[name] for row in rows]) for name in ARRAYS}
        values |= {"step": self.step, "steps": self.steps, "evaluations": self.evaluations, "departure": self.departure}
        values |= {"methods": tuple(self.methods), "noise": self.noise, "seed": self.seed}
        return Trajectory(self.flow, ending=ending, **values)


def rows_of(trajectory: Trajectory) -> list[dict[str, np.ndarray]]:
    """Return the states of a trajectory one by one, each with what was measured at it."""
    return [{name: getattr(trajectory, name)[k] for name in ARRAYS} for k in range(len(trajectory.times))]
