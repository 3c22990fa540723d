"""The verifier of certificates.

Its files import the standard library, python-flint and each other, and nothing else; so they can be joined into one
file that stands alone. What makes certificates calls it, to see whether a claim would be accepted.
"""
