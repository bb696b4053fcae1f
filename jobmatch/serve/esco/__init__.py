"""ESCO's web service over an imported ESCO; the linker finds occupations."""
