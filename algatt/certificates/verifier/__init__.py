"""The verifier of certificates.

Its files import the standard library, python-flint and each other, and nothing else; nothing but `verify` imports them.
So they can be joined into one file that stands alone.
"""
