"""Certificates made of reports."""
