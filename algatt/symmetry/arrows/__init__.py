"""Redundancy that types do not show, as arrows to fewer numbers: gains, biases, means, the unseen, and mixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.symmetry.arrows.folded import FoldedElement as FoldedElement
    from algatt.symmetry.arrows.folding import Folding as Folding
    from algatt.symmetry.arrows.gains import Fold as Fold
    from algatt.symmetry.arrows.gains import Gain as Gain
    from algatt.symmetry.arrows.gains import GainSymmetry as GainSymmetry
    from algatt.symmetry.arrows.gains import fold_gains as fold_gains
    from algatt.symmetry.arrows.mixtures import MixtureElement as MixtureElement
    from algatt.symmetry.arrows.mixtures import MixtureSymmetry as MixtureSymmetry
    from algatt.symmetry.arrows.norm_biases import NormBias as NormBias
    from algatt.symmetry.arrows.norm_biases import NormBiasElement as NormBiasElement
    from algatt.symmetry.arrows.norm_biases import NormBiasSymmetry as NormBiasSymmetry
    from algatt.symmetry.arrows.norm_biases import find_norm_biases as find_norm_biases
    from algatt.symmetry.arrows.shifts import ShiftElement as ShiftElement
    from algatt.symmetry.arrows.shifts import ShiftSymmetry as ShiftSymmetry
    from algatt.symmetry.arrows.sight import Unseen as Unseen
    from algatt.symmetry.arrows.sight import find_unseen as find_unseen
    from algatt.symmetry.arrows.stretched import find_stretches as find_stretches
    from algatt.symmetry.arrows.stretches import Stretch as Stretch
    from algatt.symmetry.arrows.stretches import StretchElement as StretchElement
    from algatt.symmetry.arrows.stretches import StretchSymmetry as StretchSymmetry
    from algatt.symmetry.arrows.terms import Mixture as Mixture
    from algatt.symmetry.arrows.terms import find_mixtures as find_mixtures
    from algatt.symmetry.arrows.unseen import UnseenElement as UnseenElement
    from algatt.symmetry.arrows.unseen import UnseenSymmetry as UnseenSymmetry

on_demand(
    __name__,
    {
        "algatt.symmetry.arrows.folded": "FoldedElement",
        "algatt.symmetry.arrows.folding": "Folding",
        "algatt.symmetry.arrows.gains": "Fold Gain GainSymmetry fold_gains",
        "algatt.symmetry.arrows.mixtures": "MixtureElement MixtureSymmetry",
        "algatt.symmetry.arrows.norm_biases": "NormBias NormBiasElement NormBiasSymmetry find_norm_biases",
        "algatt.symmetry.arrows.sight": "Unseen find_unseen",
        "algatt.symmetry.arrows.shifts": "ShiftElement ShiftSymmetry",
        "algatt.symmetry.arrows.stretched": "find_stretches",
        "algatt.symmetry.arrows.stretches": "Stretch StretchElement StretchSymmetry",
        "algatt.symmetry.arrows.terms": "Mixture find_mixtures",
        "algatt.symmetry.arrows.unseen": "UnseenElement UnseenSymmetry",
    },
)
