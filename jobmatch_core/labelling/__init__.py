"""Labelling of pairs: queues, judgments, agreement, labels, and their files."""
