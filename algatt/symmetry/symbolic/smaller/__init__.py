"""Networks made smaller, which tell the symmetries of larger ones."""
