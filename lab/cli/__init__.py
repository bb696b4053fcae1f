"""The command of the laboratory."""
