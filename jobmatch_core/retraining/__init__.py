"""Retraining from labels: snapshots in, models with a comparison out."""
