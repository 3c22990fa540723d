"""Everything that is printed or drawn."""
