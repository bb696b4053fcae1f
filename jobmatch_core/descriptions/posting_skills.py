"""Skills of a posting with the sentences that ask for them: named in any language, or meant by an English sentence.

A name may be ambiguous: 'data' is also a name of ESCO's skill 'statistics'. In English, a named skill therefore counts
only if the extractor finds it at least a little probable.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.descriptions.segments import Segment, segments
from jobmatch_core.descriptions.skill_extractor import SkillExtractor
from jobmatch_core.descriptions.skills import Mention, SkillFact, SkillMatcher, skill_facts
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.text.locales import ENGLISH

NAMED = 0.02  # lowest probability of a named skill


@dataclass(frozen=True, slots=True)
class PostingSkill:
    """A skill of a posting."""

    fact: SkillFact  # the skill, with the words that name or mean it
    sentences: tuple[int, ...]  # numbers of the sentences that ask for it, from 0, ascending
    probability: float | None  # highest probability that one of them means it; None for a skill that is named


def sentences_of(description: str) -> tuple[Segment, ...]:
    """Return the segments of a description that have content, numbered as in models of descriptions."""
    return tuple(segment for segment in segments(description) if segment.content)


def is_read(sentences: Sequence[Segment]) -> bool:
    """Return whether the sentences are in English, which the extractor reads."""
    return guess_language(" ".join(sentence.content for sentence in sentences)) == ENGLISH


def posting_skills(
    taxonomy: Taxonomy,
    sentences: Sequence[Segment],
    matcher: SkillMatcher,
    extractor: SkillExtractor | None,
    *,
    language: str = ENGLISH,
    n_occupations: int = 3,
    progress: Progress = no_progress,
) -> list[PostingSkill]:
    """Return the skills that are named, in their order, then those that are meant, the most probable first.

    Args:
        sentences: the posting's sentences, see `sentences_of`.
        extractor: of the same taxonomy; None to return only skills that are named.
        language: language of the names in the answer.
        n_occupations: maximum number of occupations of each skill.
    """
    contents = [sentence.content for sentence in sentences]
    uris = taxonomy.skill_catalogue.uris
    probable = extractor.find(contents, least=NAMED, progress=progress) if extractor else ()
    likely = {(skill.sentence, uris[skill.skill]) for skill in probable}
    mentions = [
        (number, mention)
        for number, text in enumerate(contents)
        for mention in matcher.find(text)
        if extractor is None or (number, mention.uri) in likely
    ]
    named = {mention.uri for _, mention in mentions}
    probabilities: dict[str, float] = {}
    for skill in probable:
        if extractor and skill.probability >= extractor.model.features.threshold:
            uri = uris[skill.skill]
            mentions.append((skill.sentence, Mention(skill.start, skill.end, skill.text, uri)))
            probabilities[uri] = max(skill.probability, probabilities.get(uri, 0.0))
    places: dict[str, set[int]] = {}
    for number, mention in mentions:
        places.setdefault(mention.uri, set()).add(number)
    facts = skill_facts(taxonomy, [mention for _, mention in mentions], language, n_occupations=n_occupations)
    skills = [
        PostingSkill(fact, tuple(sorted(places[fact.uri])), None if fact.uri in named else probabilities.get(fact.uri))
        for fact in facts
    ]
    return sorted(skills, key=lambda skill: -1.0 if skill.probability is None else 1 - skill.probability)
