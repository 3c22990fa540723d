"""Whether two points are one function: the group element that carries one to the other, normal forms, values that
differ.
"""
