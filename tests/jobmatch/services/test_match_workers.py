"""Projects matched by other processes: the rows of one process, a finder opened once, lost workers reported."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from jobmatch.services import freelancer_finders
from jobmatch.services.freelancer_finders import MatchSpec, rows_by
from jobmatch_core.engines import InProcess
from jobmatch_core.errors import EngineError, MatchingError
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval import match_models
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_file import matched_rows
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.vector_stores.vector_store import NO_FILTERS
from tests.hashing_model import HashingModel


@pytest.mark.usefixtures("jobmatch_home")
def test_the_rows_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """List by list, in order; the model is loaded once per specification."""
    blocks = list(demo_blocks(TaxonomyStore.open().load(), DemoSpec(projects=6, freelancers=20)))
    MarketplaceStore.open().save("market", blocks, origin={}, generated=True)
    projects = [project for block in blocks for project in block.projects]
    words: list[str] = []
    monkeypatch.setattr(match_models, "load_match_model", lambda word: words.append(word) or HashingModel())
    monkeypatch.setattr(freelancer_finders, "_opened", {})
    lists = [projects[:4], projects[4:]]
    finder = open_finder("market", HashingModel())
    expected = [matched_rows(finder, NO_FILTERS, 3, each) for each in lists]
    assert [len(rows) for rows in expected] == [12, 6]
    assert list(rows_by(InProcess(), MatchSpec("market", "mine", NO_FILTERS, 3), lists)) == expected
    assert words == ["mine"]
    [rows] = rows_by(InProcess(), MatchSpec("market", "", NO_FILTERS, 1), lists[:1])
    assert [row["rank"] for row in rows] == [1] * 4
    assert words == ["mine", ""]


def test_a_lost_worker() -> None:
    """The message says to run the command again."""

    class Lost:
        def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
            raise EngineError("A worker process ended.")

    with pytest.raises(MatchingError, match=r"A worker process ended\. Run the command again\."):
        list(rows_by(Lost(), MatchSpec("market", "", NO_FILTERS, 3), []))
