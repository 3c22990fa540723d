"""Certificates made of reports, of families of symmetries and of answers about two points."""
