"""The verifier of certificates: the standard library, python-flint, and these files, which can be joined into one."""
