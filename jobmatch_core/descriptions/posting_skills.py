"""Skills of a posting with the sentences that ask for them: named in any language, or meant by an English sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.descriptions.segments import Segment
from jobmatch_core.descriptions.skill_extractor import SkillExtractor
from jobmatch_core.descriptions.skills import Mention, SkillFact, SkillMatcher, skill_facts
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.text.locales import ENGLISH


@dataclass(frozen=True, slots=True)
class PostingSkill:
    """A skill of a posting.

    Attributes:
        fact: the skill, with the words that name or mean it.
        sentences: numbers of the sentences that ask for it, from 0, ascending.
        probability: highest probability that one of them means it; None for a skill that is named.
    """

    fact: SkillFact
    sentences: tuple[int, ...]
    probability: float | None


def is_read(segments: Sequence[Segment]) -> bool:
    """Return whether the sentences are in English, which the extractor reads."""
    return guess_language(" ".join(segment.content for segment in segments)) == ENGLISH


def posting_skills(
    taxonomy: Taxonomy,
    segments: Sequence[Segment],
    matcher: SkillMatcher,
    extractor: SkillExtractor | None,
    *,
    language: str = ENGLISH,
    n_occupations: int = 3,
    progress: Progress = no_progress,
) -> list[PostingSkill]:
    """Return the skills that are named, in their order, then those that are meant, the most probable first.

    Args:
        taxonomy: the skills.
        segments: the posting's sentences.
        matcher: the skills' names.
        extractor: of the same taxonomy; None to return only skills that are named.
        language: language of the names in the answer.
        n_occupations: maximum number of occupations of each skill.
        progress: called with the number of sentences read by the extractor, and their total.
    """
    contents = [segment.content for segment in segments]
    mentions = [(number, mention) for number, text in enumerate(contents) for mention in matcher.find(text)]
    named = {mention.uri for _, mention in mentions}
    probabilities: dict[str, float] = {}
    uris = taxonomy.skill_catalogue.uris
    for found in extractor.find(contents, progress) if extractor else ():
        uri = uris[found.skill]
        mentions.append((found.sentence, Mention(found.start, found.end, found.text, uri)))
        probabilities[uri] = max(found.probability, probabilities.get(uri, 0.0))
    sentences: dict[str, set[int]] = {}
    for number, mention in mentions:
        sentences.setdefault(mention.uri, set()).add(number)
    facts = skill_facts(taxonomy, [mention for _, mention in mentions], language, n_occupations=n_occupations)
    skills = [
        PostingSkill(
            fact, tuple(sorted(sentences[fact.uri])), None if fact.uri in named else probabilities.get(fact.uri)
        )
        for fact in facts
    ]
    return sorted(skills, key=lambda skill: -1.0 if skill.probability is None else 1 - skill.probability)
