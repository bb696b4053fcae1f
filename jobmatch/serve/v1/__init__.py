"""jobmatch's own API, version 1: links, descriptions, matches, searches, decisions, and jobs for files."""
