"""The demo marketplace: the same for the same seed, of any size, in the languages asked for, telling nothing hidden."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks, demo_marketplace
from jobmatch_core.marketplace.demo.market import LANGUAGES
from jobmatch_core.marketplace.demo.world import World
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.folding import fold
from jobmatch_core.towers.document_pairs import temporal_split
from tests.made_taxonomy import OCCUPATIONS, skilled_taxonomy

SPEC = DemoSpec(projects=60, freelancers=400, seed=1)
TEXTS = {
    "freelancer": ("title", "description", "experience", "family_name", "category_name"),
    "project": ("title", "job_title", "description", "family_name", "category_name"),
}


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    """Give the tiny one."""
    return skilled_taxonomy()


@pytest.fixture(scope="module")
def demo(taxonomy: Taxonomy) -> Marketplace:
    """Generate a small marketplace once."""
    return demo_marketplace(taxonomy, SPEC)


def texts(record: Freelancer | Project) -> list[str]:
    """Return all that can be read of a record."""
    if isinstance(record, Freelancer):
        return [*(getattr(record, field) for field in TEXTS["freelancer"]), *(skill.text for skill in record.skills)]
    listed = (*record.mandatory, *record.bonus)
    return [*(getattr(record, field) for field in TEXTS["project"]), *(skill.text for skill in listed)]


def coverage_of_answers(demo: Marketplace) -> tuple[np.ndarray, np.ndarray]:
    """Return the hidden coverage behind each answer, and the answers."""
    assert demo.truth is not None
    coverage = demo.truth.coverage()
    covered = [
        coverage[demo.project_rows[each.project], demo.freelancer_rows[each.freelancer]] for each in demo.interactions
    ]
    return np.array(covered), np.array([each.positive for each in demo.interactions])


def test_size_and_marks(demo: Marketplace) -> None:
    """As many as asked for, each with its own id, all marked as generated."""
    assert (len(demo.projects), len(demo.freelancers)) == (60, 400)
    assert (len(demo.project_rows), len(demo.freelancer_rows)) == (60, 400)
    assert demo.generated
    assert all(record.generated for record in (*demo.projects, *demo.freelancers))


def test_the_same_seed_gives_the_same_marketplace(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Records, answers and truth; another seed gives others."""
    same = demo_marketplace(skilled_taxonomy(), SPEC)
    assert replace(same, truth=None) == replace(demo, truth=None)
    assert same.truth is not None
    assert demo.truth is not None
    np.testing.assert_array_equal(same.truth.coverage(), demo.truth.coverage())
    other = demo_marketplace(taxonomy, replace(SPEC, seed=2))
    assert other.freelancers != demo.freelancers
    assert other.projects != demo.projects


def test_a_larger_one_begins_with_the_same(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Freelancers and projects do not change when there are more of them, also beyond a block."""
    larger = demo_marketplace(taxonomy, replace(SPEC, projects=70, freelancers=2100))
    assert len(larger.freelancers) == 2100
    assert larger.freelancers[:400] == demo.freelancers
    assert larger.projects[:60] == demo.projects


def test_it_comes_in_blocks(taxonomy: Taxonomy) -> None:
    """Of bounded size; progress is told to the end."""
    told: list[tuple[int, int]] = []
    blocks = list(
        demo_blocks(
            taxonomy,
            replace(SPEC, projects=3, freelancers=2100),
            progress=lambda done, total: told.append((done, total)),
        )
    )
    assert [len(block.freelancers) for block in blocks] == [0, 2048, 52, 0, 0]
    assert told == [(2048, 2103), (2100, 2103), (2103, 2103)]


def test_families_and_categories_are_isco_groups(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Named in the record's language."""
    for record in (*demo.projects, *demo.freelancers):
        assert record.category in OCCUPATIONS
        assert record.family == record.category[:2]
        assert record.category_name == taxonomy.group_name(record.category, record.language)
        assert record.family_name == taxonomy.group_name(record.family, record.language)


def test_languages(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Those with sentences where none is asked for; texts are in the record's own."""
    assert {each.language for each in demo.freelancers} == {each.language for each in demo.projects} == {"en", "de"}
    german = " ".join(text for each in demo.freelancers if each.language == "de" for text in texts(each))
    assert "Programmierer" in german
    assert "Bytes-Hämmern" in german
    assert " months" not in german
    for each in demo.freelancers:
        assert each.country in ({"DE", "AT", "CH", "LU"} if each.language == "de" else {each.country})


def test_the_bundled_taxonomy(tmp_path: Path) -> None:
    """Has skills enough for a marketplace in its eight languages, of many categories and families."""
    bundled = demo_marketplace(TaxonomyStore(tmp_path).load(), DemoSpec(40, 400))
    assert {each.language for each in bundled.freelancers} == set(LANGUAGES)
    assert len({each.category for each in bundled.freelancers}) >= 40
    assert len({each.family for each in bundled.freelancers}) >= 10
    _, positive = coverage_of_answers(bundled)
    assert 0.1 < positive.mean() < 0.7


@pytest.mark.parametrize("language", ["he", "ja"])
def test_languages_without_sentences(taxonomy: Taxonomy, language: str) -> None:
    """Names in a row, right to left or in kanji; a skill without a name there goes by its English one."""
    demo = demo_marketplace(taxonomy, DemoSpec(20, 60, 1, (language,)))
    known = {"he": r"[א-ת]", "ja": r"[\u3040-\u30ff\u4e00-\u9fff]"}[language]
    assert {each.language for each in (*demo.projects, *demo.freelancers)} == {language}
    assert all(re.search(known, each.title) for each in demo.freelancers if each.title)
    words = {word for each in demo.freelancers for word in fold(each.description).split()}
    assert words.isdisjoint({"and", "the", "months", "with", "in"})
    assert any(each.skills for each in demo.freelancers)


def test_no_text_tells_a_key(demo: Marketplace) -> None:
    """Neither of a skill nor of a category, nor anything of the truth."""
    for record in (*demo.projects, *demo.freelancers):
        for text in texts(record):
            assert "http" not in text
            assert not re.search(r"\d{4}", text)


def test_profiles_vary(demo: Marketplace) -> None:
    """No two descriptions are alike; one occupation goes by several titles; some sections are empty."""
    descriptions = [each.description for each in demo.freelancers if each.description]
    assert len(set(descriptions)) > 0.99 * len(descriptions)
    titles = {each.title.lower() for each in demo.freelancers if each.category == "2512" and each.language == "en"}
    assert any("coder" in title for title in titles)
    assert any("program writer" in title for title in titles)
    for field, least, most in (("description", 10, 60), ("experience", 50, 120), ("skills", 4, 40)):
        assert least <= sum(not getattr(each, field) for each in demo.freelancers) <= most
    assert any(not project.bonus for project in demo.projects)


def test_what_is_declared_is_not_what_is_mastered(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Skills are kept silent, and some are boasted of; descriptions tell of some that no list has."""
    assert demo.truth is not None
    names = World.of(taxonomy).skill_names
    silent = boasted = told = 0
    for row, freelancer in enumerate(demo.freelancers):
        declared = {skill.key for skill in freelancer.skills}
        columns = {demo.truth.skills[column]: column for column in demo.truth.mastered[row].indices}
        mastered = set(columns)
        silent += len(mastered - declared)
        boasted += len(declared - mastered)
        told += any(
            name in freelancer.description
            for key in mastered - declared
            for name in names[freelancer.language][columns[key]]
        )
        assert mastered
    assert silent > boasted > 50
    assert told > 200


def test_projects_need_what_they_list(demo: Marketplace) -> None:
    """And sometimes more; at least one skill is mandatory, and none is both."""
    assert demo.truth is not None
    unlisted = 0
    for need, project in zip(demo.truth.needs(), demo.projects, strict=True):
        mandatory, bonus = ({demo.truth.skills[column] for column in part} for part in (need.mandatory, need.bonus))
        assert mandatory
        assert not mandatory & bonus
        assert {skill.key for skill in project.mandatory} <= mandatory
        assert {skill.key for skill in project.bonus} <= bonus
        unlisted += len(mandatory) + len(bonus) - len(project.mandatory) - len(project.bonus)
    assert unlisted > 10


def test_the_same_skill_goes_by_several_names(demo: Marketplace) -> None:
    """Preferred and alternative, of the own language and in English."""
    names: dict[str, set[str]] = {}
    for each in demo.freelancers:
        for skill in each.skills:
            names.setdefault(skill.key, set()).add(skill.text)
    assert {"hammering bytes", "craft Aa", "Bytes-Hämmern"} <= names["http://skills/0-0"]


def test_dates(demo: Marketplace) -> None:
    """Projects over a year, answers some days later; freelancers are free around its end."""
    created = {project.id: date.fromisoformat(project.created) for project in demo.projects}
    assert 300 < (max(created.values()) - min(created.values())).days < 366
    delays = [(date.fromisoformat(each.date) - created[each.project]).days for each in demo.interactions]
    assert 1 <= min(delays) < max(delays) <= 22
    free = [each.available_from for each in demo.freelancers if each.available_from]
    assert 300 < len(free) < 400
    assert min(free) < max(project.created for project in demo.projects) < max(free)


def test_places_and_pay(demo: Marketplace) -> None:
    """Everybody is somewhere; a day costs a plausible sum, more for seniors."""
    assert all(each.place and each.country for each in (*demo.freelancers, *demo.projects))
    rates = [each.day_rate for each in demo.freelancers if each.day_rate]
    assert 300 < len(rates) < 400
    assert 60 <= min(rates) < max(rates) < 2500


def test_answers_follow_the_hidden_coverage(demo: Marketplace) -> None:
    """With noise: some who lack the skills are interested, some who have them are not."""
    coverage, positive = coverage_of_answers(demo)
    assert coverage[positive].mean() > coverage[~positive].mean() + 0.2
    assert positive[coverage < 0.3].any()
    assert not positive[coverage > 0.6].all()
    assert 0.2 < positive.mean() < 0.8


def test_the_history_is_biased(demo: Marketplace) -> None:
    """Some freelancers a project, each once; mostly of its language and category, but not only."""
    pairs = Counter((each.project, each.freelancer) for each in demo.interactions)
    assert set(pairs.values()) == {1}
    shown = Counter(each.project for each in demo.interactions)
    assert 2 <= min(shown.values()) < 9 < max(shown.values()) <= 18
    assert 6 <= len(demo.interactions) / len(demo.projects) <= 15
    met = [
        (demo.projects[demo.project_rows[each.project]], demo.freelancers[demo.freelancer_rows[each.freelancer]])
        for each in demo.interactions
    ]
    assert 0.55 < np.mean([project.language == freelancer.language for project, freelancer in met]) < 0.95
    assert 0.6 < np.mean([project.category == freelancer.category for project, freelancer in met]) < 0.99


def test_it_can_be_split(demo: Marketplace) -> None:
    """Both parts have positive and negative answers."""
    for part in temporal_split(demo, 0.2):
        assert {each.positive for each in part.interactions} == {True, False}


@pytest.mark.parametrize(
    "change",
    [
        lambda spec: replace(spec, projects=0),
        lambda spec: replace(spec, freelancers=0),
        lambda spec: replace(spec, seed=-1),
    ],
    ids=["no projects", "no freelancers", "negative seed"],
)
def test_numbers_that_cannot_be(taxonomy: Taxonomy, change: Callable[[DemoSpec], DemoSpec]) -> None:
    """Are told."""
    with pytest.raises(MarketplaceError, match="at least one of each"):
        list(demo_blocks(taxonomy, change(SPEC)))


def test_one_of_each(taxonomy: Taxonomy) -> None:
    """The smallest marketplace."""
    smallest = demo_marketplace(taxonomy, DemoSpec(1, 1))
    assert (len(smallest.projects), len(smallest.freelancers)) == (1, 1)
    assert len(smallest.interactions) <= 1


def test_origin(taxonomy: Taxonomy) -> None:
    """All that is needed to make it again."""
    assert replace(SPEC, languages=("de", "en")).origin(taxonomy) == {
        "generator": "1",
        "seed": "1",
        "taxonomy": "skilled-1",
        "taxonomy_hash": "0" * 64,
        "languages": "de, en",
    }
    assert SPEC.origin(taxonomy)["languages"] == "en, de"
