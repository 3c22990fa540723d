"""Certificates of dimensions: made from a report, verified by code of their own."""

from algatt.loading import load_below

load_below(__name__)

from algatt.certificates import make
from algatt.certificates.certificate import Certificate
from algatt.certificates.verify import VerificationReport
from algatt.verbs import certify, verify

__all__ = [
    "Certificate",
    "VerificationReport",
    "certify",
    "make",
    "verify",
]
