"""Matches as JSON: the stable types of the command line's and the API's answers, documented in docs/cli.md."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from jobmatch_core.entities import NamedSkill, Place, Project
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.ranking.ranker import Fit
from jobmatch_core.retrieval.matches import Contributions, Match, SkillMatch

_DIGITS = 4  # of scores and contributions


class MatchedProject(Struct, frozen=True):
    """The project as it was read."""

    id: str
    language: str
    title: str
    job_title: str
    mandatory_skills: tuple[NamedSkill, ...]
    bonus_skills: tuple[NamedSkill, ...]


class ComparedSkill(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A skill of the project, with its name among the freelancer's skills or in the profile's texts."""

    key: str
    wanted: str
    offered: str = ""
    mandatory: bool
    written: str = ""


class MatchFit(Struct, frozen=True):
    """How well a freelancer fits by all that is known; the features' shares of the score add up to one."""

    score: float
    shares: dict[str, float]


class MatchedFreelancer(Struct, frozen=True):
    """A freelancer found for the project; contributions of the sections of each side add up to the score."""

    rank: int
    freelancer: str
    score: float
    title: str
    category: str | None
    category_name: str | None
    family: str | None
    family_name: str | None
    language: str | None
    country: str | None
    place: Place | None
    available_from: str | None
    day_rate: float | None
    generated: bool
    shared_skills: tuple[ComparedSkill, ...]
    missing_skills: tuple[ComparedSkill, ...]
    contributions: Contributions | None
    fit: MatchFit | None


class MatchAnswer(Struct, frozen=True):
    """Freelancers for a project, as `jobmatch match --json` prints them."""

    marketplace: str
    generated: bool
    model: str
    project: MatchedProject
    matches: tuple[MatchedFreelancer, ...]


def match_answer(manifest: MarketplaceManifest, model: str, project: Project, matches: Iterable[Match]) -> MatchAnswer:
    """Return the matches of a project, best first, as an answer."""
    return MatchAnswer(
        marketplace=manifest.name,
        generated=manifest.generated,
        model=model,
        project=answered_project(project),
        matches=tuple(map(answered_match, matches)),
    )


def answered_project(project: Project) -> MatchedProject:
    """Return a project's part of an answer."""
    return MatchedProject(
        id=project.id,
        language=project.language,
        title=project.title,
        job_title=project.job_title,
        mandatory_skills=project.mandatory,
        bonus_skills=project.bonus,
    )


def answered_match(match: Match) -> MatchedFreelancer:
    """Return a match's part of an answer; null for unknown values."""
    freelancer = match.freelancer
    return MatchedFreelancer(
        rank=match.rank,
        freelancer=freelancer.id,
        score=round(match.score, _DIGITS),
        title=freelancer.title,
        category=freelancer.category or None,
        category_name=freelancer.category_name or None,
        family=freelancer.family or None,
        family_name=freelancer.family_name or None,
        language=freelancer.language or None,
        country=freelancer.country or None,
        place=freelancer.place,
        available_from=freelancer.available_from or None,
        day_rate=freelancer.day_rate,
        generated=freelancer.generated,
        shared_skills=tuple(map(_skill, match.shared)),
        missing_skills=tuple(map(_skill, match.missing)),
        contributions=_rounded(match.contributions) if match.contributions else None,
        fit=_fit(match.fit) if match.fit else None,
    )


def _skill(skill: SkillMatch) -> ComparedSkill:
    return ComparedSkill(
        key=skill.key,
        wanted=skill.wanted,
        offered=skill.offered,
        mandatory=skill.mandatory,
        written=skill.written,
    )


def _fit(fit: Fit) -> MatchFit:
    return MatchFit(round(fit.score, _DIGITS), {name: round(share, _DIGITS) for name, share in fit.shares()})


def _rounded(contributions: Contributions) -> Contributions:
    def shares(sections: Mapping[str, float]) -> dict[str, float]:
        return {section: round(share, _DIGITS) for section, share in sections.items()}

    return Contributions(shares(contributions.project), shares(contributions.freelancer))
