"""The question that would settle a title, with its options, and the link after an answer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from jobmatch_core.entities import Candidate, GroupOffer, LinkResult
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.coding import NO_OCCUPATION, NOT_CODABLE, coding
from jobmatch_core.questions.option_texts import option_texts
from jobmatch_core.questions.splits import Split, after_answer, expected_gain, splits
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH

N_CANDIDATES = 20  # candidates of a title that a question may be about
NONE_OF_THESE = -1  # the answer that no option fits


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a question."""

    text: str  # what the respondent reads
    source: str  # where the text is from
    uris: tuple[str, ...]  # URIs of the occupations that it stands for


@dataclass(frozen=True, slots=True)
class Question:
    """A question on a title."""

    title: str  # the title as typed
    taxonomy: str  # id of the taxonomy
    language: str
    wanted: str  # language of the title, in which the taxonomy may have no texts; the question is in English then
    options: tuple[Option, ...]  # two to four options
    gain: float  # expected gain in the highest probability, see `expected_gain`

    @property
    def id(self) -> str:
        """Digest of title, taxonomy and options, by which an answer names its question."""
        parts = [self.title, self.taxonomy, self.language, [[option.text, option.uris] for option in self.options]]
        return sha256(json_text(parts).encode()).hexdigest()[:16]


def question_on(result: LinkResult, taxonomy: Taxonomy, language: str = "") -> Question | None:
    """Return the question that is expected to settle a title best; None if it is linked, or no question would.

    Args:
        result: the link, with up to `N_CANDIDATES` candidates.
        language: language of the title; by default that of most names that matched it.
    """
    if result.level or coding(result).state in (NO_OCCUPATION, NOT_CODABLE) or not result.candidates:
        return None
    wanted = language or _language(result)
    candidates = result.candidates
    for split in sorted(splits(candidates), key=lambda split: -expected_gain(candidates, split)):
        for spoken in dict.fromkeys((wanted, ENGLISH)):
            if texts := option_texts(taxonomy, candidates, split, spoken):
                options = tuple(
                    Option(text.text, text.source, tuple(candidates[number].uri for number in option))
                    for text, option in zip(texts, split.options, strict=True)
                )
                gain = expected_gain(candidates, split)
                return Question(result.title, taxonomy.id, spoken, wanted, options, gain)
    return None


def _language(result: LinkResult) -> str:
    # of the names that matched: one candidate may have a name of another language that is written like the title
    votes: dict[str, float] = {}
    for candidate in result.candidates:
        votes[candidate.evidence.language] = votes.get(candidate.evidence.language, 0.0) + candidate.probability
    return max(votes, key=votes.__getitem__) or ENGLISH


def answered(
    result: LinkResult, question: Question, answer: int, calibration: Calibration, group_name: Callable[[str], str]
) -> LinkResult:
    """Return a link after an answer to its question: the candidates in their new order, linked if one is sure now.

    Args:
        result: the link that the question was made from.
        answer: number of the chosen option, from 0; `NONE_OF_THESE` if none fits.

    Raises ValueError if there is no such option.
    """
    if not NONE_OF_THESE <= answer < len(question.options):
        raise ValueError(f"there is no option {answer}")
    places = {candidate.uri: place for place, candidate in enumerate(result.candidates)}
    split = Split(tuple(tuple(places[uri] for uri in option.uris) for option in question.options), of_groups=False)
    before = np.array([candidate.probability for candidate in result.candidates])
    after = after_answer(before, split, answer if answer >= 0 else len(question.options))
    candidates = tuple(
        replace(candidate, probability=float(probability))
        for probability, candidate in sorted(
            zip(after, result.candidates, strict=True), key=lambda pair: pair[0], reverse=True
        )
    )
    return _decided(replace(result, candidates=candidates, coded=None), calibration, group_name)


def _decided(result: LinkResult, calibration: Calibration, group_name: Callable[[str], str]) -> LinkResult:
    best = result.candidates[0]
    linked = replace(result, abstained=False, group=None, reason="")
    if best.probability >= calibration.threshold:
        return replace(linked, coded=_group(result.candidates, best.isco, group_name) if best.isco else None)
    codes = dict.fromkeys(candidate.isco for candidate in result.candidates if len(candidate.isco) == UNIT_DIGITS)
    groups = [_group(result.candidates, code, group_name) for code in codes]
    likeliest = max(groups, key=lambda group: group.probability, default=None)
    if likeliest is not None and likeliest.probability >= calibration.unit_threshold:
        first = sorted(result.candidates, key=lambda candidate: candidate.isco != likeliest.code)
        return replace(linked, candidates=tuple(first), group=likeliest, coded=likeliest)
    return result


def _group(candidates: tuple[Candidate, ...], code: str, group_name: Callable[[str], str]) -> GroupOffer:
    together = sum(candidate.probability for candidate in candidates if candidate.isco == code)
    return GroupOffer(code, group_name(code), min(together, 1.0))
