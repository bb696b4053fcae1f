"""Encoders by name or folder, and caches of the vectors that they give."""
