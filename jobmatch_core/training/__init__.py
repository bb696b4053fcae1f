"""Training by recipe: a TOML file in, a model folder with its report out."""
