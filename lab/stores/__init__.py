"""Vector stores that were tried and not chosen, for the comparison with ours."""
