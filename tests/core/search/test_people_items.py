"""Freelancers and projects as items: their text, and their fields in all languages."""

import dataclasses

from jobmatch_core.entities import NamedSkill, Place
from jobmatch_core.search.search_index import facts_of
from jobmatch_core.search.search_items import PeopleItems, item_title
from tests import made_marketplace
from tests.made_taxonomy import skilled_taxonomy

ITEMS = PeopleItems({"python": ("Python", "Python-Programmierung")})


def test_texts() -> None:
    """Title and skills come first; without a title, the category or the id is displayed."""
    freelancer = made_marketplace.freelancers()[0]
    item = ITEMS.freelancer(dataclasses.replace(freelancer, day_rate=500.0, country="DE"))
    assert item.texts[0].startswith("javascript. code. javascript")
    assert item.words.startswith(item.texts[0])
    assert facts_of(item.record) == ["en", "DE", "500 € per day", "synthetic"]
    bare = dataclasses.replace(freelancer, title="", category_name="", skills=(), description="")
    assert (ITEMS.freelancer(bare).texts, ITEMS.freelancer(bare).shared, item_title(bare)) == ((), (), freelancer.id)
    project = made_marketplace.projects(1)[0]
    assert "homepage" in ITEMS.project(project).words
    assert item_title(dataclasses.replace(project, title="", job_title="Developer")) == "Developer"


def test_fields_are_named_in_all_languages() -> None:
    """City, country, language and skills; an unknown skill keeps the profile's name."""
    freelancer = dataclasses.replace(
        made_marketplace.freelancers()[0],
        language="fr",
        country="DE",
        place=Place(50.94, 6.96),
        skills=(NamedSkill("python", "Python"), NamedSkill("text:knitting", "knitting")),
    )
    item = ITEMS.freelancer(freelancer)
    facts = item.facts.split(". ")
    assert {"Cologne", "Köln", "Allemagne", "Deutschland", "French", "französisch".title()} <= set(facts)
    assert facts[-3:] == ["Python", "Python-Programmierung", "knitting"]
    assert item.shared == (("Python", "Python-Programmierung"), ("knitting",))
    assert "Köln" in item.words
    assert "Python-Programmierung" not in item.words
    nowhere = dataclasses.replace(freelancer, language="", country="", place=None, skills=())
    assert ITEMS.freelancer(nowhere).facts == ""


def test_the_names_of_a_taxonomys_skills() -> None:
    """The preferred names in every language, by URI."""
    taxonomy = skilled_taxonomy()
    row = taxonomy.tables.skills["uri"].to_list()[0]
    freelancer = dataclasses.replace(made_marketplace.freelancers()[0], skills=(NamedSkill(row, "as written"),))
    [names] = PeopleItems.of(taxonomy).freelancer(freelancer).shared
    table = taxonomy.tables.skill_names
    assert set(names) == set(table[(table["skill"] == 0) & table["preferred"]]["text"])
