"""Benchmarks: datasets, systems, the scoreboard, retrieval, and the speed of the linker."""
