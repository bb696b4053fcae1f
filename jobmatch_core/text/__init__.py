"""Text before any model: case and accents folded, paired forms, languages, stop words."""
