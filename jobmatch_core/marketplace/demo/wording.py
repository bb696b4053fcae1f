"""Texts of titles and skills: one of several names, in sentences of one of several patterns."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.entities import NamedSkill
from jobmatch_core.marketplace.demo.phrases import load_phrases
from jobmatch_core.marketplace.demo.random_choices import RandomChoices
from jobmatch_core.marketplace.demo.world import DemoOccupation, World
from jobmatch_core.text.languages import ENGLISH

_PREFERRED = 0.5  # share of a skill's mentions by its preferred name
_IN_ENGLISH = 0.2  # share of mentions by its English name in another language


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a sentence besides skills; each pattern uses some of them.

    Attributes:
        title: title of the occupation.
        sector: name of an economic sector.
        months: duration of an assignment.
        years: years of practice.
        seniority: 0 (junior) to 3 (lead).
    """

    title: str
    sector: str
    months: int
    years: int = 0
    seniority: int = 0


class Wording:
    """The words of one document."""

    def __init__(self, world: World, language: str, random: RandomChoices) -> None:
        """Write in a language."""
        self._world = world
        self._language = language
        self._random = random
        self.phrases = load_phrases(language)

    def title(self, occupation: DemoOccupation) -> str:
        """Return one of an occupation's names."""
        return self._random.one_of(occupation.titles[self._language])

    def skill(self, column: int) -> str:
        """Return one of a skill's names."""
        names = self._world.skill_names[self._language][column]
        if self._language != ENGLISH and self._random.chance(_IN_ENGLISH):
            names = self._world.skill_names[ENGLISH][column]
        return names[0] if self._random.chance(_PREFERRED) else self._random.one_of(names)

    def named(self, columns: Sequence[int]) -> tuple[NamedSkill, ...]:
        """Return skills as a person would list them."""
        return tuple(NamedSkill(self._world.skills[column], self.skill(column)) for column in columns)

    def sectors(self, count: int) -> list[str]:
        """Return names of some sectors of the economy."""
        return self._random.some_of(self.phrases.sectors, count)

    def sentence(self, patterns: Sequence[str], facts: Facts, skills: Sequence[int] = ()) -> str:
        """Fill one of several patterns."""
        names = [self.skill(column) for column in skills]
        text = self._random.one_of(patterns).format(
            skill=names[0] if names else "",
            skills=self.phrases.listed(names),
            title=facts.title,
            sector=facts.sector,
            months=facts.months,
            days=self._random.between(2, 4),
            years=facts.years,
            seniority=self.phrases.seniority[facts.seniority],
        )
        return text[:1].upper() + text[1:]
