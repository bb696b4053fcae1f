"""`jobmatch evaluate search`: what it prints, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.benchmarks.retrieval.search_runs import search_run_store, searched_sets
from tests.made_search_sets import write_search_sets

Cli = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with two tiny public sets."""
    return write_search_sets(tmp_path / "data")


def test_public_sets_as_json(cli: Cli, data: Path) -> None:
    """A row per set and system."""
    words = ("--data", data, "--set", "query-ad", "--set", "tatoeba")
    result = cli("evaluate", "search", *words, "--json")
    assert result.stderr.startswith("Home: ")
    rows = json.loads(result.stdout)["results"]
    assert [(row["set"], row["system"].partition("-")[0]) for row in rows] == [
        (name, system)
        for name in ("query-ad", "tatoeba")
        for system in ("optimal", "random", "edit distance", "bm25 of subwords", "jobmatch", "jobmatch")
    ]
    optimal, *_, titles, _ = rows[:6]
    assert optimal["figures"] == {"auc": 1.0, "dcg_at_1": 1.0, "dcg_at_5": 1.0, "dcg_at_10": 1.0, "ndcg_at_10": 1.0}
    assert titles["figures"]["auc"] == 1.0  # both words are there
    assert titles["n"] == 3
    assert list(rows[-1]["languages"]) == ["deu", "nld"]
    store = search_run_store()
    assert {name: len(store.runs(name)) for name in searched_sets(store)} == {
        "occupations": 0,
        "freelancers": 0,
        "query-ad": 6,
        "tatoeba": 6,
    }


@pytest.mark.thorough
def test_public_sets_for_people(cli: Cli, data: Path) -> None:
    """A table per set, and one by language."""
    shown = " ".join(cli("evaluate", "search", "--data", data, "--set", "query-ad", "--set", "tatoeba").stdout.split())
    assert "query-ad: 3" in shown
    assert "tatoeba: 4" in shown
    assert "tatoeba, by language" in shown
    assert "AUC" in shown
    assert "1.000 to 1.000" in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--set", "words"), "There is no set 'words'; choose from occupations, freelancers, query-ad"),
        (("--set", "nfcorpus"), "The set 'nfcorpus' is public; give the folder"),
        (("--data", "."), "holds any of XGlue_Query_Ad_test.txt.gz"),
        (("--encoder", "no/such/model"), "There is no model 'no/such/model'"),
        ((), "esco-1.0.3, which is not installed; import it"),
    ],
)
def test_refusals(
    run_main: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    told: str,
) -> None:
    """The error says what is wrong and what to do."""
    monkeypatch.chdir(tmp_path)
    code, _, err = run_main("evaluate", "search", *words)
    assert code == 2
    assert told in err
