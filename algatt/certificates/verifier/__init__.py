"""The verifier of certificates: it interprets the program that a certificate carries, and knows no network.

Its files import the standard library, FLINT and each other, and nothing that makes a claim; joined, they are one file
that stands alone.
"""
