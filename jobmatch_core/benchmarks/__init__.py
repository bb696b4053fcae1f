"""Benchmarks: datasets, systems, the scoreboard, the papers' experiments, and speed."""
