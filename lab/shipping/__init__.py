"""Training of what comes with jobmatch."""
