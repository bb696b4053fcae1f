"""The orders of a finder's list: the same as if all profiles were read, with fewer of them read."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.entities import Freelancer, NamedSkill
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.ranking.ranker import shipped_ranker
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.matches import Arrangement, MatchOrder
from jobmatch_core.settings import Settings
from tests.hashing_model import HashingModel
from tests.made_marketplace import freelancers, projects

COMPLETE = Arrangement(complete=True)
WANTED = tuple(NamedSkill(key, text) for key, text in (("web", "javascript"), ("data", "python"), ("x", "junior")))


@pytest.fixture
def finder(tmp_path: Path) -> Finder:
    """Open the finder of the tiny marketplace, with the shipped ranker."""
    settings = Settings(tmp_path)
    block = RecordBlock(projects=list(projects(1)), freelancers=list(freelancers()))
    MarketplaceStore.open(settings).save("tiny", [block], origin={}, generated=True)
    return open_finder("tiny", HashingModel(), ranker=shipped_ranker(), settings=settings)


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("order", list(MatchOrder))
def test_a_short_list_begins_a_long_one(
    finder: Finder, order: MatchOrder, complete: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With must-haves that are declared, in the text alone, or nowhere; fewer profiles are read for it."""
    read: list[int] = []
    by_id = finder.profiles.by_id

    def counted(ids: Sequence[str]) -> dict[str, Freelancer]:
        read.append(len(ids))
        return by_id(ids)

    monkeypatch.setattr(finder.profiles, "by_id", counted)
    arrangement, everybody = Arrangement(order, complete), len(freelancers())
    for project in projects(1):
        for n in range(len(WANTED) + 1):
            wanted = replace(project, mandatory=WANTED[:n])
            whole = finder.match(wanted, limit=everybody, arrangement=arrangement)
            for limit in (1, 3, 7, 12):
                assert finder.match(wanted, limit=limit, arrangement=arrangement) == whole[:limit]
    assert min(read) < everybody


def test_a_must_have_that_is_a_feminine_noun(tmp_path: Path) -> None:
    """It is found in a text whose nouns are indexed in one gender, however short the list is."""
    settings, skill = Settings(tmp_path), NamedSkill("s", "estadística")
    [project] = projects(1)[:1]
    project = replace(project, mandatory=(skill,))
    [first, *others] = freelancers()[:3]
    people = [replace(first, language="es", description="Trabajo con estadística aplicada."), *others]
    block = RecordBlock(projects=[project], freelancers=people)
    MarketplaceStore.open(settings).save("tiny", [block], origin={}, generated=True)
    finder = open_finder("tiny", HashingModel(), settings=settings)
    for limit in (1, 2, 3):
        assert finder.match(project, limit=limit)[0].freelancer.id == first.id
        assert [each.freelancer.id for each in finder.match(project, limit=limit, arrangement=COMPLETE)] == [first.id]
