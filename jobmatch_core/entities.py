"""Entities: frozen records shared by all packages, in the words of docs/words.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from html import escape
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.judgment_origin import Origin

FloatArray = NDArray[np.float32]
Progress = Callable[[int, int], None]  # (done, total)
ISCO_URI = "http://data.europa.eu/esco/isco/C"  # prefix of the code of an ISCO-08 group, in every taxonomy
LinkLevel = Literal["occupation", "unit group", ""]
OCCUPATION_LEVEL: LinkLevel = "occupation"
UNIT_GROUP_LEVEL: LinkLevel = "unit group"


def no_progress(done: int, total: int) -> None:
    """Report no progress."""


class Encoder(Protocol):
    """Anything that turns texts into vectors, such as a sentence-transformers model."""

    @property
    def name(self) -> str:
        """The model's name, for reports and cache keys."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension)."""


@runtime_checkable
class ConceptEncoder(Encoder, Protocol):
    """An encoder with trained vectors of some concepts."""

    def concept_vectors(self, uris: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of concepts, shape (len(uris), dimension); zeros for unknown concepts."""


@dataclass(frozen=True, slots=True)
class SurfaceForm:
    """One name of an occupation in one language."""

    language: str
    text: str
    preferred: bool


@dataclass(frozen=True, slots=True)
class IscoGroup:
    """A group of ISCO-08: major (1 digit), sub-major (2), minor (3) or unit group (4)."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that an occupation requires."""

    uri: str
    name: str
    essential: bool


@dataclass(frozen=True, slots=True)
class Occupation:
    """A concept of a taxonomy with its names, ISCO groups and skills."""

    uri: str
    code: str
    name: str
    description: str
    isco_path: tuple[IscoGroup, ...]
    names: tuple[SurfaceForm, ...]
    skills: tuple[Skill, ...]
    narrower: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The name that led to a candidate, with the scores of each scorer."""

    name: str  # the matched name of the occupation
    language: str  # language code of that name; '' for an own name
    scores: dict[str, float]  # scorer -> its share of the candidate's score
    own: OwnName | None = None  # the own name that the title or the matched name is; None without one
    from_lexicon: bool = False  # true if the matched name is from the lexicon, not the taxonomy
    read_as: str = ""  # the reading of the title that matched; '' for the title itself


@dataclass(frozen=True, slots=True)
class Candidate:
    """An occupation that a title may mean, with the probability that it is correct."""

    uri: str
    name: str
    isco: str
    probability: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class GroupOffer:
    """The deepest ISCO group that a title most likely belongs to, offered if no occupation is probable enough.

    `own` is the acceptance of the group by people; None if the linker found it.
    """

    code: str
    name: str
    probability: float
    own: OwnName | None = None

    @property
    def uri(self) -> str:
        """The group's URI."""
        return f"{ISCO_URI}{self.code}"


@dataclass(frozen=True, slots=True)
class ContextEvidence:
    """What a text beside a title says about the occupation."""

    kind: str  # name of the text, such as `industry`
    text: str
    # code, group: code and name of the unit group that it speaks for most; '' for a text of unknown words
    code: str = ""
    group: str = ""
    log_odds: float = 0.0  # by how much it raises the log-odds of that group


@dataclass(frozen=True, slots=True)
class OtherCode:
    """A code of another classification for what a title is linked to."""

    # code, name: of the code
    code: str
    name: str
    relation: str  # that of the code to the occupation or unit group: exact, broader, narrower or close


class Seniority(StrEnum):
    """Seniority in a title, in ascending order; NONE if it states none. ASSISTANT is outside the order."""

    INTERN = "intern"
    WORKING_STUDENT = "working student"
    APPRENTICE = "apprentice"
    TRAINEE = "trainee"
    JUNIOR = "junior"
    NONE = ""
    EXPERIENCED = "experienced"
    SENIOR = "senior"
    LEAD = "lead"
    DEPUTY_HEAD = "deputy head"
    HEAD = "head"
    DIRECTOR = "director"
    VICE_PRESIDENT = "vice president"
    CHIEF = "chief"
    ASSISTANT = "assistant to"


@dataclass(frozen=True, slots=True)
class LinkResult:
    """The answer to one *title* as typed, from the taxonomy of an id."""

    title: str
    candidates: tuple[Candidate, ...]  # occupations, best first
    abstained: bool  # true if neither an occupation nor a unit group reaches its threshold
    group: GroupOffer | None  # the unit group that is linked; where the linker abstained, the most likely group or None
    taxonomy: str
    set_aside: tuple[str, ...]  # pieces of the title that were ignored
    seniority: Seniority = Seniority.NONE  # seniority that the title states
    reason: str = ""  # reason for abstaining, see `link_reasons`; '' for a link
    jobs: "tuple[LinkResult, ...]" = ()  # the links of each job in a title with several (`driver / cook`)
    # occupations and groups that people rejected for this title; neither linked nor candidates
    rejected: tuple[Rejection, ...] = ()
    unknown: tuple[str, ...] = ()  # folded words of the title that no name has, if they are the reason for abstaining
    # the unit group of the link; without a link, the deepest group of ISCO-08 that reaches the target precision; None
    # without either
    coded: GroupOffer | None = None
    context: tuple[ContextEvidence, ...] = ()  # what each text beside the title says; empty without any
    no_occupation: OwnName | None = None  # the earlier decision that no occupation fits the title; None without one
    # codes of another classification for the link, the best first; empty without a crosswalk
    also: tuple[OtherCode, ...] = ()

    @property
    def level(self) -> LinkLevel:
        """The level of the link: an occupation, a unit group, or none."""
        if self.abstained or not (self.candidates or self.group):
            return ""
        return OCCUPATION_LEVEL if self.group is None else UNIT_GROUP_LEVEL

    @property
    def best(self) -> Candidate | None:
        """The linked occupation; None without one."""
        return self.candidates[0] if self.level == OCCUPATION_LEVEL else None

    @property
    def probability(self) -> float:
        """The probability of the link, or of the first candidate if the linker abstained; 0 without candidates."""
        if self.group is not None and not self.abstained:
            return self.group.probability
        return self.candidates[0].probability if self.candidates else 0.0

    def _repr_html_(self) -> str:
        # notebooks show it
        return links_html([self])


def links_html(results: Sequence[LinkResult]) -> str:
    """Return links as an HTML table of titles, links and other candidates; texts are escaped."""
    header = _html_row("th", ("title", "occupation", "ISCO", "probability", "alternatives"))
    return f"<table>{header}{''.join(_html_row('td', _shown(result)) for result in results)}</table>"


def _html_row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"


def _shown(result: LinkResult) -> tuple[str, ...]:
    best, group = result.best, result.group
    others = [f"{candidate.name} ({candidate.probability:.2f})" for candidate in result.candidates if candidate != best]
    if best:
        linked = best.name, best.isco, f"{best.probability:.2f}"
    elif group and result.level:
        linked = f"{group.name} ({UNIT_GROUP_LEVEL})", group.code, f"{group.probability:.2f}"
    else:
        linked = f"not linked: {result.reason}", "", ""
    return result.title, *linked, "; ".join(others)


@dataclass(frozen=True, slots=True)
class NamedSkill:
    """A skill as written in a text; `key` is the same in all languages."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A location in degrees."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Freelancer:
    """A profile without a name."""

    id: str  # identifier, unique in its marketplace
    language: str  # language code of the texts
    # title, description, experience: free texts
    title: str
    description: str
    experience: str
    # family, category: keys of the job family and category that the freelancer chose
    family: str
    # family_name, category_name: their names in the profile's language
    family_name: str
    category: str
    category_name: str
    skills: tuple[NamedSkill, ...]  # declared skills
    # country, available_from: ISO 3166 code, and ISO date; '' if unknown
    country: str = ""
    # place, day_rate: location, and euros per day; None if unknown
    place: Place | None = None
    available_from: str = ""
    day_rate: float | None = None
    generated: bool = False  # true for a synthetic profile


@dataclass(frozen=True, slots=True)
class Project:
    """A company's project; fields as in `Freelancer`."""

    id: str
    language: str
    title: str
    job_title: str  # job title of the wanted freelancer; `title` is the project's own
    description: str
    family: str
    family_name: str
    category: str
    category_name: str
    # mandatory, bonus: required skills and desirable skills
    mandatory: tuple[NamedSkill, ...]
    bonus: tuple[NamedSkill, ...]
    created: str = ""  # ISO date; '' if unknown
    country: str = ""
    place: Place | None = None
    generated: bool = False


@dataclass(frozen=True, slots=True)
class Interaction:
    """Outcome of showing a project to a freelancer: interest, or a lack of skills reported by either side."""

    project: str
    freelancer: str
    positive: bool
    date: str


class PairKind(StrEnum):
    """Kinds of pairs: left and right item."""

    PROJECT_FREELANCER = "project-freelancer"
    TITLE_OCCUPATION = "title-occupation"
    TITLE_TITLE = "title-title"


class Verdict(StrEnum):
    """An annotator's verdict on a pair."""

    POSITIVE = "positive"
    NEGATIVE = "negative"  # skills are lacking; for titles: not the same work
    UNSURE = "unsure"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two items to be judged as matching or not."""

    kind: PairKind  # kind of pair
    source: str  # marketplace of the two ids, or the taxonomy; '' for two titles
    # left, right: ids of a project and a freelancer; a title and a concept's URI; or two titles
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """The reason a pair was shown, the model's output shown with it, and how it was judged."""

    policy: str  # policy of the labelling queue, or the page on which the pair was judged
    model: str = ""  # name and digest of the model that ranked the pair; '' without one
    # rank, score: rank from 1, and score as shown; None without one
    rank: int | None = None
    score: float | None = None
    origin: Origin = Origin.LOOKED_AT  # whether the pair was looked at, or decided on in bulk


@dataclass(frozen=True, slots=True)
class Judgment:
    """An annotator's verdict on a pair. A judgment never changes: a change of mind adds another judgment."""

    id: str  # UUID from the sender, so that a judgment sent twice is stored once
    pair: Pair  # the judged pair
    verdict: Verdict | None  # the verdict; None to withdraw an earlier judgment without replacing it
    annotator: str
    at: datetime  # UTC time with microseconds
    provenance: Provenance  # the reason the pair was shown
    # reasons, note: keys of the reasons that the annotator picked, and free text
    reasons: tuple[str, ...] = ()
    note: str = ""
    seconds: float | None = None  # seconds from showing the pair to the judgment; None if not measured
    undoes: str = ""  # id of the same annotator's judgment that this one withdraws; '' without one
    adjudicates: bool = False  # true if it settles a disagreement and overrides all other judgments
