"""What the trainings share: checkpoints and resuming, recipes and reports."""
