"""A project, freelancers and a match, written by hand."""

from dataclasses import replace

from jobmatch_core.entities import Freelancer, NamedSkill, Place, Project
from jobmatch_core.ranking.ranker import Fit
from jobmatch_core.retrieval.matches import Contributions, Match, compared_skills

ANNA = Freelancer(
    id="anna",
    language="de",
    title="=HYPERLINK(1)",
    description="python",
    experience="",
    family="25",
    family_name="IT",
    category="2512",
    category_name="",
    skills=(NamedSkill("py", "Python"),),
    country="DE",
    place=Place(52.5, 13.4),
    available_from="2026-01-01",
    day_rate=400.0,
    generated=True,
)
BEA = replace(ANNA, id="bea", title="bridges", place=None, day_rate=None, language="fr", skills=())
NOBODY = replace(BEA, country="", available_from="")  # says nothing that a profile need not say
PROJECT = Project(
    id="p1",
    language="en",
    title="shop",
    job_title="",
    description="",
    family="",
    family_name="",
    category="",
    category_name="",
    mandatory=(NamedSkill("py", "python"), NamedSkill("ml", "ML")),
    bonus=(NamedSkill("sql", "SQL"),),
)
MATCH = Match(
    ANNA,
    0.123456,
    1,
    compared_skills(PROJECT, ANNA),
    Contributions({"title": 0.12345}, {"title": 0.5}),
    Fit(4.25, (("category", 3.4), ("similarity", 0.85))),
)
