"""All points of one function: fibres, what each coordinate system forgets, orbits, and kernels that no symmetry
explains.
"""
