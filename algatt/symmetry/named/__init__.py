"""Families of spaces with names of their own, as HMK give them."""
