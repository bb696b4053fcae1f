"""A posting's sentences weighed and summed up, and what the sum attends to: JDAN, Laosaengpha et al. (2024)."""
