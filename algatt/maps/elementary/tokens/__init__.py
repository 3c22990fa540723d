"""Networks that read tokens, at places modulo p: all inputs are constants, and are looked at together."""
