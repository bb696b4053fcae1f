"""Encoders of job titles: what they are trained on, and by which losses."""
