"""Growth of time and memory with the size of the data."""
