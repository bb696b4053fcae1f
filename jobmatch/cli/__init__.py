"""The command line: tables, or one JSON object with `--json`; errors in one line."""
