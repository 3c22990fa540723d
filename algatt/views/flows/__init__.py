"""Runs of a flow: drawings of tokens and of what changes over time, pages that play them, and their files."""

from algatt.views.flows.films import film
from algatt.views.flows.over_time import (
    check_heads,
    draw_clusters,
    draw_dominance,
    draw_energies,
    draw_entropies,
    draw_shadows,
)
from algatt.views.flows.projection import positions
from algatt.views.flows.run import run_figure
from algatt.views.flows.styles import BOX, INK, SIZE
from algatt.views.flows.tokens import draw_tokens

__all__ = [
    "BOX",
    "INK",
    "SIZE",
    "check_heads",
    "draw_clusters",
    "draw_dominance",
    "draw_energies",
    "draw_entropies",
    "draw_shadows",
    "draw_tokens",
    "film",
    "positions",
    "run_figure",
]
