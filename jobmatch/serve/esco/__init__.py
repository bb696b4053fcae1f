"""ESCO's web service as its clients call it, over an imported ESCO; occupations are found by the linker."""
