"""The demo marketplace is reproducible, of any size, and in the requested languages; its texts hide the truth."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo import generator
from jobmatch_core.marketplace.demo.generator import DEMO, DemoSpec, demo_blocks, demo_marketplace, install_demo
from jobmatch_core.marketplace.demo.market import LANGUAGES
from jobmatch_core.marketplace.demo.world import World
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
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
    """Return the tiny taxonomy with skills."""
    return skilled_taxonomy()


@pytest.fixture(scope="module")
def demo(taxonomy: Taxonomy) -> Marketplace:
    """Generate a small marketplace once."""
    return demo_marketplace(taxonomy, SPEC)


def texts(record: Freelancer | Project) -> list[str]:
    """Return all texts of a record."""
    if isinstance(record, Freelancer):
        return [*(getattr(record, field) for field in TEXTS["freelancer"]), *(skill.text for skill in record.skills)]
    listed = (*record.mandatory, *record.bonus)
    return [*(getattr(record, field) for field in TEXTS["project"]), *(skill.text for skill in listed)]


def coverage_of_answers(demo: Marketplace) -> tuple[np.ndarray, np.ndarray]:
    """Return the hidden coverage behind each answer, and the answers."""
    assert demo.truth is not None
    coverage = demo.truth.coverage()
    covered = [
        coverage[demo.project_rows[interaction.project], demo.freelancer_rows[interaction.freelancer]]
        for interaction in demo.interactions
    ]
    return np.array(covered), np.array([interaction.positive for interaction in demo.interactions])


def test_size_and_marks(demo: Marketplace) -> None:
    """The numbers are those requested; ids are unique, and all records are marked as generated."""
    assert (len(demo.projects), len(demo.freelancers)) == (60, 400)
    assert (len(demo.project_rows), len(demo.freelancer_rows)) == (60, 400)
    assert demo.generated
    assert all(record.generated for record in (*demo.projects, *demo.freelancers))


def test_the_same_seed_gives_the_same_marketplace(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Records, answers and truth are equal; another seed gives others."""
    same = demo_marketplace(skilled_taxonomy(), SPEC)
    assert replace(same, truth=None) == replace(demo, truth=None)
    assert same.truth is not None
    assert demo.truth is not None
    np.testing.assert_array_equal(same.truth.coverage(), demo.truth.coverage())
    other = demo_marketplace(taxonomy, replace(SPEC, seed=2))
    assert other.freelancers != demo.freelancers
    assert other.projects != demo.projects


def test_a_larger_one_begins_with_the_same(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """The first freelancers and projects of a larger marketplace are those of a smaller one, also beyond a block."""
    larger = demo_marketplace(taxonomy, replace(SPEC, projects=70, freelancers=2100))
    assert len(larger.freelancers) == 2100
    assert larger.freelancers[:400] == demo.freelancers
    assert larger.projects[:60] == demo.projects


def test_it_comes_in_blocks(taxonomy: Taxonomy) -> None:
    """Blocks have a limited size; progress ends with the total."""
    seen: list[tuple[int, int]] = []
    blocks = list(
        demo_blocks(
            taxonomy,
            replace(SPEC, projects=3, freelancers=2100),
            progress=lambda done, total: seen.append((done, total)),
        )
    )
    assert [len(block.freelancers) for block in blocks] == [0, 2048, 52, 0, 0]
    assert seen == [(2048, 2103), (2100, 2103), (2103, 2103)]


def test_families_and_categories_are_isco_groups(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Their names are in the record's language."""
    for record in (*demo.projects, *demo.freelancers):
        assert record.category in OCCUPATIONS
        assert record.family == record.category[:2]
        assert record.category_name == taxonomy.group_name(record.category, record.language)
        assert record.family_name == taxonomy.group_name(record.family, record.language)


def test_languages(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """The default languages are those with sentence patterns; texts are in the record's language."""
    for records in (demo.freelancers, demo.projects):
        assert {record.language for record in records} == {"en", "de"}
    german = " ".join(
        text for freelancer in demo.freelancers if freelancer.language == "de" for text in texts(freelancer)
    )
    assert "Programmierer" in german
    assert "Bytes-Hämmern" in german
    assert " months" not in german
    countries = {freelancer.country for freelancer in demo.freelancers if freelancer.language == "de"}
    assert countries <= {"DE", "AT", "CH", "LU"}


def test_the_bundled_taxonomy(tmp_path: Path) -> None:
    """It has enough skills for a marketplace in eight languages, with many categories and families."""
    bundled = demo_marketplace(TaxonomyStore(tmp_path).load(), DemoSpec(40, 400))
    assert {freelancer.language for freelancer in bundled.freelancers} == set(LANGUAGES)
    assert len({freelancer.category for freelancer in bundled.freelancers}) >= 40
    assert len({freelancer.family for freelancer in bundled.freelancers}) >= 10
    _, positive = coverage_of_answers(bundled)
    assert 0.1 < positive.mean() < 0.7


@pytest.mark.parametrize("language", ["he", "ja"])
def test_languages_without_sentences(taxonomy: Taxonomy, language: str) -> None:
    """Descriptions are lists of names, also in Hebrew and Japanese; skills without a name have their English one."""
    demo = demo_marketplace(taxonomy, DemoSpec(20, 60, 1, (language,)))
    letters = {"he": r"[א-ת]", "ja": r"[\u3040-\u30ff\u4e00-\u9fff]"}[language]
    assert {record.language for record in (*demo.projects, *demo.freelancers)} == {language}
    assert all(re.search(letters, freelancer.title) for freelancer in demo.freelancers if freelancer.title)
    words = {word for freelancer in demo.freelancers for word in fold(freelancer.description).split()}
    assert words.isdisjoint({"and", "the", "months", "with", "in"})
    assert any(freelancer.skills for freelancer in demo.freelancers)


def test_no_text_tells_a_key(demo: Marketplace) -> None:
    """Texts contain no keys of skills or categories, and no truth."""
    for record in (*demo.projects, *demo.freelancers):
        for text in texts(record):
            assert "http" not in text
            assert not re.search(r"\d{4}", text)


def test_profiles_vary(demo: Marketplace) -> None:
    """Descriptions differ; an occupation has several titles; some sections are empty."""
    descriptions = [freelancer.description for freelancer in demo.freelancers if freelancer.description]
    assert len(set(descriptions)) > 0.99 * len(descriptions)
    titles = {
        freelancer.title.lower()
        for freelancer in demo.freelancers
        if freelancer.category == "2512" and freelancer.language == "en"
    }
    assert any("coder" in title for title in titles)
    assert any("program writer" in title for title in titles)
    for field, least, most in (("description", 10, 60), ("experience", 50, 120), ("skills", 4, 40)):
        assert least <= sum(not getattr(freelancer, field) for freelancer in demo.freelancers) <= most
    assert any(not project.bonus for project in demo.projects)


def test_what_is_declared_is_not_what_is_mastered(taxonomy: Taxonomy, demo: Marketplace) -> None:
    """Some mastered skills are not declared, some lacking ones are; descriptions have skills outside the list."""
    assert demo.truth is not None
    names = World.of(taxonomy).skill_names
    silent = boasted = described = 0
    for row, freelancer in enumerate(demo.freelancers):
        declared = {skill.key for skill in freelancer.skills}
        columns = {demo.truth.skills[column]: column for column in demo.truth.mastered[row].indices}
        mastered = set(columns)
        silent += len(mastered - declared)
        boasted += len(declared - mastered)
        described += any(
            name in freelancer.description
            for key in mastered - declared
            for name in names[freelancer.language][columns[key]]
        )
        assert mastered
    assert silent > boasted > 50
    assert described > 200


def test_projects_need_what_they_list(demo: Marketplace) -> None:
    """Sometimes they need more; at least one skill is mandatory, and none is both mandatory and bonus."""
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
    """Names are preferred or alternative, in the own language or in English."""
    names: dict[str, set[str]] = {}
    for freelancer in demo.freelancers:
        for skill in freelancer.skills:
            names.setdefault(skill.key, set()).add(skill.text)
    assert {"hammering bytes", "craft Aa", "Bytes-Hämmern"} <= names["http://skills/0-0"]


def test_dates(demo: Marketplace) -> None:
    """Projects span a year, answers follow within days; freelancers become available around the end of the year."""
    created = {project.id: date.fromisoformat(project.created) for project in demo.projects}
    assert 300 < (max(created.values()) - min(created.values())).days < 366
    delays = [
        (date.fromisoformat(interaction.date) - created[interaction.project]).days for interaction in demo.interactions
    ]
    assert 1 <= min(delays) < max(delays) <= 22
    free = [freelancer.available_from for freelancer in demo.freelancers if freelancer.available_from]
    assert 300 < len(free) < 400
    assert min(free) < max(project.created for project in demo.projects) < max(free)


def test_places_and_pay(demo: Marketplace) -> None:
    """All records have a place; day rates are plausible, and higher for seniors."""
    assert all(record.place and record.country for record in (*demo.freelancers, *demo.projects))
    rates = [freelancer.day_rate for freelancer in demo.freelancers if freelancer.day_rate]
    assert 300 < len(rates) < 400
    assert 60 <= min(rates) < max(rates) < 2500


def test_answers_follow_the_hidden_coverage(demo: Marketplace) -> None:
    """With noise: some freelancers without the skills are interested, some with them are not."""
    coverage, positive = coverage_of_answers(demo)
    assert coverage[positive].mean() > coverage[~positive].mean() + 0.2
    assert positive[coverage < 0.3].any()
    assert not positive[coverage > 0.6].all()
    assert 0.2 < positive.mean() < 0.8


def test_the_history_is_biased(demo: Marketplace) -> None:
    """A project meets some freelancers once each, mostly of its language and category."""
    pairs = Counter((interaction.project, interaction.freelancer) for interaction in demo.interactions)
    assert set(pairs.values()) == {1}
    shown = Counter(interaction.project for interaction in demo.interactions)
    assert 2 <= min(shown.values()) < 9 < max(shown.values()) <= 18
    assert 6 <= len(demo.interactions) / len(demo.projects) <= 15
    met = [
        (demo.projects[demo.project_rows[project]], demo.freelancers[demo.freelancer_rows[freelancer]])
        for project, freelancer in pairs
    ]
    assert 0.55 < np.mean([project.language == freelancer.language for project, freelancer in met]) < 0.95
    assert 0.6 < np.mean([project.category == freelancer.category for project, freelancer in met]) < 0.99


def test_it_can_be_split(demo: Marketplace) -> None:
    """Both parts have positive and negative answers."""
    for part in temporal_split(demo, 0.2):
        assert {interaction.positive for interaction in part.interactions} == {True, False}


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
    """They are refused."""
    with pytest.raises(MarketplaceError, match="at least one project"):
        list(demo_blocks(taxonomy, change(SPEC)))


def test_one_of_each(taxonomy: Taxonomy) -> None:
    """A marketplace may have one project and one freelancer."""
    smallest = demo_marketplace(taxonomy, DemoSpec(1, 1))
    assert (len(smallest.projects), len(smallest.freelancers)) == (1, 1)
    assert len(smallest.interactions) <= 1


def test_origin(taxonomy: Taxonomy) -> None:
    """The origin has all that is needed to generate the marketplace again."""
    assert replace(SPEC, languages=("de", "en")).origin(taxonomy) == {
        "generator": "1",
        "seed": "1",
        "taxonomy": "skilled-1",
        "taxonomy_hash": "0" * 64,
        "languages": "de, en",
    }
    assert SPEC.origin(taxonomy)["languages"] == "en, de"


def test_the_demo_is_installed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is marked as generated, and never replaces another one."""
    monkeypatch.setattr(generator, "DemoSpec", partial(DemoSpec, projects=2, freelancers=5))
    settings, steps = Settings(tmp_path), []
    manifest = install_demo(settings, progress=lambda done, total: steps.append((done, total)))
    assert (manifest.name, manifest.generated) == (DEMO, True)
    assert (manifest.counts["projects"], manifest.counts["freelancers"]) == (2, 5)
    assert steps[-1] == (7, 7)
    assert [manifest.name for manifest in MarketplaceStore.open(settings).installed()] == [DEMO]
    with pytest.raises(MarketplaceError, match="already"):
        install_demo(settings)


def test_the_default_size() -> None:
    """The numbers are those of the tutorials."""
    assert (DemoSpec().projects, DemoSpec().freelancers) == (500, 5000)
