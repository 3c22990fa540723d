"""Runs of a flow: drawings of tokens and of what changes over time, pages that play them, and their files."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.flows.films import film as film
    from algatt.views.flows.over_time import draw_clusters as draw_clusters
    from algatt.views.flows.over_time import draw_dominance as draw_dominance
    from algatt.views.flows.over_time import draw_energies as draw_energies
    from algatt.views.flows.over_time import draw_entropies as draw_entropies
    from algatt.views.flows.over_time import draw_shadows as draw_shadows
    from algatt.views.flows.projection import positions as positions
    from algatt.views.flows.run import run_figure as run_figure
    from algatt.views.flows.styles import BOX as BOX
    from algatt.views.flows.styles import INK as INK
    from algatt.views.flows.styles import SIZE as SIZE
    from algatt.views.flows.tokens import draw_tokens as draw_tokens

on_demand(__name__)
