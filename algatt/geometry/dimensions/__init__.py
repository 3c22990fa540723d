"""How many independent directions the functions of a network have: bounds from both sides, floats, formulas."""
