"""The projects that everybody sees: what a company writes names most of what it needs, in its own words."""

from collections.abc import Sequence
from datetime import date, timedelta

from jobmatch_core.entities import Project
from jobmatch_core.marketplace.demo.personas import Persona
from jobmatch_core.marketplace.demo.random_choices import Dice
from jobmatch_core.marketplace.demo.wording import Facts, Wording
from jobmatch_core.marketplace.demo.world import World
from jobmatch_core.marketplace.skill_truth import Need

FIRST_DAY, DAYS = date(2025, 11, 1), 365  # in which projects are created, more and more of them
_GROWTH = 0.8  # exponent under 1: the later, the more
_LISTED = 0.9  # chance that a needed skill is in the list
_NO_JOB_TITLE, _NO_DESCRIPTION, _NO_MANDATORY, _NO_BONUS = 0.1, 0.04, 0.06, 0.25  # sections that nobody filled


def write_project(row: int, persona: Persona, need: Need, world: World, dice: Dice) -> Project:
    """Write what a company is looking for."""
    wording = Wording(world, persona.language, dice)
    facts = Facts(wording.title(persona.occupation), sector=wording.sectors(1)[0], months=dice.between(2, 18))
    names = world.group_names[persona.language]
    family = persona.category[:2]
    day = int(DAYS * dice.share() ** _GROWTH)
    return Project(
        id=f"p{row + 1:06d}",
        language=persona.language,
        title=wording.sentence(wording.phrases.project["title"], facts, need.mandatory),
        job_title="" if dice.chance(_NO_JOB_TITLE) else wording.title(persona.occupation),
        description="" if dice.chance(_NO_DESCRIPTION) else _description(need, facts, wording, dice),
        family=family,
        family_name=names[family],
        category=persona.category,
        category_name=names[persona.category],
        mandatory=() if dice.chance(_NO_MANDATORY) else wording.named(_listed(need.mandatory, dice)),
        bonus=() if dice.chance(_NO_BONUS) else wording.named(_listed(need.bonus, dice)),
        created=(FIRST_DAY + timedelta(days=day)).isoformat(),
        country=persona.city.country,
        place=persona.city.place,
        generated=True,
    )


def _listed(skills: Sequence[int], dice: Dice) -> list[int]:
    return [skill for skill in dice.some_of(skills, len(skills)) if dice.chance(_LISTED)]


def _description(need: Need, facts: Facts, wording: Wording, dice: Dice) -> str:
    """Tell of the tasks, what is a must, what would be welcome, and the frame."""
    patterns = wording.phrases.project
    mandatory = dice.some_of(need.mandatory, len(need.mandatory))
    half = (len(mandatory) + 1) // 2
    sentences = [wording.sentence(patterns["opening"], facts)]
    sentences.append(wording.sentence(patterns["tasks"], facts, mandatory[:half]))
    if dice.chance(0.7):
        sentences.append(wording.sentence(patterns["must"], facts, mandatory[half:]))
    if need.bonus and dice.chance(0.6):
        sentences.append(wording.sentence(patterns["nice"], facts, dice.some_of(need.bonus, 2)))
    sentences += [wording.sentence(patterns[kind], facts) for kind in ("frame", "closing") if dice.chance(0.6)]
    return " ".join(sentence for sentence in sentences if sentence)
