"""Parameters from values or coefficients: exact, or over the reals with the error that every step can have made.

From coefficients: `membership`, with `rational_weights` and `violation`. From values: `identify` has the question and
its answer over GF(p), with the steps `two_layers` and `factor`. Over the reals, `over_reals` finds a network by least
squares and Newton steps (`fitting`), and refutes with bounds of errors alone (`noise`, `near_first_layer`,
`near_second_layer`, `near_factors`).
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.identification.identification import Identification as Identification
    from algatt.geometry.identification.identify import identify as identify

on_demand(__name__)
