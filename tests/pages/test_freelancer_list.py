"""The page 'Train models': the list of freelancers before and after, and what became of the order."""

from dataclasses import asdict
from pathlib import Path

from streamlit.testing.v1 import AppTest

from jobmatch_core.metrics.comparisons import BeforeAfter, FigureChange, Part
from jobmatch_core.retraining.list_comparison import NAME
from jobmatch_core.training.ranker_report import RankerReport
from tests.pages.made_trainings import store_model
from tests.pages.observed import texts

JUDGED = FigureChange("judged_at_10", 40, 0.77, 0.8, 0.01, 0.05, gained=22, lost=6)
LISTS = Part(
    "list", NAME, 40, "projects", (JUDGED, FigureChange("map", 100, 0.4, 0.3, -0.15, -0.05, lost=60, gained=9))
)
BENCHMARK = Part(
    "benchmark", "The frozen benchmark", 100, "projects", (FigureChange("map", 100, 0.3, 0.2, -0.15, -0.05),)
)
ADOPTED = RankerReport(True, "d406ae55", {"category": 2.6}, judged=40, answered=379, opened=0, change=JUDGED)


def opened(app: AppTest) -> AppTest:
    """Open the page."""
    app.switch_page("pages/train_models/train_models.py")
    return app.run()


def test_a_list_that_follows_judgments(app: AppTest, home: Path) -> None:
    """Judged people decide, not MAP, whose fall is shown and explained."""
    comparison = BeforeAfter("untrained", "new", (LISTS, BENCHMARK))
    store_model(home, "new", comparison=asdict(comparison), ranker=asdict(ADOPTED))
    shown = texts(opened(app))
    assert not app.exception
    assert app.metric[0].value == "Better"
    assert "**Of 40 projects, 22 got better and 6 got worse.**" in shown
    assert f"**{NAME}**" in shown
    assert "The order was fitted to this marketplace: on 40 projects with judged people" in shown
    assert "MAP counts only people whom the past has shown" in shown
    rows = app.dataframe[0].value.to_dict("records")
    assert [(row["Before"], row["After"], row["Verdict"]) for row in rows] == [
        (0.77, 0.8, "better"),
        (0.4, 0.3, "worse"),
    ]
    assert rows[0]["Figure"] == "people judged to fit ranked high (NDCG@10)"


def test_an_order_that_stays(app: AppTest, home: Path) -> None:
    """The page says why, also without a comparison."""
    few = RankerReport(False, "0", {}, judged=3, answered=8, opened=0)
    store_model(home, "new", ranker=asdict(few))
    shown = texts(opened(app))
    assert not app.exception
    assert "The shipped order stays: there are 3 projects with judged people" in shown


def test_an_older_model_has_no_list(app: AppTest, home: Path) -> None:
    """Its report says nothing of one."""
    store_model(home, "older")
    assert NAME not in texts(opened(app))
    assert not app.exception
