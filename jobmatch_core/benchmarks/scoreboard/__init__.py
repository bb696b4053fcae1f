"""Evaluation runs, their results, and the scoreboard beside the published ones."""
