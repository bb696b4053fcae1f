"""Synthetic freelancers and projects: hidden personas, and texts written from them.

A profile has most of a freelancer's skills, and some that the freelancer lacks; a project has most of its true needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.marketplace.cities import City
from jobmatch_core.marketplace.demo.market import cities_of, load_market, load_phrases
from jobmatch_core.marketplace.demo.world import DemoOccupation, RandomChoices, World
from jobmatch_core.marketplace.marketplace import Need
from jobmatch_core.text.locales import ENGLISH

_SENIORITY_YEARS = ((2, 3), (3, 7), (7, 15), (10, 25))  # lowest and highest, from junior to lead
_SENIORITY_WEIGHTS = (0.2, 0.55, 0.85, 1.0)  # cumulative
_MAIN_SPECIALTY = (0.70, 0.80, 0.88, 0.92)  # chance to master a skill of the main specialty, by seniority
_SIDE_SPECIALTY, _OTHER_SPECIALTIES = 0.5, 0.2
_FROM_A_RELATIVE, _FROM_ANYWHERE = 0.4, 0.3  # chance to master one or two skills of another occupation
_MISPLACED = 0.05  # share of freelancers who chose a neighbouring category
_PREFERRED = 0.5  # share of a skill's mentions by its preferred name
_IN_ENGLISH = 0.2  # share of a skill's mentions by its English name in other languages
_DECLARED = 0.65  # chance that a mastered skill is declared
_BOASTED = 0.12  # chance that a lacking skill is declared
_NO_TITLE, _NO_DESCRIPTION, _NO_SKILLS, _NO_EXPERIENCE = 0.01, 0.07, 0.04, 0.2  # shares of empty sections
_UNKNOWN = 0.1  # share without availability or day rate
_SENIORITY_COSTS = (0.75, 1.0, 1.25, 1.45)
_AFTER = date(2026, 11, 1)  # date around which freelancers become available
_FIRST_DAY, _DAYS = date(2025, 11, 1), 365  # period in which projects are created
_GROWTH = 0.8  # exponent below 1: later days have more projects
_LISTED = 0.9  # chance that a needed skill is in the list
_NO_JOB_TITLE, _NO_JOB_DESCRIPTION, _NO_MANDATORY, _NO_BONUS = 0.1, 0.04, 0.06, 0.25  # shares of empty sections


@dataclass(frozen=True, slots=True)
class Persona:
    """The person behind a profile, or the person that a project needs."""

    language: str
    occupation: DemoOccupation
    category: str  # rarely that of another occupation of the family
    city: City


@dataclass(frozen=True, slots=True)
class Abilities:
    """Abilities of a freelancer."""

    seniority: int  # 0 (junior) to 3 (lead)
    years: int  # years of practice
    mastered: tuple[int, ...]  # columns of mastered skills
    lacking: tuple[int, ...]  # columns of the occupation's skills that are not mastered
    foreign: tuple[int, ...]  # columns of a few unrelated skills that are not mastered


def draw_persona(world: World, random: RandomChoices) -> Persona:
    """Draw language, occupation and city."""
    language = world.languages[random.weighted(world.language_weights)]
    occupation = world.occupations[random.weighted(world.occupation_weights)]
    chosen = _relative(world, occupation, random) if random.chance(_MISPLACED) else occupation
    return Persona(language, occupation, chosen.category, random.one_of(cities_of(language)))


def draw_abilities(world: World, occupation: DemoOccupation, random: RandomChoices) -> Abilities:
    """Draw mastered skills: most of a main specialty, some of another, few of the others, and a few unrelated ones."""
    seniority = random.weighted(_SENIORITY_WEIGHTS)
    main, *others = random.some_of(occupation.specialties, len(occupation.specialties))
    chances = [_MAIN_SPECIALTY[seniority], _SIDE_SPECIALTY, *[_OTHER_SPECIALTIES] * len(others)]
    mastered: dict[int, bool] = {}
    for specialty, chance in zip((main, *others), chances, strict=False):
        mastered |= {skill: random.chance(chance) for skill in specialty}
    if random.chance(_FROM_A_RELATIVE):
        mastered |= dict.fromkeys(_stray(_relative(world, occupation, random), random), True)
    anyone = world.occupations[random.weighted(world.occupation_weights)]
    if random.chance(_FROM_ANYWHERE):
        mastered |= dict.fromkeys(_stray(anyone, random), True)
    mastered[random.one_of(main)] = True
    foreign = world.occupations[random.weighted(world.occupation_weights)]
    return Abilities(
        seniority=seniority,
        years=random.between(*_SENIORITY_YEARS[seniority]),
        mastered=tuple(skill for skill, is_mastered in mastered.items() if is_mastered),
        lacking=tuple(skill for skill, is_mastered in mastered.items() if not is_mastered),
        foreign=tuple(skill for skill in _stray(foreign, random) if skill not in mastered),
    )


def draw_need(world: World, occupation: DemoOccupation, random: RandomChoices) -> Need:
    """Draw two to four mandatory skills, mostly of one specialty, and up to three bonus skills."""
    specialties = random.some_of(occupation.specialties, 2)
    main = random.some_of(specialties[0], len(specialties[0]))
    side = random.some_of(specialties[-1], len(specialties[-1])) if len(specialties) > 1 else []
    wanted = list(dict.fromkeys([*main, *side]))
    n_mandatory = random.between(2, 4)
    rest = wanted[n_mandatory:]
    if random.chance(_FROM_A_RELATIVE):
        rest += [skill for skill in _stray(_relative(world, occupation, random), random) if skill not in wanted]
    return Need(tuple(wanted[:n_mandatory]), tuple(random.some_of(rest, random.between(0, 3))))


def _relative(world: World, occupation: DemoOccupation, random: RandomChoices) -> DemoOccupation:
    return world.occupations[random.one_of(occupation.relatives)]


def _stray(occupation: DemoOccupation, random: RandomChoices) -> list[int]:
    return random.some_of(random.one_of(occupation.specialties), random.between(1, 2))


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a sentence besides skills: title of the occupation, economic sector, duration, practice, seniority."""

    title: str
    sector: str
    months: int
    years: int = 0
    seniority: int = 0


class Wording:
    """Draws the words of one document in a language."""

    def __init__(self, world: World, language: str, random: RandomChoices) -> None:
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
        """Return skills with one of their names each."""
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
        available_from=""
        if random.chance(_UNKNOWN)
        else (_AFTER + timedelta(days=random.between(-90, 150))).isoformat(),
        day_rate=None if random.chance(_UNKNOWN) else _day_rate(persona, abilities, random),
        generated=True,
    )


class _ProfileWriter:
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
        abilities, random = self._abilities, self._random
        skills = [skill for skill in abilities.mastered if random.chance(_DECLARED)]
        skills += [skill for skill in abilities.lacking if random.chance(_BOASTED)]
        skills += [skill for skill in abilities.foreign if random.chance(_BOASTED)]
        return random.some_of(skills, len(skills)) or [abilities.mastered[0]]

    def description(self) -> str:
        abilities, random = self._abilities, self._random
        described = random.some_of(abilities.mastered, 6)
        body = [self._sentence("strengths", described[:3])]
        if len(described) > 3:
            body.append(self._sentence("story", described[3:4]))
        if len(described) > 4 and random.chance(0.4):
            body.append(self._sentence("strengths", described[4:]))
        if abilities.lacking + abilities.foreign and random.chance(0.3):
            body.append(self._sentence("interest", [random.one_of(abilities.lacking + abilities.foreign)]))
        if random.chance(0.6):
            body.append(self._sentence("style"))
        closing = [self._sentence("closing")] if random.chance(0.4) else []
        return _joined(" ", [self._sentence("opening"), *random.some_of(body, len(body)), *closing])

    def experience(self) -> str:
        abilities, random = self._abilities, self._random
        lines = []
        for _ in range(random.between(1, 4)):
            skills = random.some_of(abilities.mastered, random.between(1, 3))
            if abilities.lacking and random.chance(0.15):
                skills.append(random.one_of(abilities.lacking))
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


def _day_rate(persona: Persona, abilities: Abilities, random: RandomChoices) -> float:
    # in euro, rounded to tens: the usual rate of group, country and seniority, up to a third higher or lower
    usual = load_market().day_rate(persona.category, persona.city.country) * _SENIORITY_COSTS[abilities.seniority]
    bargaining = 1 + 0.33 * (random.share() + random.share() - 1)
    return max(60.0, round(usual * bargaining, -1))


def write_project(row: int, persona: Persona, need: Need, world: World, random: RandomChoices) -> Project:
    """Return a project with the text of a need."""
    wording = Wording(world, persona.language, random)
    facts = Facts(wording.title(persona.occupation), sector=wording.sectors(1)[0], months=random.between(2, 18))
    names = world.group_names[persona.language]
    family = persona.category[:2]
    day = int(_DAYS * random.share() ** _GROWTH)
    return Project(
        id=f"p{row + 1:06d}",
        language=persona.language,
        title=wording.sentence(wording.phrases.project["title"], facts, need.mandatory),
        job_title="" if random.chance(_NO_JOB_TITLE) else wording.title(persona.occupation),
        description="" if random.chance(_NO_JOB_DESCRIPTION) else _description(need, facts, wording, random),
        family=family,
        family_name=names[family],
        category=persona.category,
        category_name=names[persona.category],
        mandatory=() if random.chance(_NO_MANDATORY) else wording.named(_listed(need.mandatory, random)),
        bonus=() if random.chance(_NO_BONUS) else wording.named(_listed(need.bonus, random)),
        created=(_FIRST_DAY + timedelta(days=day)).isoformat(),
        country=persona.city.country,
        place=persona.city.place,
        generated=True,
    )


def _listed(skills: Sequence[int], random: RandomChoices) -> list[int]:
    return [skill for skill in random.some_of(skills, len(skills)) if random.chance(_LISTED)]


def _description(need: Need, facts: Facts, wording: Wording, random: RandomChoices) -> str:
    patterns = wording.phrases.project
    mandatory = random.some_of(need.mandatory, len(need.mandatory))
    half = (len(mandatory) + 1) // 2
    sentences = [wording.sentence(patterns["opening"], facts)]
    sentences.append(wording.sentence(patterns["tasks"], facts, mandatory[:half]))
    if random.chance(0.7):
        sentences.append(wording.sentence(patterns["must"], facts, mandatory[half:]))
    if need.bonus and random.chance(0.6):
        sentences.append(wording.sentence(patterns["nice"], facts, random.some_of(need.bonus, 2)))
    sentences += [wording.sentence(patterns[kind], facts) for kind in ("frame", "closing") if random.chance(0.6)]
    return " ".join(sentence for sentence in sentences if sentence)
