"""Marketplaces of projects and freelancers: import, storage, and a synthetic one in `demo`."""
