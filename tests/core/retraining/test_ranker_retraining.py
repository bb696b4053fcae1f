"""The second stage refitted: adopted where it is better, kept where it is not or where there is too little to tell."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.comparisons import FEWEST_TOLD
from jobmatch_core.ranking.evidence import Source
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.ranking.ranker import RANKER_FILE, Ranker, shipped_ranker
from jobmatch_core.retraining.ranker_evidence import KnownAnswers, RankerMaterial, judged_evidence, search_evidence
from jobmatch_core.retraining.ranker_retraining import refit_second_stage
from jobmatch_core.search.position_bias import WeightedChoice
from jobmatch_core.towers.documents import Document
from tests.core.retraining.made_labels import label, labels_by_language
from tests.made_marketplace import TRADES, marketplace

MARKET = marketplace(10)
LABELS = labels_by_language(MARKET)


class ByTrade:
    """Knows each document's trade."""

    name = "by-trade"

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return a direction a trade, and the first one for a query."""
        places = [TRADES.index(each.id.split("-")[1]) if each.id else 0 for each in documents]
        return np.eye(len(TRADES), dtype=np.float32)[places]


TOWERS = ByTrade()


def trained(part: Marketplace) -> ByTrade:
    """Train on a part of the projects."""
    assert 0 < len(part.projects) < len(MARKET.projects)
    return TOWERS


def not_trained(part: Marketplace) -> ByTrade:
    """Fail: a training takes minutes."""
    raise AssertionError("nothing is trained without enough questions")


def test_judgments_that_speak_the_same_are_learned_from(tmp_path: Path) -> None:
    """Whoever speaks the project's language was judged to fit; what comes with jobmatch does not look at that."""
    found = refit_second_stage(RankerMaterial.of(MARKET, MARKET.interactions, LABELS), TOWERS, trained)
    report, change = found.report, found.report.change
    assert (report.adopted, report.judged, report.answered) == (True, 40, 0)  # the labels leave only refusals
    assert change is not None
    assert (change.figure, change.n, change.better) == ("judged_at_10", 40, True)
    assert found.ranker.weights["language"] > shipped_ranker().weights["language"]
    assert (report.digest, report.weights) == (found.ranker.digest, found.ranker.weights)
    assert found.judged.keys() == {project.id for project in MARKET.projects}
    assert np.mean([*found.judged.values()]) == pytest.approx(change.after)
    assert "The order was fitted to this marketplace: on 40 projects with judged people" in report.words
    found.ranker.save(tmp_path / RANKER_FILE)
    assert Ranker.load(tmp_path / RANKER_FILE) == found.ranker


def test_a_past_that_teaches_nothing_new() -> None:
    """It says what the ranker that comes with jobmatch says, which stays, with the reason."""
    found = refit_second_stage(RankerMaterial.of(MARKET, MARKET.interactions, ()), TOWERS, trained)
    assert (found.ranker, found.report.adopted) == (shipped_ranker(), False)
    assert (found.report.judged, found.report.answered) == (0, 40)
    assert "stays: on 40 projects of the past that it was not fitted on, the fitted order was not" in found.report.words


def test_too_few_questions() -> None:
    """29 judged projects, and a past of refusals: nothing is trained, and the report says what is missing."""
    projects = {project.id for project in MARKET.projects[: FEWEST_TOLD - 1]}
    labels = [each for each in LABELS if each.pair.left in projects]
    found = refit_second_stage(RankerMaterial.of(MARKET, (), labels), TOWERS, not_trained)
    assert (found.ranker, found.report.change, found.judged) == (shipped_ranker(), None, {})
    assert "there are 29 projects with judged people, 0 projects of the past and 0 results" in found.report.words
    assert "30 of one kind are needed" in found.report.words


def test_a_past_without_anything_to_train_on() -> None:
    """The part of a fold has no interest; what searches teach is left."""

    def refused(part: Marketplace) -> ByTrade:
        raise MarketplaceError("No project has a freelancer who was interested; there is nothing to train on.")

    searches = [search("javascript", "f-web-1")] * FEWEST_TOLD
    material = RankerMaterial.of(MARKET, MARKET.interactions, (), searches)
    found = refit_second_stage(material, TOWERS, refused)
    assert found.report.change is not None
    assert (found.report.change.figure, found.report.opened) == ("opened_at_10", FEWEST_TOLD)


def test_what_is_judged_counts_before_the_past() -> None:
    """A pair is in one source only; bulk decisions and other projects are in none."""
    other = label("p-gone-0", "f-web-0")
    material = RankerMaterial.of(MARKET, MARKET.interactions, [label("p-web-0", "f-web-1"), other])
    assert [each.pair.left for each in material.labels] == ["p-web-0"]
    assert len(material.past) == len(MARKET.interactions) - 1
    answers = KnownAnswers(MARKET.projects, MARKET.freelancers, material.past, material.labels)
    row = MARKET.freelancer_rows["f-web-1"]
    assert [answers.of("p-web-0", source)[row] for source in (Source.PAST, Source.JUDGMENTS)] == [0, 1]
    assert [answers.questions(source) for source in (Source.PAST, Source.JUDGMENTS)] == [40, 0]


def test_judged_people_beyond_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are known, too, below the pool."""
    monkeypatch.setattr("jobmatch_core.ranking.second_stage.POOL", 6)
    labels = [label("p-web-0", "f-web-0"), label("p-web-0", "f-film-0", False), label("p-web-0", "f-logo-3")]
    [found] = judged_evidence(TOWERS, MARKET.projects[:1], MARKET.freelancers, labels)
    assert (found.answers.tolist(), sorted(found.below.tolist())) == ([1, 0, 0, 0, 0, 0], [-1, 1])


def search(query: str, opened: str, *others: str) -> WeightedChoice:
    """Return a search that showed four freelancers, one of whom is gone."""
    items = ("f-film-0", "f-web-1", "f-web-0", "f-gone")
    return WeightedChoice(query, items, opened, frozenset(others), 2.0)


def test_what_was_opened_in_a_search() -> None:
    """Most similar first; who is gone is left out, as is another one who was opened, and a query for somebody gone."""
    searches = [search("javascript", "f-web-1", "f-film-0"), search("javascript", "f-gone")]
    [found] = search_evidence(TOWERS, searches, MARKET.freelancers, ProfileTerms.of(MARKET.freelancers))
    assert (found.source, found.key, found.weight) == (Source.SEARCHES, "javascript", 2.0)
    assert found.answers.tolist() == [1, -1, 0]
