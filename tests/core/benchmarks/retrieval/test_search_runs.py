"""Search figures on disk, and those that come with jobmatch.

Encoders measured on our own search queries, with a stop.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.retrieval import search_queries
from jobmatch_core.benchmarks.retrieval.search_experiment import FIGURE_LABELS, OPTIMAL, SystemRow
from jobmatch_core.benchmarks.retrieval.search_queries import FREELANCERS, OCCUPATIONS
from jobmatch_core.benchmarks.retrieval.search_runs import (
    OWN_SETS,
    SearchCampaign,
    keep_search_rows,
    leading_figure,
    search_run_store,
    search_standings,
    searched_sets,
)
from jobmatch_core.errors import DataFileError, ModelError, TaxonomyError
from jobmatch_core.settings import Settings
from tests.made_queries import two_freelancers

ROW = SystemRow(
    "freelancers", "bm25 of subwords", 100, {"dcg_at_10": 0.3, "ndcg_at_10": 0.25}, 0.2, 0.3, {"de": 0.25}, 1.5
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give an empty home."""
    return Settings(tmp_path)


@pytest.mark.parametrize("name", OWN_SETS)
def test_the_authors_figures_come_with_jobmatch(settings: Settings, name: str) -> None:
    """The best first: the optimal order, then the app's search with an encoder of ours; chance is last."""
    standings = search_standings(name, search_run_store(settings))
    rows = [standing.run.row for standing in standings]
    assert {row.set for row in rows} == {name}
    assert rows[0].system == OPTIMAL
    assert rows[1].system.startswith("the app's search, jobmatch-")
    assert rows[-1].system == "random"
    assert all(row.figures.keys() <= FIGURE_LABELS.keys() for row in rows)
    assert all(row.low <= row.figures[leading_figure(row)] <= row.high for row in rows)
    assert all(each.source == f"shipped with {each.run.version}" for each in standings)


def test_what_is_measured_here_takes_the_place_of_the_authors(settings: Settings) -> None:
    """On its set alone, and a later run that of an earlier one."""
    store = search_run_store(settings)
    count = len(search_standings("freelancers", store))
    keep_search_rows([ROW, replace(ROW, figures={"ndcg_at_10": 0.99}, high=1.0), replace(ROW, set="nfcorpus")], store)
    standings = search_standings("freelancers", store)
    assert len(standings) == count
    assert [each.run.row.figures for each in standings if each.source == "yours"] == [{"ndcg_at_10": 0.99}]
    assert standings[1].run.row.system == ROW.system
    assert searched_sets(store) == (*OWN_SETS, "nfcorpus")
    assert [each.source for each in search_standings("nfcorpus", store)] == ["yours"]


def test_groups_of_systems(settings: Settings) -> None:
    """Shipped figures are of jobmatch, of other models and of baselines; other systems measured here are yours."""
    groups = {each.run.row.system: each.group for each in search_standings(OCCUPATIONS, search_run_store(settings))}
    assert groups[OPTIMAL] == "optimal"
    assert {groups[name] for name in ("random", "edit distance", "bm25 of subwords")} == {"baseline"}
    assert {group for name, group in groups.items() if "jobmatch-" in name} == {"ours"}
    assert {group for name, group in groups.items() if "MiniLM" in name} == {"other model"}
    mine = SystemRow(OCCUPATIONS, "mine", 3, {"ndcg_at_10": 0.5}, 0.4, 0.6, {}, 0.1)
    keep_search_rows([mine], search_run_store(settings))
    [standing] = [
        each for each in search_standings(OCCUPATIONS, search_run_store(settings)) if each.run.row.system == "mine"
    ]
    assert standing.group == "yours"


def test_damaged_figures(settings: Settings) -> None:
    """The file is named."""
    store = search_run_store(settings)
    keep_search_rows([ROW], store)
    store.path("freelancers").write_text("{", "utf-8")
    with pytest.raises(DataFileError, match=r"freelancers\.json.*measure again"):
        search_standings("freelancers", store)


def test_the_figure_of_the_interval() -> None:
    """AUC where there is one, else nDCG@10, else accuracy."""
    figures = {"accuracy": 0.5, "ndcg_at_10": 0.4, "auc": 0.6}
    told = [leading_figure(replace(ROW, figures=dict(list(figures.items())[:most]))) for most in (1, 2, 3)]
    assert told == ["accuracy", "ndcg_at_10", "auc"]


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
    # not by a best text, as documents have one, nor by an encoder beside, which ranks no people
    assert len(systems) == len(set(systems)) == told[-1][1] - 2
    standings = search_standings(FREELANCERS, search_run_store(Settings(tmp_path)))
    assert {each.run.row.system for each in standings if each.source == "yours"} == {OPTIMAL, *systems}
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
