"""Hidden personas: true occupation and abilities of a freelancer, and true needs of a project."""

from dataclasses import dataclass

from jobmatch_core.marketplace.cities import City
from jobmatch_core.marketplace.demo.market import cities_of
from jobmatch_core.marketplace.demo.random_choices import RandomChoices
from jobmatch_core.marketplace.demo.world import DemoOccupation, World
from jobmatch_core.marketplace.skill_truth import Need

SENIORITY_YEARS = ((2, 3), (3, 7), (7, 15), (10, 25))  # lowest and highest, from junior to lead
_SENIORITY_WEIGHTS = (0.2, 0.55, 0.85, 1.0)  # cumulative
_MAIN_SPECIALTY = (0.70, 0.80, 0.88, 0.92)  # chance to master a skill of the main specialty, by seniority
_SIDE_SPECIALTY, _OTHER_SPECIALTIES = 0.5, 0.2
_FROM_A_RELATIVE, _FROM_ANYWHERE = 0.4, 0.3  # chance to master one or two skills of another occupation
_MISPLACED = 0.05  # share of freelancers who chose a neighbouring category


@dataclass(frozen=True, slots=True)
class Persona:
    """The person behind a profile, or the person a project truly looks for.

    Attributes:
        language: language code of the texts.
        occupation: true occupation.
        category: chosen category, seldom another of the family.
        city: location.
    """

    language: str
    occupation: DemoOccupation
    category: str
    city: City


@dataclass(frozen=True, slots=True)
class Abilities:
    """Abilities of a freelancer.

    Attributes:
        seniority: 0 (junior) to 3 (lead).
        years: years of practice.
        mastered: columns of mastered skills.
        lacking: columns of the occupation's skills that are not mastered.
        foreign: a few columns of skills unrelated to the occupation, not mastered either.
    """

    seniority: int
    years: int
    mastered: tuple[int, ...]
    lacking: tuple[int, ...]
    foreign: tuple[int, ...]


def draw_persona(world: World, random: RandomChoices) -> Persona:
    """Draw language, occupation and city."""
    language = world.languages[random.weighted(world.language_weights)]
    occupation = world.occupations[random.weighted(world.occupation_weights)]
    chosen = _relative(world, occupation, random) if random.chance(_MISPLACED) else occupation
    return Persona(language, occupation, chosen.category, random.one_of(cities_of(language)))


def draw_abilities(world: World, occupation: DemoOccupation, random: RandomChoices) -> Abilities:
    """Draw mastered skills: most of a main specialty, some of another, few of the others, a few stray ones."""
    seniority = random.weighted(_SENIORITY_WEIGHTS)
    main, *others = random.some_of(occupation.specialties, len(occupation.specialties))
    chances = [_MAIN_SPECIALTY[seniority], _SIDE_SPECIALTY, *[_OTHER_SPECIALTIES] * len(others)]
    known: dict[int, bool] = {}
    for specialty, chance in zip((main, *others), chances, strict=False):
        known |= {skill: random.chance(chance) for skill in specialty}
    if random.chance(_FROM_A_RELATIVE):
        known |= dict.fromkeys(_stray(_relative(world, occupation, random), random), True)
    anyone = world.occupations[random.weighted(world.occupation_weights)]
    if random.chance(_FROM_ANYWHERE):
        known |= dict.fromkeys(_stray(anyone, random), True)
    known[random.one_of(main)] = True
    foreign = world.occupations[random.weighted(world.occupation_weights)]
    return Abilities(
        seniority=seniority,
        years=random.between(*SENIORITY_YEARS[seniority]),
        mastered=tuple(skill for skill, is_mastered in known.items() if is_mastered),
        lacking=tuple(skill for skill, is_mastered in known.items() if not is_mastered),
        foreign=tuple(skill for skill in _stray(foreign, random) if skill not in known),
    )


def draw_need(world: World, occupation: DemoOccupation, random: RandomChoices) -> Need:
    """Draw two to four mandatory skills, mostly of one specialty, and up to three of bonus."""
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
