"""Ranking metrics, calibration, significance, and the comparison of a model before and after a training."""
