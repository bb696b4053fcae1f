"""The command line: a table for people, with `--json` one object for programs, errors in one line."""
