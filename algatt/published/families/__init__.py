"""The families of published models, one file for each."""
