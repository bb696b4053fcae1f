"""Reading and writing of files: tables, JSON, TOML and Parquet, whole folders, locks."""
