"""Readings: further ways to write a title, beside its forms; `kinds` has the table of kinds."""
