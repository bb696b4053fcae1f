"""Encoders measured on our own search queries, with a stop."""

from pathlib import Path

import pytest

from jobmatch_core.benchmarks.experiments import search_queries
from jobmatch_core.benchmarks.experiments.search_campaign import SearchCampaign
from jobmatch_core.benchmarks.experiments.search_experiment import OPTIMAL
from jobmatch_core.benchmarks.experiments.search_queries import FREELANCERS, OCCUPATIONS
from jobmatch_core.benchmarks.experiments.search_runs import search_run_store, search_standings
from jobmatch_core.errors import ModelError, TaxonomyError
from jobmatch_core.settings import Settings
from tests.made_queries import two_freelancers


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SearchCampaign:
    """One of the shipped encoder, on two documents."""
    monkeypatch.setattr(search_queries, "freelancer_set", lambda store: two_freelancers())
    return SearchCampaign(FREELANCERS, ["search", "search"], Settings(tmp_path))


def test_each_system_is_measured_once_and_kept(campaign: SearchCampaign, tmp_path: Path) -> None:
    """The baselines, the encoder as it is and in the app's search, and the optimal order."""
    told = list[tuple[int, int]]()
    rows = campaign.run(lambda *step: told.append(step))
    systems = [row.system for row in rows if row.system != OPTIMAL]
    assert systems[:3] == ["random", "edit distance", "bm25 of subwords"]
    assert len(systems) == len(set(systems)) == told[-1][1] - 1  # not by a best text: documents have one
    standings = search_standings(FREELANCERS, search_run_store(Settings(tmp_path)))
    assert {each.run.row.system for each in standings if each.source == "measured here"} == {OPTIMAL, *systems}
    assert not campaign.stopped


def test_a_stop_keeps_what_is_done(campaign: SearchCampaign, tmp_path: Path) -> None:
    """It takes effect after the system that is being measured."""
    rows = campaign.run(lambda done, total: campaign.stop() if done == 1 else None)
    assert [row.system for row in rows] == [OPTIMAL, "random"]
    assert campaign.stopped
    assert len(search_run_store(Settings(tmp_path)).runs(FREELANCERS)) == 2


def test_what_cannot_be_measured(tmp_path: Path) -> None:
    """No such encoder, and no release of ESCO."""
    with pytest.raises(ModelError, match="gone"):
        SearchCampaign(FREELANCERS, ["gone"], Settings(tmp_path)).run()
    with pytest.raises(TaxonomyError, match="taxonomy import"):
        SearchCampaign(OCCUPATIONS, ["search"], Settings(tmp_path)).run()
