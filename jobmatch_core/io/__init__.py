"""Files, read and written with care: tables, JSON, TOML and Parquet, whole folders, locks."""
