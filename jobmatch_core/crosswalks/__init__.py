"""Crosswalks: the codes of one classification mapped to another, with relations, checked and exchanged."""
