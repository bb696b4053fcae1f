"""Speed and memory, compared in the same run with what a user would otherwise pick."""
