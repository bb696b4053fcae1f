"""Synthetic freelancers: their profiles contain most of their skills, and some that they lack."""

from datetime import date, timedelta

from jobmatch_core.entities import Freelancer
from jobmatch_core.marketplace.demo.market import load_market
from jobmatch_core.marketplace.demo.personas import Abilities, Persona
from jobmatch_core.marketplace.demo.random_choices import RandomChoices
from jobmatch_core.marketplace.demo.wording import Facts, Wording
from jobmatch_core.marketplace.demo.world import World

_DECLARED = 0.65  # chance that a mastered skill is declared
_BOASTED = 0.12  # chance that a lacking one is
_NO_TITLE, _NO_DESCRIPTION, _NO_SKILLS, _NO_EXPERIENCE = 0.01, 0.07, 0.04, 0.2  # shares of empty sections
_UNKNOWN = 0.1  # share without availability or day rate
_SENIORITY_COSTS = (0.75, 1.0, 1.25, 1.45)
_AFTER = date(2026, 11, 1)  # date around which freelancers become available


def freelancer_id(row: int) -> str:
    """Return the id of the freelancer in a row, counted from 0."""
    return f"f{row + 1:07d}"


def write_profile(row: int, persona: Persona, abilities: Abilities, world: World, random: RandomChoices) -> Freelancer:
    """Return the profile of the freelancer in a row."""
    writer = _ProfileWriter(persona, abilities, world, random)
    names = world.group_names[persona.language]
    family = persona.category[:2]
    return Freelancer(
        id=freelancer_id(row),
        language=persona.language,
        title="" if random.chance(_NO_TITLE) else writer.title(),
        description="" if random.chance(_NO_DESCRIPTION) else writer.description(),
        experience="" if random.chance(_NO_EXPERIENCE) else writer.experience(),
        family=family,
        family_name=names[family],
        category=persona.category,
        category_name=names[persona.category],
        skills=() if random.chance(_NO_SKILLS) else writer.wording.named(writer.declared()),
        country=persona.city.country,
        place=persona.city.place,
        available_from="" if random.chance(_UNKNOWN) else _available(random),
        day_rate=None if random.chance(_UNKNOWN) else _day_rate(persona, abilities, random),
        generated=True,
    )


class _ProfileWriter:
    """Writes the sections of one profile."""

    def __init__(self, persona: Persona, abilities: Abilities, world: World, random: RandomChoices) -> None:
        self._persona = persona
        self._abilities = abilities
        self._world = world
        self._random = random
        self.wording = Wording(world, persona.language, random)
        self._patterns = self.wording.phrases.freelancer
        self._sectors = self.wording.sectors(3)

    def title(self) -> str:
        return self._sentence("title", self._random.some_of(self._abilities.mastered, 1))

    def declared(self) -> list[int]:
        """Return most of the mastered skills, and a few others, in random order."""
        known, random = self._abilities, self._random
        skills = [skill for skill in known.mastered if random.chance(_DECLARED)]
        skills += [skill for skill in known.lacking if random.chance(_BOASTED)]
        skills += [skill for skill in known.foreign if random.chance(_BOASTED)]
        return random.some_of(skills, len(skills)) or [known.mastered[0]]

    def description(self) -> str:
        """Return a description of some mastered skills, declared or not."""
        known, random = self._abilities, self._random
        described = random.some_of(known.mastered, 6)
        body = [self._sentence("strengths", described[:3])]
        if len(described) > 3:
            body.append(self._sentence("story", described[3:4]))
        if len(described) > 4 and random.chance(0.4):
            body.append(self._sentence("strengths", described[4:]))
        if known.lacking + known.foreign and random.chance(0.3):
            body.append(self._sentence("interest", [random.one_of(known.lacking + known.foreign)]))
        if random.chance(0.6):
            body.append(self._sentence("style"))
        closing = [self._sentence("closing")] if random.chance(0.4) else []
        return _joined(" ", [self._sentence("opening"), *random.some_of(body, len(body)), *closing])

    def experience(self) -> str:
        """Return one to four assignments; their skills are mastered, as a rule."""
        known, random = self._abilities, self._random
        lines = []
        for _ in range(random.between(1, 4)):
            skills = random.some_of(known.mastered, random.between(1, 3))
            if known.lacking and random.chance(0.15):
                skills.append(random.one_of(known.lacking))
            lines.append(self._sentence("mission", skills))
        return _joined("\n", lines)

    def _sentence(self, kind: str, skills: list[int] | None = None) -> str:
        facts = Facts(
            title=self.wording.title(self._persona.occupation),
            sector=self._random.one_of(self._sectors),
            months=self._random.between(2, 18),
            years=self._abilities.years,
            seniority=self._abilities.seniority,
        )
        return self.wording.sentence(self._patterns[kind], facts, skills or ())


def _joined(separator: str, sentences: list[str]) -> str:
    return separator.join(sentence for sentence in sentences if sentence)


def _available(random: RandomChoices) -> str:
    return (_AFTER + timedelta(days=random.between(-90, 150))).isoformat()


def _day_rate(persona: Persona, abilities: Abilities, random: RandomChoices) -> float:
    """Return a day rate in euro, in tens: usual for group and country, more for seniors, up to a third up or down."""
    usual = load_market().day_rate(persona.category, persona.city.country) * _SENIORITY_COSTS[abilities.seniority]
    bargaining = 1 + 0.33 * (random.share() + random.share() - 1)
    return max(60.0, round(usual * bargaining, -1))
