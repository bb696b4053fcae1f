"""Retrieval of freelancers for a project, with the reasons for each match."""
