"""Synthetic projects: the text of a company names most of its needs, in its own words."""

from collections.abc import Sequence
from datetime import date, timedelta

from jobmatch_core.entities import Project
from jobmatch_core.marketplace.demo.personas import Persona
from jobmatch_core.marketplace.demo.random_choices import RandomChoices
from jobmatch_core.marketplace.demo.wording import Facts, Wording
from jobmatch_core.marketplace.demo.world import World
from jobmatch_core.marketplace.skill_truth import Need

FIRST_DAY, DAYS = date(2025, 11, 1), 365  # period in which projects are created, more and more of them
_GROWTH = 0.8  # exponent under 1: the later, the more
_LISTED = 0.9  # chance that a needed skill is in the list
_NO_JOB_TITLE, _NO_DESCRIPTION, _NO_MANDATORY, _NO_BONUS = 0.1, 0.04, 0.06, 0.25  # shares of empty sections


def write_project(row: int, persona: Persona, need: Need, world: World, random: RandomChoices) -> Project:
    """Return a project with the text of a need."""
    wording = Wording(world, persona.language, random)
    facts = Facts(wording.title(persona.occupation), sector=wording.sectors(1)[0], months=random.between(2, 18))
    names = world.group_names[persona.language]
    family = persona.category[:2]
    day = int(DAYS * random.share() ** _GROWTH)
    return Project(
        id=f"p{row + 1:06d}",
        language=persona.language,
        title=wording.sentence(wording.phrases.project["title"], facts, need.mandatory),
        job_title="" if random.chance(_NO_JOB_TITLE) else wording.title(persona.occupation),
        description="" if random.chance(_NO_DESCRIPTION) else _description(need, facts, wording, random),
        family=family,
        family_name=names[family],
        category=persona.category,
        category_name=names[persona.category],
        mandatory=() if random.chance(_NO_MANDATORY) else wording.named(_listed(need.mandatory, random)),
        bonus=() if random.chance(_NO_BONUS) else wording.named(_listed(need.bonus, random)),
        created=(FIRST_DAY + timedelta(days=day)).isoformat(),
        country=persona.city.country,
        place=persona.city.place,
        generated=True,
    )


def _listed(skills: Sequence[int], random: RandomChoices) -> list[int]:
    return [skill for skill in random.some_of(skills, len(skills)) if random.chance(_LISTED)]


def _description(need: Need, facts: Facts, wording: Wording, random: RandomChoices) -> str:
    """Return a description of the tasks, the mandatory and the bonus skills, and the conditions."""
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
