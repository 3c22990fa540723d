"""Networks with exponentials, roots and gates at places modulo p."""
