"""Datasets of the ranking benchmarks, and how MELO datasets are built."""
