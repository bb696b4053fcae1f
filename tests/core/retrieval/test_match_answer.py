"""Matches as JSON: documented and stable."""

from dataclasses import replace
from typing import Any

import msgspec

from jobmatch_core.entities import NamedSkill
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.retrieval.match_answer import MatchAnswer, match_answer
from jobmatch_core.retrieval.matches import Match
from tests.core.retrieval.made_matches import MATCH, NOBODY, PROJECT


def answer(match: Match) -> MatchAnswer:
    """Return an answer of one match."""
    manifest = MarketplaceManifest("market", True, {}, {}, {}, "2026-11-26", 1)
    return match_answer(manifest, "towers", PROJECT, [match])


def fields(match: Match) -> dict[str, Any]:
    """Return the fields of a match's JSON."""
    return dict(msgspec.json.decode(msgspec.json.encode(answer(match)))["matches"][0])


def test_json_of_a_match() -> None:
    """A missing skill has no word of the freelancer's; scores have four digits."""
    match = fields(MATCH)
    assert match["shared_skills"] == [{"key": "py", "wanted": "python", "offered": "Python", "mandatory": True}]
    assert match["missing_skills"] == [
        {"key": "ml", "wanted": "ML", "mandatory": True},
        {"key": "sql", "wanted": "SQL", "mandatory": False},
    ]
    assert match["contributions"] == {"project": {"title": 0.1235}, "freelancer": {"title": 0.5}}
    assert (match["score"], match["place"], match["generated"]) == (0.1235, {"latitude": 52.5, "longitude": 13.4}, True)
    assert fields(replace(MATCH, contributions=None))["contributions"] is None


def test_unknown_fields_are_null() -> None:
    """Where a profile does not say them."""
    match = fields(replace(MATCH, freelancer=NOBODY))
    assert (match["country"], match["available_from"], match["place"], match["day_rate"]) == (None, None, None, None)


def test_the_project_in_an_answer() -> None:
    """Its skills with their keys; the answer reads back by its type."""
    found = answer(MATCH)
    assert (found.marketplace, found.generated, found.model) == ("market", True, "towers")
    assert found.project.bonus_skills == (NamedSkill("sql", "SQL"),)
    assert msgspec.json.decode(msgspec.json.encode(found), type=MatchAnswer) == found
