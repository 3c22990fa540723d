"""Redundancy that types do not show, as arrows to fewer numbers: gains, biases, means, the unseen, and mixtures."""

from algatt.symmetry.arrows import members
from algatt.symmetry.arrows.folded import FoldedElement
from algatt.symmetry.arrows.folding import Folding
from algatt.symmetry.arrows.gains import Fold, Gain, GainSymmetry, fold_gains
from algatt.symmetry.arrows.mixtures import MixtureElement, MixtureSymmetry
from algatt.symmetry.arrows.norm_biases import NormBias, NormBiasElement, NormBiasSymmetry, find_norm_biases
from algatt.symmetry.arrows.shifts import Shift, ShiftElement, ShiftSymmetry, find_shifts
from algatt.symmetry.arrows.stretched import find_stretches
from algatt.symmetry.arrows.stretches import Stretch, StretchElement, StretchSymmetry
from algatt.symmetry.arrows.terms import Mixture, find_mixtures
from algatt.symmetry.arrows.unseen import Unseen, UnseenElement, UnseenSymmetry, find_unseen

__all__ = [
    "Fold",
    "FoldedElement",
    "Folding",
    "Gain",
    "GainSymmetry",
    "Mixture",
    "MixtureElement",
    "MixtureSymmetry",
    "NormBias",
    "NormBiasElement",
    "NormBiasSymmetry",
    "Shift",
    "ShiftElement",
    "ShiftSymmetry",
    "Stretch",
    "StretchElement",
    "StretchSymmetry",
    "Unseen",
    "UnseenElement",
    "UnseenSymmetry",
    "find_mixtures",
    "find_norm_biases",
    "find_shifts",
    "find_stretches",
    "find_unseen",
    "fold_gains",
    "members",
]
