"""Certificates of the format "algatt dimension certificate", versions 1 to 3: dimensions of `Lightning` and
`Normalized`, with a chain rule that was written for them.

This folder goes on 2027-12-31; what replaced it is in the other folders beside it, and is for all networks.
"""

from algatt.certificates.version_1 import verify as verify
from algatt.certificates.version_1.certificate import FORMAT, DimensionCertificate, certificate_in

__all__ = ["FORMAT", "DimensionCertificate", "certificate_in"]
