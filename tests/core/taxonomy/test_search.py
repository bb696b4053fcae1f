"""Search by letters: what comes first."""

from collections.abc import Callable

import pytest

from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.search import search_names

_ROWS = """concept_id,language,preferred,alternatives,parent,description
datalogist,en,IT scientist,,2511,
datalogist,da,datalog,dataman,2511,
analyst,en,data analyst,data person|data,2511,
analyst,da,dataanalytiker,,2511,
engineer,en,data engineer,,2511,
entry,en,entry clerk of data,,2511,
entry,da,dataindtaster,,2511,
"""


@pytest.fixture
def taxonomy(load_custom: Callable[[str], Taxonomy]) -> Taxonomy:
    """Occupations with English and Danish names."""
    return load_custom(_ROWS)


@pytest.mark.parametrize(
    ("letters", "show", "expected"),
    [
        pytest.param("data", "en", ["data", "data engineer", "datalog", "dataindtaster"], id="shown language first"),
        pytest.param("data", "da", ["datalog", "dataindtaster", "dataanalytiker", "data engineer"], id="Danish shown"),
        pytest.param("data a", "en", ["data analyst"], id="two words"),
        pytest.param("DATA", "en", ["data", "data engineer", "datalog", "dataindtaster"], id="case"),
        pytest.param("scien", "da", ["IT scientist"], id="within a name, another language"),
        pytest.param(" ", "en", [], id="nothing"),
    ],
)
def test_exact_and_prefix_matches_in_the_shown_language_come_first(
    taxonomy: Taxonomy, letters: str, show: str, expected: list[str]
) -> None:
    """'data analyst' stands before the shorter Danish 'datalog' where English is shown."""
    assert [hit.matched for hit in search_names(taxonomy, letters, show=show)] == expected
