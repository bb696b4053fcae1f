"""Experiments of the papers and of the design."""
