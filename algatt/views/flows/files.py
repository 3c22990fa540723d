"""A run of a flow as a file, in the format that the file's suffix names."""

from __future__ import annotations

import os

from algatt.dynamics import Flow, Trajectory
from algatt.files import write_atomically
from algatt.views.plotting import PICTURES, check_installed, check_picture, render

FILMS = ("gif", "mp4")
"""The formats of films."""

SUFFIXES = ("html", *PICTURES, "npz", *FILMS)
"""The suffixes of the files that `write` writes."""


def check_target(path: str | os.PathLike[str], flow: Flow) -> str:
    """Return the format of a path, or raise an error now if `write` could not write a run of a flow there later.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, or the flow has too many heads for a picture.
    OutputError
        If the path cannot be written.
    """
    suffix = check_picture(path, SUFFIXES)
    check_kind(suffix, flow)
    return suffix


def check_kind(kind: str, flow: Flow) -> None:
    """Raise an error now if a run of a flow could not be drawn in a format later."""
    if kind in PICTURES or kind in FILMS:
        from algatt.views.flows.over_time import check_heads

        check_installed()
        check_heads(flow)
    if kind in FILMS:
        from algatt.views.flows.films import check_writer

        check_writer(kind)


def content(trajectory: Trajectory, kind: str, *, theme: str = "light") -> bytes:
    """Return what `write` writes, in one of the formats `SUFFIXES`; films can have the ground of a theme."""
    if kind in FILMS:
        from algatt.views.flows.films import film

        return film(trajectory, kind, theme=theme)
    if kind in PICTURES:
        from algatt.views.flows.run import run_figure

        return render(run_figure(trajectory), kind)
    if kind == "html":
        from algatt.views.flows.page import page

        return page(trajectory).encode()
    return trajectory.to_bytes()


def write(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Write a run to a file, in the format that the suffix names: html, svg, pdf, png, gif, mp4 or npz.

    Parameters
    ----------
    trajectory : Trajectory
        What `algatt.dynamics.integrate` returned.
    path : str or path
        Where to; a file that is there is replaced, and unchanged if anything fails.

    Raises
    ------
    InvalidArgument
        If the suffix is unknown, there are too many heads for a picture, or the program of an mp4 is not installed.
    OutputError
        If the path cannot be written.
    MissingExtra
        If a picture is asked for and matplotlib is not installed.
    """
    write_atomically(path, content(trajectory, check_target(path, trajectory.flow)))
