"""The rank of the Lie algebra that the gradients of a network generate.

`gradient_algebra` takes brackets of the vector fields of `gradient_fields`, modulo a prime, with residues for functions
of one variable; or of `real_fields`, at a real point by balls.
"""
