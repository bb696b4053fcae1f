"""Use cases that the pages and the command line share."""
