"""Matches as flat rows for files and as JSON for programs. Both are documented in docs/cli.md and stable."""

from dataclasses import asdict
from typing import Any

from jobmatch_core.entities import Project
from jobmatch_core.io.tables import Record
from jobmatch_core.retrieval.matches import Match, SkillMatch, named_skills

_DIGITS = 4


def match_columns(project: Project, match: Match) -> Record:
    """Return a match as a row."""
    freelancer, place = match.freelancer, match.freelancer.place
    return {
        "project": project.id,
        "rank": match.rank,
        "freelancer": freelancer.id,
        "score": round(match.score, _DIGITS),
        "title": freelancer.title,
        "category": freelancer.category_name or freelancer.category,
        "family": freelancer.family_name or freelancer.family,
        "language": freelancer.language,
        "country": freelancer.country,
        "latitude": place.latitude if place else None,
        "longitude": place.longitude if place else None,
        "available_from": freelancer.available_from,
        "day_rate": freelancer.day_rate,
        "shared_skills": named_skills(match.shared),
        "missing_mandatory_skills": named_skills([skill for skill in match.missing if skill.mandatory]),
        "missing_bonus_skills": named_skills([skill for skill in match.missing if not skill.mandatory]),
        "generated": freelancer.generated,
    }


def match_to_json(match: Match) -> dict[str, Any]:
    """Return a match as the command line's JSON."""
    freelancer = match.freelancer
    return {
        "rank": match.rank,
        "freelancer": freelancer.id,
        "score": round(match.score, _DIGITS),
        "title": freelancer.title,
        "category": freelancer.category,
        "category_name": freelancer.category_name,
        "family": freelancer.family,
        "family_name": freelancer.family_name,
        "language": freelancer.language,
        "country": freelancer.country,
        "place": asdict(freelancer.place) if freelancer.place else None,
        "available_from": freelancer.available_from,
        "day_rate": freelancer.day_rate,
        "generated": freelancer.generated,
        "shared_skills": [_skill_to_json(skill) for skill in match.shared],
        "missing_skills": [_skill_to_json(skill) for skill in match.missing],
        "contributions": _rounded(match),
    }


def project_to_json(project: Project) -> dict[str, Any]:
    """Return a project as it was read."""
    return {
        "id": project.id,
        "language": project.language,
        "title": project.title,
        "job_title": project.job_title,
        "mandatory_skills": [asdict(skill) for skill in project.mandatory],
        "bonus_skills": [asdict(skill) for skill in project.bonus],
    }


def _skill_to_json(skill: SkillMatch) -> dict[str, Any]:
    return {key: value for key, value in asdict(skill).items() if key not in ("offered", "written") or value}


def _rounded(match: Match) -> dict[str, dict[str, float]] | None:
    if match.contributions is None:
        return None
    return {
        side: {section: round(share, _DIGITS) for section, share in shares.items()}
        for side, shares in asdict(match.contributions).items()
    }
