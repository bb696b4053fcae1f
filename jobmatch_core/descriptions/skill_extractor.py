"""Skills that the sentences of an English posting ask for, also where they use other words than the skills' names.

The candidates of a sentence are the skills with a name near one of its spans (`skill_features`); a logistic regression
turns their features into a probability. Names, descriptions and relations come from the user's taxonomy; what is
trained (`skill_model`) knows no skill, so that any taxonomy with English skill names works.

Task: Decorte et al. (2022), 'Design of negative sampling strategies for distantly supervised skill extraction'; spans:
Zhang et al. (2022), 'SkillSpan'. The method is ours. Skills that are named in other languages: `skills.SkillMatcher`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np

from jobmatch_core.descriptions.skill_features import SentenceSkills, sentence_skills
from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.descriptions.skill_model import SkillModel
from jobmatch_core.entities import Encoder, Progress, no_progress
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.encoder import shipped_encoder

SHIPPED_SKILLS = Path(str(files("jobmatch_core.descriptions") / "jobmatch-skills"))


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """A skill that a sentence asks for."""

    skill: int  # number of the skill in the taxonomy
    sentence: int  # number of the sentence, from 0
    # start, end: position in the sentence of the words that mean it
    start: int
    end: int
    text: str  # these words
    probability: float  # probability that the sentence asks for it


class SkillExtractor:
    """Finds the skills of a taxonomy in English sentences."""

    def __init__(self, index: SkillIndex, model: SkillModel) -> None:
        self.index = index
        self.model = model  # the trained weights

    @classmethod
    def open(
        cls,
        taxonomy: Taxonomy,
        *,
        encoder: Encoder | None = None,
        model: SkillModel | None = None,
        progress: Progress = no_progress,
    ) -> Self:
        """Index a taxonomy's skills, at least one of which has an English name; ESCO takes some ten seconds.

        Args:
            encoder: encoder of names and texts, by default the shipped title encoder.
            model: trained weights, by default the shipped ones, which belong to that encoder.

        Raises ModelError if the shipped model is missing or damaged.
        """
        model = model or SkillModel.load(SHIPPED_SKILLS)
        return cls(SkillIndex(taxonomy, encoder or shipped_encoder(), progress), model)

    def rank(self, sentence: str, top: int) -> list[FoundSkill]:
        """Return at most *top* skills of one sentence, the most probable first, whatever their probability."""
        candidates = sentence_skills(self.index, self.model.tagger, sentence)
        probabilities = self.model.features.probabilities(candidates.features)
        order = np.argsort(-probabilities, kind="stable")[:top]
        return [self._found(candidates, place, float(probabilities[place])) for place in order.tolist()]

    def find(
        self, sentences: Sequence[str], *, least: float | None = None, progress: Progress = no_progress
    ) -> tuple[FoundSkill, ...]:
        """Return the probable skills of each English sentence, by sentence and falling probability.

        *least* is the lowest probability, by default the model's threshold.
        """
        least = self.model.features.threshold if least is None else least
        skills: list[FoundSkill] = []
        for number, sentence in enumerate(sentences):
            skills += self._probable(number, sentence, least)
            progress(number + 1, len(sentences))
        return tuple(skills)

    def _probable(self, number: int, sentence: str, least: float) -> Iterable[FoundSkill]:
        for skill in self.rank(sentence, len(self.index.numbers)):
            if skill.probability < least:
                return
            yield FoundSkill(skill.skill, number, skill.start, skill.end, skill.text, skill.probability)

    def _found(self, candidates: SentenceSkills, place: int, probability: float) -> FoundSkill:
        span = candidates.spans[candidates.best[place]]
        skill = int(self.index.numbers[candidates.skills[place]])
        return FoundSkill(skill, 0, span.start, span.end, span.text, probability)


def has_english_skills(taxonomy: Taxonomy) -> bool:
    """Return whether a taxonomy has a skill with an English name."""
    return bool((taxonomy.tables.skill_names["language"] == ENGLISH).any())
