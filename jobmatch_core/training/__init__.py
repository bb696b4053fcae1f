"""Training loop, checkpoints, recipes and reports for all kinds of models."""
