"""Measure: ranking metrics, calibration, and the loaders of the data that they are measured on."""
