"""Certificates: made from the evidence of a report, verified by code that imports nothing else of the package."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.certificates.certificate import Certificate as Certificate
    from algatt.certificates.report import VerificationReport as VerificationReport
    from algatt.verbs import certify as certify
    from algatt.verbs import verify as verify

on_demand(__name__)
