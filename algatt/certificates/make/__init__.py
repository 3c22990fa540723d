"""Certificates made of reports."""

from algatt.certificates.make import dimension

__all__ = ["dimension"]
