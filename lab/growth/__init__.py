"""Time and memory over growing data."""
