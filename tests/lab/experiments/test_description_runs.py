"""Means, deviations and t-tests of runs, by hand; runs that are kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import ttest_ind

from jobmatch_core.settings import Settings
from lab.experiments.description_runs import TABLES, UNTRAINED, DescriptionRun, description_rows, description_runs

RUN = DescriptionRun("titles", "jdan", "words", 1, "s", 100, 10, 5, 0.5, 0.6, 0.4, 2.0, {"jobmatch": "1"})


def runs(recipe: str, variant: str, *values: float) -> list[DescriptionRun]:
    """Return a run a value of R@10."""
    return [
        replace(
            RUN, recipe=recipe, variant=variant, seed=seed, recall_at_5=0.1 * seed, recall_at_10=value, mrr=0.2 * seed
        )
        for seed, value in enumerate(values, 1)
    ]


def test_what_is_ranked_otherwise_is_not_compared() -> None:
    """Other rankings, gradients and weights of names make rows of their own, tested against JDAN's of the same kind."""
    ours, document = runs("ours", "jdan", 0.5, 0.6, 0.7), runs("doc", "document", 0.4, 0.4, 0.5)
    described = [replace(run, ranked_by="name and description") for run in document]
    otherwise = [replace(run, recipe="fast", gradients="titles") for run in document]
    named = [replace(run, recipe="named", name_weight=1.0) for run in document]
    rows = description_rows([*ours, *document, *described, *otherwise, *named])
    assert [(row.recipe, row.ranked_by, row.tables, row.p_value is None) for row in rows] == [
        ("ours", "name", "1, 2, 5", True),
        ("doc", "name", "5, 9", False),
        ("doc", "name and description", "", True),
        ("fast", "name", "5, 9", True),
        ("named", "name", "5, 9", True),
    ]


def test_rows_by_hand() -> None:
    """Mean of 0.5, 0.6 and 0.7 is 0.6, deviation 0.1; the test is against JDAN over the same backbone."""
    elsewhere = [replace(run, backbone="other") for run in runs("far", "document", 0.1, 0.2)]
    found = description_rows(
        [
            *runs("base", UNTRAINED, 0.3),
            *runs("ours", "jdan", 0.5, 0.6, 0.7),
            *runs("doc", "document", 0.4, 0.4, 0.5),
            *elsewhere,
        ]
    )
    base, ours, document, far = found
    assert ours.deviation is not None
    assert (ours.mean["recall_at_10"], ours.deviation["recall_at_10"]) == (pytest.approx(0.6), pytest.approx(0.1))
    assert (base.deviation, base.p_value, ours.p_value, far.p_value) == (None, None, None, None)
    assert document.p_value is not None
    assert document.p_value["recall_at_10"] == pytest.approx(ttest_ind([0.5, 0.6, 0.7], [0.4, 0.4, 0.5]).pvalue)
    assert (ours.seeds, ours.tables, document.tables) == (3, "1, 2, 5", TABLES["document"])


def test_runs_are_kept_and_replaced(tmp_path: Path) -> None:
    """One of the same recipe, seed and setting takes the earlier's place."""
    for run in (RUN, replace(RUN, seed=2), replace(RUN, mrr=0.9)):
        description_runs(Settings(tmp_path)).add("titles", run)
    kept = description_runs(Settings(tmp_path)).runs("titles")
    assert kept == (replace(RUN, seed=2), replace(RUN, mrr=0.9))
