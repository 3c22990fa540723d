"""A run of a flow: states with what was measured at them, saved and loaded."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.display import Rows, Summary, Worth
from algatt.dynamics.flow import FlatFlow, Flow, PreNormFlow, SphereFlow
from algatt.dynamics.heads import Head
from algatt.dynamics.steppers import METHODS, STOCHASTIC
from algatt.errors import InvalidArgument
from algatt.files import read_arrays, shorten, write_atomically
from algatt.layers.description import describe, noun_of
from algatt.loading import load_methods
from algatt.plain import plain, written
from algatt.verbs.views import Summarized

ENDINGS = ("until", "clustered", "stationary", "undecided", "unfinished")
"""Why a trajectory ends: the time was over, an event, rounding decides where tokens at rest go,
or it is a checkpoint of a run that was going on.
"""

FORMAT = "algatt trajectory 1"
"""What a file says that it holds."""

ARRAYS = ("times", "states", "energies", "shadows", "margins", "entropies")
"""The names of the arrays of a trajectory; all have the times as their first axis."""

WRITTEN = (
    "status tokens dimension ending step steps evaluations departure methods noise seed "
    "times energies total_energies mean_entropies least_margin"
)
"""The attributes that are written as JSON."""


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Summarized):
    """States of a flow at increasing times, with the quantities of its heads. Numerical.

    Parameters
    ----------
    flow : Flow
        What drives the tokens.
    times : numpy.ndarray
        Shape (T,).
    states : numpy.ndarray
        Shape (T, d, n): the tokens as columns.
    energies : numpy.ndarray
        Shape (T, H): the energy of each head; infinite where that of a softmax flow overflows.
    shadows, margins : numpy.ndarray
        Shape (T, H, n): radial shadows, and the margins of radial dominance, NaN or infinite where squares of shadows
        overflow.
    entropies : numpy.ndarray
        Shape (T, H, n): the entropy of attention of each token.
    ending : str
        Why it ends: "until", "clustered", "stationary", or "unfinished" for a checkpoint.
    step : float
        The length of the step that would come next, with which `resume` begins.
    steps, evaluations : int
        How many steps and velocities it took.
    departure : float
        The largest difference from 1 of a token's length after a step, before it was projected back to the sphere; 0 in
        the flat space.
    methods : tuple of (float, str), optional
        The methods of scipy that took the steps, each with the time from which on; "Heun" of a run with noise.
    noise : float, optional
        The strength of the noise, as for `diffuse`; 0, unless given.
    seed : int, optional
        What names it.
    """

    flow: Flow
    times: np.ndarray
    states: np.ndarray
    energies: np.ndarray
    shadows: np.ndarray
    margins: np.ndarray
    entropies: np.ndarray
    ending: str
    step: float
    steps: int
    evaluations: int
    departure: float
    methods: tuple[tuple[float, str], ...] = ()
    noise: float = 0.0
    seed: int = 0

    status = "numerical"

    def __post_init__(self) -> None:
        shapes = self.expected_shapes()
        for name in ARRAYS:
            array = getattr(self, name)
            if array.shape != shapes[name]:
                raise InvalidArgument(name, f"of shape {array.shape}", f"of shape {shapes[name]}")
            if array.dtype != np.float64:
                raise InvalidArgument(name, f"of the type {array.dtype}", "of float64")
            array.setflags(write=False)
        if 0 in self.states.shape or not np.isfinite(self.states).all():
            raise InvalidArgument(
                "states", f"of shape {self.states.shape}, empty or not finite", "of at least one finite state"
            )
        if not (np.isfinite(self.times).all() and (np.diff(self.times) > 0).all()):
            raise InvalidArgument("times", "not increasing", "finite and increasing")
        if not 0.0 <= self.step < math.inf:
            raise InvalidArgument("step", f"{self.step!r}", "finite and not negative")

    def expected_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes that the arrays should have, by the times, the states and the heads."""
        T, H = len(self.times), len(self.flow.heads)
        d, n = self.states.shape[1:] if self.states.ndim == 3 else (0, 0)
        tokens = (T, H, n)
        return {
            "times": (T,),
            "states": (T, d, n),
            "energies": (T, H),
            "shadows": tokens,
            "margins": tokens,
            "entropies": tokens,
        }

    @property
    def total_energies(self) -> np.ndarray:
        """The sums of the energies over the heads, of shape (T,)."""
        return self.energies.sum(axis=1)

    @property
    def mean_entropies(self) -> np.ndarray:
        """The means of the entropies over heads and tokens, of shape (T,)."""
        return self.entropies.mean(axis=(1, 2))

    @property
    def least_margin(self) -> float:
        """The least margin of radial dominance, of all heads and tokens at all times."""
        return float(self.margins.min())

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return int(self.states.shape[2])

    @property
    def dimension(self) -> int:
        """The dimension of a token."""
        return int(self.states.shape[1])

    @property
    def final(self) -> np.ndarray:
        """The last state."""
        return self.states[-1]

    def __repr__(self) -> str:
        _, d, n = self.states.shape
        return (
            f"Trajectory({n} tokens in dimension {d}, {len(self.times)} states up to t = {self.times[-1]:.6g}, "
            f"ending {self.ending!r})"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trajectory with its flow to an .npz file, which `load_trajectory` reads.

        Raises
        ------
        OutputError
            If the path cannot be written; nothing is half-written.
        """
        write_atomically(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """Return the content of the file that `save` writes."""
        buffer = io.BytesIO()
        names = (*ARRAYS, "ending", "step", "steps", "evaluations", "departure")
        arrays: dict[str, Any] = {
            "format": FORMAT,
            **({"noise": self.noise, "seed": str(self.seed)} if self.noise else {}),
            "method_times": np.array([moment for moment, _ in self.methods], dtype=np.float64),
            "method_names": np.array([name for _, name in self.methods], dtype=np.str_),
            **{name: getattr(self, name) for name in names},
            **pack_flow(self.flow),
        }
        np.savez(buffer, **arrays)
        return buffer.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return what is not an array of all tokens as plain values for JSON."""
        flow = {**plain(self.flow), "weights": describe(self.flow.weights)}
        return {"flow": flow, **written(self, WRITTEN)}


def check_without_noise(trajectory: Trajectory) -> None:
    """Raise `InvalidArgument` if a run has noise: between its states nothing is known."""
    if trajectory.noise:
        raise InvalidArgument("trajectory", f"a run with the noise {trajectory.noise:g}", "one without")


def pack_flow(flow: Flow) -> dict[str, np.ndarray]:
    """Return a flow as named arrays."""
    packed = {
        "flow": type(flow).__name__,
        "weights": json.dumps(describe(flow.weights)),
        "heads": [type(head).__name__ for head in flow.heads],
    }
    arrays = {name: np.array(value) for name, value in packed.items()}
    arrays["beta"] = np.array(flow.beta)
    if flow.mask is not None:
        arrays["mask"] = np.array(json.dumps(describe(flow.mask)))
    for number, head in enumerate(flow.heads):
        arrays |= {
            f"head_{number}_{field.name}": np.array(getattr(head, field.name)) for field in dataclasses.fields(head)
        }
    return arrays


def unpack_flow(arrays: Mapping[str, np.ndarray]) -> Flow:
    """Return the flow that `packed_flow` packed.

    Raises
    ------
    KeyError
        If a name is missing or unknown.
    """
    load_methods(("dynamics",))  # and with them all heads
    kinds = {kind.__name__: kind for kind in Head.__subclasses__()}
    flows: dict[str, type[Flow]] = {kind.__name__: kind for kind in (SphereFlow, FlatFlow, PreNormFlow)}
    heads = []
    for number, name in enumerate(arrays["heads"].tolist()):
        kind = kinds[name]
        values = {field.name: arrays[f"head_{number}_{field.name}"] for field in dataclasses.fields(kind)}
        heads.append(kind(**{name: float(value) if value.shape == () else value for name, value in values.items()}))
    mask = noun_of(json.loads(str(arrays["mask"]))) if "mask" in arrays else None
    weights, beta = noun_of(json.loads(str(arrays["weights"]))), float(arrays["beta"])
    return flows[str(arrays["flow"])](tuple(heads), weights, beta, mask)


def methods_of(arrays: Mapping[str, np.ndarray]) -> tuple[tuple[float, str], ...]:
    """Return the methods that took the steps, which files of earlier versions do not have."""
    if "method_times" not in arrays:
        return ()
    moments, names = arrays["method_times"].tolist(), arrays["method_names"].tolist()
    if not set(names) <= {*METHODS, STOCHASTIC}:
        raise ValueError(f"the methods {names}")
    return tuple((float(moment), str(name)) for moment, name in zip(moments, names, strict=True))


def load_trajectory(path: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory that `Trajectory.save`, a checkpoint or ``algatt flow -o run.npz`` wrote.

    Raises
    ------
    InvalidArgument
        If the file cannot be read or holds no trajectory.
    """
    name, should = repr(os.fspath(path)), "an .npz file of a trajectory"
    arrays = read_arrays(path, should)
    try:
        if str(arrays["format"]) != FORMAT or str(arrays["ending"]) not in ENDINGS:
            raise KeyError("format")
        flow = unpack_flow(arrays)
        numbers = (("step", float), ("steps", int), ("evaluations", int), ("departure", float))
        values: dict[str, Any] = {name: arrays[name] for name in ARRAYS} | {
            name: kind(arrays[name]) for name, kind in numbers
        }
        values |= {"noise": float(arrays.get("noise", 0.0)), "seed": int(str(arrays.get("seed", "0")))}
        return Trajectory(flow, ending=str(arrays["ending"]), methods=methods_of(arrays), **values)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InvalidArgument(
            "path", f"{name}, which holds no trajectory ({shorten(str(error), 200)})", should
        ) from error


@verbs.summarize.method
def summary_of_trajectory(trajectory: Trajectory) -> Summary:
    flow, (_, dimension, tokens) = trajectory.flow, trajectory.states.shape
    mask = "" if flow.mask is None else f", {flow.mask!r}"
    noise = f", noise {trajectory.noise:g} with the seed {trajectory.seed}" if trajectory.noise else ""
    reason = ": the tokens were at rest up to rounding, which decides where they go" * (
        trajectory.ending == "undecided"
    )
    reached = "reached" if trajectory.ending == "until" else f"{trajectory.ending} at"
    rows: Rows = [
        ("flow", f"{type(flow).__name__}, {flow.weights!r}, beta = {flow.beta:g}{mask}{noise}"),
        ("ending", f"{reached} t = {trajectory.times[-1]:.6g}, after {trajectory.steps} steps{reason}"),
    ]
    if len(trajectory.methods) > 1:
        used = (f"{name} from t = {moment:.6g}" for moment, name in trajectory.methods[1:])
        rows.append(("method", ", ".join((trajectory.methods[0][1], *used))))
    rows.append(("total energy", f"{trajectory.total_energies[0]:.6g} to {trajectory.total_energies[-1]:.6g}"))
    energies = list(zip(trajectory.energies[0], trajectory.energies[-1], strict=True))
    rows += [(f"  - head {h}", f"{start:.6g} to {end:.6g}") for h, (start, end) in enumerate(energies, start=1)]
    rows.append(("mean entropy", f"{trajectory.entropies[0].mean():.6g} to {trajectory.entropies[-1].mean():.6g}"))
    rows.append(("least margin", f"{trajectory.margins.min():.6g} of radial dominance"))
    return Summary(
        f"{tokens} tokens in dimension {dimension}, {len(energies)} head{'s' * (len(energies) > 1)}",
        rows,
        Worth("numerical"),
    )
