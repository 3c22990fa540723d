"""Sweeps: one question of many architectures, recorded and resumed, and the formula behind the answers."""

from algatt.sweeps.answer import Answer
from algatt.sweeps.expected import expected_value
from algatt.sweeps.expressions import Expression
from algatt.sweeps.family import Family, Member
from algatt.sweeps.formulas import FittedFormula, fit_formula
from algatt.sweeps.plan import Plan, read_plan
from algatt.sweeps.questions import QUESTIONS
from algatt.sweeps.store import Row, Store
from algatt.sweeps.sweep import Sweep, frame_of, sweep
from algatt.sweeps.versions import Pair, compare_versions

__all__ = [
    "QUESTIONS",
    "Answer",
    "Expression",
    "Family",
    "FittedFormula",
    "Member",
    "Pair",
    "Plan",
    "Row",
    "Store",
    "Sweep",
    "compare_versions",
    "expected_value",
    "fit_formula",
    "frame_of",
    "read_plan",
    "sweep",
]
