"""Candidates and an accepted title with difficult letters and digits, to be stored."""

from datetime import date

from jobmatch_core.entities import Candidate, Evidence, GroupOffer
from jobmatch_core.judged_title import OwnName

OWN = OwnName("Koch\u202e", "cook", ("Ann", "Bob"), date(2026, 11, 21))
COOK = Candidate("cook", "cook", "5120", 0.1 + 0.2, Evidence("Koch", "de", {"letters": 0.123456789}))
NURSE = Candidate("nurse", "Krankenpfleger \ud83d", "2221", 1 / 3, Evidence("Koch", "", {}, OWN, True, "koch"))
GROUP = GroupOffer("5120", "Cooks", 0.9)
