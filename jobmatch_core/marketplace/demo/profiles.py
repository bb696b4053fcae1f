"""The freelancers that everybody sees: what they say of themselves is neither all nor only what they can do."""

from datetime import date, timedelta

from jobmatch_core.entities import Freelancer
from jobmatch_core.marketplace.demo.market import load_market
from jobmatch_core.marketplace.demo.personas import Abilities, Persona
from jobmatch_core.marketplace.demo.random_choices import Dice
from jobmatch_core.marketplace.demo.wording import Facts, Wording
from jobmatch_core.marketplace.demo.world import World

_DECLARED = 0.65  # chance that a mastered skill is in the list of skills
_BOASTED = 0.12  # chance that one that is lacking is
_NO_TITLE, _NO_DESCRIPTION, _NO_SKILLS, _NO_EXPERIENCE = 0.01, 0.07, 0.04, 0.2  # sections that nobody filled
_UNKNOWN = 0.1  # availability or day rate
_SENIORITY_COSTS = (0.75, 1.0, 1.25, 1.45)
_AFTER = date(2026, 11, 1)  # around which freelancers are free again


def freelancer_id(row: int) -> str:
    """Return the id of the freelancer in a row, counted from 0."""
    return f"f{row + 1:07d}"


def write_profile(row: int, persona: Persona, abilities: Abilities, world: World, dice: Dice) -> Freelancer:
    """Write the profile of the freelancer in a row."""
    writer = _ProfileWriter(persona, abilities, world, dice)
    names = world.group_names[persona.language]
    family = persona.category[:2]
    return Freelancer(
        id=freelancer_id(row),
        language=persona.language,
        title="" if dice.chance(_NO_TITLE) else writer.title(),
        description="" if dice.chance(_NO_DESCRIPTION) else writer.description(),
        experience="" if dice.chance(_NO_EXPERIENCE) else writer.experience(),
        family=family,
        family_name=names[family],
        category=persona.category,
        category_name=names[persona.category],
        skills=() if dice.chance(_NO_SKILLS) else writer.wording.named(writer.declared()),
        country=persona.city.country,
        place=persona.city.place,
        available_from="" if dice.chance(_UNKNOWN) else _available(dice),
        day_rate=None if dice.chance(_UNKNOWN) else _day_rate(persona, abilities, dice),
        generated=True,
    )


class _ProfileWriter:
    """Writes the sections of one profile."""

    def __init__(self, persona: Persona, abilities: Abilities, world: World, dice: Dice) -> None:
        self._persona = persona
        self._abilities = abilities
        self._world = world
        self._dice = dice
        self.wording = Wording(world, persona.language, dice)
        self._patterns = self.wording.phrases.freelancer
        self._sectors = self.wording.sectors(3)

    def title(self) -> str:
        return self._sentence("title", self._dice.some_of(self._abilities.mastered, 1))

    def declared(self) -> list[int]:
        """Return a part of what is mastered, and a little that is not, in any order."""
        known, dice = self._abilities, self._dice
        skills = [skill for skill in known.mastered if dice.chance(_DECLARED)]
        skills += [skill for skill in known.lacking if dice.chance(_BOASTED)]
        skills += [skill for skill in known.foreign if dice.chance(_BOASTED)]
        return dice.some_of(skills, len(skills)) or [known.mastered[0]]

    def description(self) -> str:
        """Tell of some of what is mastered, whether it is in the list or not."""
        known, dice = self._abilities, self._dice
        told = dice.some_of(known.mastered, 6)
        body = [self._sentence("strengths", told[:3])]
        if len(told) > 3:
            body.append(self._sentence("story", told[3:4]))
        if len(told) > 4 and dice.chance(0.4):
            body.append(self._sentence("strengths", told[4:]))
        if known.lacking + known.foreign and dice.chance(0.3):
            body.append(self._sentence("interest", [dice.one_of(known.lacking + known.foreign)]))
        if dice.chance(0.6):
            body.append(self._sentence("style"))
        closing = [self._sentence("closing")] if dice.chance(0.4) else []
        return _joined(" ", [self._sentence("opening"), *dice.some_of(body, len(body)), *closing])

    def experience(self) -> str:
        """Tell of one to four assignments; what was done there is mastered, as a rule."""
        known, dice = self._abilities, self._dice
        lines = []
        for _ in range(dice.between(1, 4)):
            skills = dice.some_of(known.mastered, dice.between(1, 3))
            if known.lacking and dice.chance(0.15):
                skills.append(dice.one_of(known.lacking))
            lines.append(self._sentence("mission", skills))
        return _joined("\n", lines)

    def _sentence(self, kind: str, skills: list[int] | None = None) -> str:
        facts = Facts(
            title=self.wording.title(self._persona.occupation),
            sector=self._dice.one_of(self._sectors),
            months=self._dice.between(2, 18),
            years=self._abilities.years,
            seniority=self._abilities.seniority,
        )
        return self.wording.sentence(self._patterns[kind], facts, skills or ())


def _joined(separator: str, sentences: list[str]) -> str:
    return separator.join(sentence for sentence in sentences if sentence)


def _available(dice: Dice) -> str:
    return (_AFTER + timedelta(days=dice.between(-90, 150))).isoformat()


def _day_rate(persona: Persona, abilities: Abilities, dice: Dice) -> float:
    """Return euro a day, in tens: usual for group and country, more for seniors, up to a third up or down."""
    usual = load_market().day_rate(persona.category, persona.city.country) * _SENIORITY_COSTS[abilities.seniority]
    bargaining = 1 + 0.33 * (dice.share() + dice.share() - 1)
    return max(60.0, round(usual * bargaining, -1))
