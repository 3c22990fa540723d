"""The verifier of certificates, which shares no code with what makes them.

Its files import the standard library, python-flint and each other, and nothing else; so they can be joined into one
file that stands alone.
"""
