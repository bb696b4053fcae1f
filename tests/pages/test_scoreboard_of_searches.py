"""The page 'Scoreboard' for searches: the figures, and measuring encoders."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.benchmarks.retrieval import search_queries
from jobmatch_core.benchmarks.retrieval.search_experiment import SystemRow
from jobmatch_core.benchmarks.retrieval.search_queries import FREELANCERS
from jobmatch_core.benchmarks.retrieval.search_runs import SearchCampaign, keep_search_rows, search_run_store
from jobmatch_core.entities import Progress, no_progress
from tests.made_queries import two_freelancers
from tests.pages.observed import texts

EVIL = "**ours** <b>x</b> [z](http://a.org) :red[r]"
Open = Callable[..., AppTest]


def test_searches_have_a_view_of_their_own(scoreboard: Open) -> None:
    """The view shows shipped and measured figures by language; the address restores it."""
    row = SystemRow("query-ad", EVIL, 3, {"auc": 0.9, "ndcg_at_10": 0.8}, 0.85, 0.95, {}, 0.1)
    keep_search_rows([row, replace(row, system="optimal", figures={"auc": 1.0})], search_run_store())
    app = scoreboard(task="search")
    assert not app.exception
    assert "Occupations by what people do: the app's search, jobmatch-search-" in texts(app)
    systems, by_language = (each.value.to_dict("records") for each in app.dataframe)
    assert {"optimal", "random", "edit distance", "bm25 of subwords"} <= {each["System"] for each in systems}
    assert {each["Source"][:12] for each in systems} == {"shipped with"}
    assert {"German", "Polish"} <= set(by_language[0])
    app.segmented_control(key="board_search_set").set_value("query-ad").run()
    assert not app.exception
    assert app.query_params["set"] in ("query-ad", ["query-ad"])
    assert "http://a.org" not in texts(app)  # no link
    assert "reaches AUC 0.900 (95%: 0.850 to 0.950)" in texts(app)
    assert '▲]{foreground="#009E73"} yours, measured here' in texts(app)
    assert [each["Source"] for each in app.dataframe[0].value.to_dict("records")] == ["yours"] * 2
    app.segmented_control(key="board_task").set_value("melo").run()
    assert not app.exception
    assert ": jobmatch linker, mean MRR" in texts(app)


def test_an_encoder_is_measured_on_our_own_queries(scoreboard: Open) -> None:
    """The page measures an encoder, or says what is missing."""
    app = scoreboard(task="search")
    assert app.multiselect(key="board_search_encoders").value == ["search"]
    app.button(key="board_search_start").click().run(timeout=60)
    assert not app.exception
    assert "jobmatch taxonomy import" in "\n".join(each.value for each in app.error)  # only ESCO has the occupations
    app.multiselect(key="board_search_encoders").set_value([]).run()
    assert app.button(key="board_search_start").disabled


@pytest.fixture
def few_freelancers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure two queries over two documents instead of the demo marketplace's."""
    monkeypatch.setattr(search_queries, "freelancer_set", lambda store: two_freelancers())


def _measured_here(app: AppTest) -> set[str]:
    rows = app.dataframe[0].value.to_dict("records")
    return {str(each["System"]) for each in rows if each["Source"] == "yours"}


@pytest.mark.usefixtures("few_freelancers")
def test_a_search_encoder_is_measured(scoreboard: Open) -> None:
    """New figures replace the shipped ones in the table."""
    app = scoreboard(task="search", set=FREELANCERS)
    assert _measured_here(app) == set()
    app.button(key="board_search_start").click().run(timeout=60)
    assert not app.exception
    assert [each.value for each in app.success] == ["Measured. The table has the new figures."]
    assert {"random", "bm25 of subwords", "optimal"} < _measured_here(app)


@pytest.mark.usefixtures("few_freelancers")
def test_a_measurement_of_searches_is_stopped(scoreboard: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished figures are kept, and measuring can be started again."""

    class Stopped(SearchCampaign):
        def run(self, progress: Progress = no_progress) -> list[SystemRow]:
            return super().run(lambda done, total: self.stop() if done == 1 else progress(done, total))

    monkeypatch.setattr("pages.scoreboard.search_tab.SearchCampaign", Stopped)
    app = scoreboard(task="search", set=FREELANCERS)
    app.button(key="board_search_start").click().run(timeout=60)
    assert not app.exception
    assert [each.value for each in app.info] == ["Stopped. The systems measured so far are in the table."]
    assert _measured_here(app) == {"random", "optimal"}
    assert not app.button(key="board_search_start").disabled
