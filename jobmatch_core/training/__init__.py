"""What the trainings share: the loop, checkpoints and resuming, recipes and reports."""
