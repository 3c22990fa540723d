"""Certificates: made from the evidence of a report, verified by code that imports nothing else of the package."""

from algatt.loading import load_below

load_below(__name__)

from algatt.certificates import make, verify
from algatt.certificates.certificate import Certificate
from algatt.certificates.report import VerificationReport
from algatt.verbs import certify, verify

__all__ = [
    "Certificate",
    "VerificationReport",
    "certify",
    "make",
    "verify",
]
