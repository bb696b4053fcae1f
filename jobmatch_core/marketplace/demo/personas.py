"""What nobody is told: who a freelancer is, what they master, and what a project truly needs."""

from dataclasses import dataclass

from jobmatch_core.marketplace.demo.market import City, cities_of
from jobmatch_core.marketplace.demo.random_choices import Dice
from jobmatch_core.marketplace.demo.world import DemoOccupation, World
from jobmatch_core.marketplace.skill_truth import Need

SENIORITY_YEARS = ((2, 3), (3, 7), (7, 15), (10, 25))  # lowest and highest, from junior to lead
_SENIORITY_WEIGHTS = (0.2, 0.55, 0.85, 1.0)  # cumulative
_MAIN_SPECIALTY = (0.70, 0.80, 0.88, 0.92)  # chance to master a skill of one's main specialty, by seniority
_SIDE_SPECIALTY, _OTHER_SPECIALTIES = 0.5, 0.2
_FROM_A_RELATIVE, _FROM_ANYWHERE = 0.4, 0.3  # chance to master one or two skills of another occupation
_MISPLACED = 0.05  # who chose a neighbouring category


@dataclass(frozen=True, slots=True)
class Persona:
    """A freelancer behind the profile, or who a project truly looks for.

    Attributes:
        language: of the texts.
        occupation: true one.
        category: the chosen one, seldom another of the family.
        city: where they are.
    """

    language: str
    occupation: DemoOccupation
    category: str
    city: City


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a freelancer can do.

    Attributes:
        seniority: from 0, junior, to 3, lead.
        years: of practice.
        mastered: columns of skills.
        lacking: columns of skills of the same occupation that are not mastered.
        foreign: a few columns that have nothing to do with the occupation, not mastered either.
    """

    seniority: int
    years: int
    mastered: tuple[int, ...]
    lacking: tuple[int, ...]
    foreign: tuple[int, ...]


def draw_persona(world: World, dice: Dice) -> Persona:
    """Draw language, occupation and city."""
    language = world.languages[dice.weighted(world.language_weights)]
    occupation = world.occupations[dice.weighted(world.occupation_weights)]
    chosen = _relative(world, occupation, dice) if dice.chance(_MISPLACED) else occupation
    return Persona(language, occupation, chosen.category, dice.one_of(cities_of(language)))


def draw_abilities(world: World, occupation: DemoOccupation, dice: Dice) -> Abilities:
    """Draw what is mastered: most of a main specialty, some of another, little of the others, a few stray skills."""
    seniority = dice.weighted(_SENIORITY_WEIGHTS)
    main, *others = dice.some_of(occupation.specialties, len(occupation.specialties))
    chances = [_MAIN_SPECIALTY[seniority], _SIDE_SPECIALTY, *[_OTHER_SPECIALTIES] * len(others)]
    known: dict[int, bool] = {}
    for specialty, chance in zip((main, *others), chances, strict=False):
        known |= {skill: dice.chance(chance) for skill in specialty}
    if dice.chance(_FROM_A_RELATIVE):
        known |= dict.fromkeys(_stray(_relative(world, occupation, dice), dice), True)
    anyone = world.occupations[dice.weighted(world.occupation_weights)]
    if dice.chance(_FROM_ANYWHERE):
        known |= dict.fromkeys(_stray(anyone, dice), True)
    known[dice.one_of(main)] = True
    foreign = world.occupations[dice.weighted(world.occupation_weights)]
    return Abilities(
        seniority=seniority,
        years=dice.between(*SENIORITY_YEARS[seniority]),
        mastered=tuple(skill for skill, is_mastered in known.items() if is_mastered),
        lacking=tuple(skill for skill, is_mastered in known.items() if not is_mastered),
        foreign=tuple(skill for skill in _stray(foreign, dice) if skill not in known),
    )


def draw_need(world: World, occupation: DemoOccupation, dice: Dice) -> Need:
    """Draw two to four mandatory skills, mostly of one specialty, and up to three of bonus."""
    specialties = dice.some_of(occupation.specialties, 2)
    main = dice.some_of(specialties[0], len(specialties[0]))
    side = dice.some_of(specialties[-1], len(specialties[-1])) if len(specialties) > 1 else []
    wanted = list(dict.fromkeys([*main, *side]))
    n_mandatory = dice.between(2, 4)
    rest = wanted[n_mandatory:]
    if dice.chance(_FROM_A_RELATIVE):
        rest += [skill for skill in _stray(_relative(world, occupation, dice), dice) if skill not in wanted]
    return Need(tuple(wanted[:n_mandatory]), tuple(dice.some_of(rest, dice.between(0, 3))))


def _relative(world: World, occupation: DemoOccupation, dice: Dice) -> DemoOccupation:
    return world.occupations[dice.one_of(occupation.relatives)]


def _stray(occupation: DemoOccupation, dice: Dice) -> list[int]:
    return dice.some_of(dice.one_of(occupation.specialties), dice.between(1, 2))
