"""Matches: freelancers with scores, compared skills and contributions; their displayed order and their places."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property

from jobmatch_core.earth import distance_km
from jobmatch_core.entities import Freelancer, Place, Project
from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.cities import all_cities, city_of
from jobmatch_core.ranking.ranker import Fit
from jobmatch_core.text.folding import TextPieces, fold, folded_name
from jobmatch_core.text.language_guess import is_common

_NAMES_ACROSS = 12  # names that fit side by side on a map
SEARCHED = 1000  # most similar freelancers, whose must-haves are compared
_DIGITS = 2  # of a degree: places a kilometre apart are drawn as one


class SkillState(StrEnum):
    """Place of a project's skill in a profile."""

    DECLARED = "declared"
    IN_TEXT = "in the text"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class SkillMatch:
    """A skill of a project, and where a profile has it."""

    key: str
    wanted: str  # the project's name of it
    offered: str  # the freelancer's name of it among the declared skills, in any language; '' if it is not declared
    mandatory: bool  # true for a mandatory skill
    written: str = ""  # spelling in the profile's texts of a skill that is not declared; '' if they do not contain it

    @property
    def state(self) -> SkillState:
        """The place of the skill in the profile."""
        if self.offered:
            return SkillState.DECLARED
        return SkillState.IN_TEXT if self.written else SkillState.NOT_FOUND


@dataclass(frozen=True, slots=True)
class Contributions:
    """Contributions by section of `documents.SECTIONS`; those of each side add up to the score."""

    project: dict[str, float]
    freelancer: dict[str, float]


@dataclass(frozen=True, slots=True)
class Match:
    """A freelancer found for a project."""

    freelancer: Freelancer  # the profile
    score: float  # cosine of the model's vectors of both, higher is better
    rank: int  # rank from 1
    skills: tuple[SkillMatch, ...]  # skills of the project, mandatory ones first
    contributions: Contributions | None = None  # contributions of the sections, if requested
    fit: Fit | None = None  # score of the second stage; None outside its pool, or without a ranker

    @property
    def shared(self) -> tuple[SkillMatch, ...]:
        """The skills that the freelancer declares or mentions."""
        return tuple(skill for skill in self.skills if skill.state is not SkillState.NOT_FOUND)

    @property
    def missing(self) -> tuple[SkillMatch, ...]:
        """The skills that are neither declared nor in the profile's texts."""
        return tuple(skill for skill in self.skills if skill.state is SkillState.NOT_FOUND)

    @property
    def missing_must_haves(self) -> int:
        """Number of missing mandatory skills."""
        return sum(skill.mandatory for skill in self.missing)


def compared_skills(project: Project, freelancer: Freelancer) -> tuple[SkillMatch, ...]:
    """Return a project's skills, each once, with the freelancer's names of them."""
    offered = {skill.key: skill.text for skill in freelancer.skills}
    wanted = [(skill, True) for skill in project.mandatory] + [(skill, False) for skill in project.bonus]
    texts = _ProfileTexts(freelancer)
    matches: dict[str, SkillMatch] = {}
    for skill, mandatory in wanted:
        declared = offered.get(skill.key, "")
        written = "" if declared else texts.written(skill.text)
        matches.setdefault(skill.key, SkillMatch(skill.key, skill.text, declared, mandatory, written))
    return tuple(matches.values())


def named_skills(skills: Sequence[SkillMatch]) -> str:
    """Return skills in one line, with the freelancer's names where they differ."""
    return "; ".join(map(_named, skills))


def _named(skill: SkillMatch) -> str:
    if skill.state is SkillState.IN_TEXT:
        return f"{skill.wanted} ({SkillState.IN_TEXT})"
    return f"{skill.wanted} = {skill.offered}" if skill.offered not in ("", skill.wanted) else skill.wanted


class _ProfileTexts:
    def __init__(self, freelancer: Freelancer) -> None:
        self._text = "\n".join((freelancer.title, freelancer.description, freelancer.experience))
        self._language = freelancer.language

    @cached_property
    def _folded(self) -> str:
        return f" {fold(self._text)} "

    @cached_property
    def _pieces(self) -> TextPieces:
        return TextPieces.of(self._text)

    def written(self, skill: str) -> str:
        """Return a skill as spelled in the texts; '' if they do not contain it, or its name is a common word."""
        name = folded_name(skill)
        words = " ".join(name)
        # searching the whole text first is ten times faster than splitting it, and most skills are not in it
        if f" {words} " not in self._folded or is_common(words, self._language):
            return ""
        return self._pieces.written(name)


class MatchOrder(StrEnum):
    """Sort key of matches."""

    MUST_HAVES = "must-haves"  # fewest missing mandatory skills first; ties by fit
    FIT = "fit"  # all that is known of the pair
    SCORE = "score"  # similarity of the model's vectors


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Sort key and filter of matches."""

    order: MatchOrder = MatchOrder.MUST_HAVES  # sort key
    complete: bool = False  # leave out freelancers who lack a mandatory skill

    def among(self, project: Project, limit: int) -> int:
        """Return the number of matches, best fit first, to choose the first *limit* from."""
        by_fit = self.order is MatchOrder.FIT or (self.order is MatchOrder.MUST_HAVES and not project.mandatory)
        return limit if by_fit and not (self.complete and project.mandatory) else max(limit, SEARCHED)


MUST_HAVES_FIRST = Arrangement()


def arranged(matches: Iterable[Match], arrangement: Arrangement, limit: int) -> list[Match]:
    """Return the first *limit* matches of an arrangement with their ranks in it; *matches* come best fit first."""
    chosen = [match for match in matches if not (arrangement.complete and match.missing_must_haves)]
    if arrangement.order is MatchOrder.MUST_HAVES:
        chosen.sort(key=lambda match: match.missing_must_haves)  # stable: the best fit stays first
    elif arrangement.order is MatchOrder.SCORE:
        chosen.sort(key=lambda match: -match.score)
    return [replace(match, rank=rank) for rank, match in enumerate(chosen[:limit], 1)]


@dataclass(frozen=True, slots=True)
class Move:
    """A match of one model, compared with another model's ranking."""

    match: Match  # match of the one model
    other_rank: int | None  # the freelancer's rank by the other model; None if not ranked by it

    @property
    def up(self) -> int | None:
        """Number of ranks gained against the other model; negative if lower."""
        return None if self.other_rank is None else self.other_rank - self.match.rank


def moves(matches: Sequence[Match], others: Sequence[Match]) -> list[Move]:
    """Return a model's matches with their ranks by another model for the same project."""
    ranks = {other.freelancer.id: other.rank for other in others}
    return [Move(match, ranks.get(match.freelancer.id)) for match in matches]


def shared_among_first(matches: Sequence[Match], others: Sequence[Match], first: int) -> int:
    """Return the number of freelancers among the first *first* of both rankings."""
    one, other = ({match.freelancer.id for match in ranking[:first]} for ranking in (matches, others))
    return len(one & other)


@dataclass(frozen=True, slots=True)
class PlaceMatches:
    """The matches at one place, best first, and its name."""

    name: str
    place: Place
    matches: tuple[Match, ...]


@cache
def named_places() -> dict[str, Place]:
    """Return larger cities of Europe by their English names, in alphabetical order."""
    return {city.name: city.place for city in sorted(all_cities(), key=lambda city: city.name)}


def read_place(text: str) -> Place:
    """Return the place of a city's name or of 'latitude, longitude'; MatchingError if it is neither."""
    places = {name.casefold(): city.place for city in all_cities() for name in (city.name, *city.other_names)}
    if (place := places.get(text.strip().casefold())) is not None:
        return place
    try:
        latitude, longitude = (float(number) for number in text.split(","))
    except ValueError as error:
        raise MatchingError(
            f"{text!r} is not a known place; choose a city, or give a latitude and a longitude in degrees, such as "
            "52.52, 13.41."
        ) from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise MatchingError(
            f"{text!r} is not a place: latitudes range from -90 to 90, longitudes from -180 to 180 degrees."
        )
    return Place(latitude, longitude)


def place_name(place: Place) -> str:
    """Return the name of a place's city, or its coordinates."""
    city = city_of(place)
    return city.name if city else f"{place.latitude:.2f}, {place.longitude:.2f}"


def matches_by_place(matches: Sequence[Match]) -> list[PlaceMatches]:
    """Group matches by place, the place of the best match first; matches without a place are left out."""
    by_place: dict[tuple[float, float], list[Match]] = {}
    for match in matches:
        if (place := match.freelancer.place) is not None:
            by_place.setdefault((round(place.latitude, _DIGITS), round(place.longitude, _DIGITS)), []).append(match)
    return [PlaceMatches(place_name(Place(*key)), Place(*key), tuple(group)) for key, group in by_place.items()]


def places_to_name(places: Sequence[PlaceMatches]) -> set[str]:
    """Return the names of `matches_by_place` that fit on a map without overlap, most matches first; at least one."""
    latitudes, longitudes = ([getattr(place.place, axis) for place in places] for axis in ("latitude", "longitude"))
    corners = [Place(bound(latitudes), bound(longitudes)) for bound in (min, max)]
    apart = distance_km(*corners) / _NAMES_ACROSS
    named: list[PlaceMatches] = []
    for place in sorted(places, key=lambda place: -len(place.matches)):
        if all(distance_km(place.place, other.place) >= apart for other in named):
            named.append(place)
    return {place.name for place in named}
