"""What training sees: the quantities that gradient flow keeps, how they drift, and extremal weights.

`symmetric_motions` reads them off the program, `naming` writes them as laws (`law`), `brackets` of gradients bound
their number, and `conservation` compares the two. `large` has them as matrices, at any size. `drift` follows them along
a run, `extremal` finds where they vanish, or where gradients are longest (`teleportation`), by `exponentials` of
motions. `pseudo_dimension` bounds how many samples learning needs, `samples` counts those that determine a function.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.training.conservation import ConservationLaws as ConservationLaws
    from algatt.geometry.training.conservation import conservation_laws as conservation_laws
    from algatt.geometry.training.drift import Drift as Drift
    from algatt.geometry.training.drift import drift as drift
    from algatt.geometry.training.extremal import Extremal as Extremal
    from algatt.geometry.training.extremal import extremal as extremal
    from algatt.geometry.training.law import ConservationLaw as ConservationLaw
    from algatt.geometry.training.pseudo_dimension import PseudoDimension as PseudoDimension

on_demand(__name__)
