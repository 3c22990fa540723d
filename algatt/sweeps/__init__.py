"""Sweeps: one question of many architectures, recorded and resumed, and the formula behind the answers."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.sweeps.answer import Answer as Answer
    from algatt.sweeps.expected import expected_value as expected_value
    from algatt.sweeps.expressions import Expression as Expression
    from algatt.sweeps.family import Family as Family
    from algatt.sweeps.family import Member as Member
    from algatt.sweeps.formulas import FittedFormula as FittedFormula
    from algatt.sweeps.formulas import fit_formula as fit_formula
    from algatt.sweeps.plan import Plan as Plan
    from algatt.sweeps.plan import read_plan as read_plan
    from algatt.sweeps.store import Row as Row
    from algatt.sweeps.store import Store as Store
    from algatt.sweeps.sweep import Sweep as Sweep
    from algatt.sweeps.sweep import frame_of as frame_of
    from algatt.sweeps.sweep import sweep as sweep
    from algatt.sweeps.versions import VersionPair as VersionPair
    from algatt.sweeps.versions import compare_versions as compare_versions

on_demand(__name__)
