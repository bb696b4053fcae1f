"""What crosses a seam: frozen records, with the words of docs/architecture.md."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
Progress = Callable[[int, int], None]  # (done, total)


def no_progress(done: int, total: int) -> None:
    """Report to nobody."""


class Encoder(Protocol):
    """Anything that turns texts into vectors; any sentence-transformers model fits."""

    @property
    def name(self) -> str:
        """What the model is called, for reports and cache keys."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(texts), dimension)."""


@runtime_checkable
class ConceptEncoder(Encoder, Protocol):
    """An encoder that was trained with a vector for some concepts."""

    def concept_vectors(self, uris: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of concepts, shape (len(uris), dimension); zeros for those not known."""


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Texts as sequences of token vectors, padded to the longest.

    Attributes:
        vectors: (text, token, dimension), zeros where there is no token.
        mask: (text, token) whether there is one.
    """

    vectors: FloatArray
    mask: NDArray[np.bool_]


class TokenEncoder(Protocol):
    """A frozen backbone that gives a vector a token, not one a text (Jouanneau et al. 2024, section 3.1.1)."""

    @property
    def name(self) -> str:
        """What the model is called, for reports and cache keys."""

    @property
    def dimension(self) -> int:
        """The length of a token's vector."""

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return each text's token vectors; an empty text has the backbone's border tokens alone, or none."""


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
    """A skill that an occupation asks for."""

    uri: str
    name: str
    essential: bool


@dataclass(frozen=True, slots=True)
class Occupation:
    """A concept of a taxonomy with all that is known of it."""

    uri: str
    code: str
    name: str
    description: str
    isco_path: tuple[IscoGroup, ...]
    names: tuple[SurfaceForm, ...]
    skills: tuple[Skill, ...]
    narrower: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnName:
    """A title that people accepted for an occupation: a surface form of the user's own layer over a taxonomy.

    Attributes:
        title: as it was judged; nobody said of which language it is.
        uri: of the occupation.
        by: the names of those who say so, who said it first coming first.
        on: the day of UTC on which the last of them did.
    """

    title: str
    uri: str
    by: tuple[str, ...]
    on: date


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a candidate was found.

    Attributes:
        name: that matched.
        language: of that name; '' of one's own.
        scores: each scorer's share of the candidate's score.
        own: the accepted title behind it, where the title is that one, or the name that matched is.
    """

    name: str
    language: str
    scores: dict[str, float]
    own: OwnName | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An occupation that a title may mean, with the probability that it is the right one."""

    uri: str
    name: str
    isco: str
    probability: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class GroupOffer:
    """The deepest ISCO group that a title most likely belongs to, offered where no occupation is sure."""

    code: str
    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class LinkResult:
    """The answer to one title: candidates, best first; `abstained` where none is good enough."""

    title: str
    candidates: tuple[Candidate, ...]
    abstained: bool
    group: GroupOffer | None
    taxonomy: str
    set_aside: tuple[str, ...]

    @property
    def best(self) -> Candidate | None:
        """The first candidate, or None where the linker abstained."""
        return None if self.abstained or not self.candidates else self.candidates[0]


@dataclass(frozen=True, slots=True)
class NamedSkill:
    """A skill as somebody wrote it; *key* says which it is in every language."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is, in degrees."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Freelancer:
    """A profile, name-free.

    Attributes:
        id: unique in its marketplace.
        language: of the texts.
        title, description, experience: free texts.
        family, category: keys of the job family and category that the freelancer chose.
        family_name, category_name: their names in the profile's language.
        skills: declared ones.
        country: ISO 3166 code, '' where not known.
        place: where they are.
        available_from: ISO date, '' where not known.
        day_rate: in euro.
        generated: whether we made it up.
    """

    id: str
    language: str
    title: str
    description: str
    experience: str
    family: str
    family_name: str
    category: str
    category_name: str
    skills: tuple[NamedSkill, ...]
    country: str = ""
    place: Place | None = None
    available_from: str = ""
    day_rate: float | None = None
    generated: bool = False


@dataclass(frozen=True, slots=True)
class Project:
    """What a company wants done; fields as those of `Freelancer`.

    Attributes:
        job_title: of who is wanted; *title* is the project's own.
        mandatory, bonus: skills that must, and that may be there.
        created: ISO date.
    """

    id: str
    language: str
    title: str
    job_title: str
    description: str
    family: str
    family_name: str
    category: str
    category_name: str
    mandatory: tuple[NamedSkill, ...]
    bonus: tuple[NamedSkill, ...]
    created: str = ""
    country: str = ""
    place: Place | None = None
    generated: bool = False


@dataclass(frozen=True, slots=True)
class Interaction:
    """What came of showing a freelancer a project: interest, or a lack of skills said by either side."""

    project: str
    freelancer: str
    positive: bool
    date: str


class PairKind(StrEnum):
    """What stands left and right in a pair."""

    PROJECT_FREELANCER = "project-freelancer"
    TITLE_OCCUPATION = "title-occupation"
    TITLE_TITLE = "title-title"


class Verdict(StrEnum):
    """What somebody said of a pair."""

    POSITIVE = "positive"
    NEGATIVE = "negative"  # skills are lacking; of titles: not the same work
    UNSURE = "unsure"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things that somebody may judge to belong together.

    Attributes:
        kind: of pair.
        source: the marketplace whose ids they are, or the taxonomy; '' for two titles.
        left, right: a project's id and a freelancer's; a title and an occupation's URI; two titles.
    """

    kind: PairKind
    source: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why somebody saw a pair, and what they were shown with it.

    Attributes:
        policy: of the queue that it came from, or the page that it was judged on.
        model: the model's name with its digest, '' where none had ranked it.
        rank: from 1, None where not ranked.
        score: as shown, None where not scored.
    """

    policy: str
    model: str = ""
    rank: int | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """A human's verdict on a pair. It is never changed: who changes their mind adds another.

    Attributes:
        id: a UUID, given by whoever judges, so that what is sent twice is kept once.
        pair: what was judged.
        verdict: None where an earlier judgment is taken back and none takes its place.
        annotator: a name.
        at: UTC, with microseconds.
        provenance: why the pair was seen.
        reasons: keys of reasons that were picked.
        note: free text.
        seconds: from seeing to judging, None where not measured.
        undoes: the id of the judgment of the same annotator that this one takes back.
        adjudicates: whether it settles a disagreement, and counts before all others.
    """

    id: str
    pair: Pair
    verdict: Verdict | None
    annotator: str
    at: datetime
    provenance: Provenance
    reasons: tuple[str, ...] = ()
    note: str = ""
    seconds: float | None = None
    undoes: str = ""
    adjudicates: bool = False
