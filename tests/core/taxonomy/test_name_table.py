"""Names of numbered things, and the search among them."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import SurfaceForm
from jobmatch_core.taxonomy.name_table import NameTable

N_THINGS = 4
ROWS = st.lists(
    st.tuples(
        st.integers(0, N_THINGS - 1), st.sampled_from(["de", "en", "fr"]), st.text("abAẞß é", max_size=5), st.booleans()
    )
)


def _names(rows: list[tuple[int, str, str, bool]]) -> NameTable:
    columns = {"thing": "int32", "language": "str", "text": "str", "preferred": "bool"}
    return NameTable(pd.DataFrame(rows, columns=list(columns)).astype(columns), "thing", N_THINGS)


def _closest(rows: list[tuple[int, str, str, bool]], letters: str, show: str) -> list[int]:
    """Return the closest row of each thing, found by sorting all rows."""
    wanted = letters.strip().casefold()

    def distance(row: int) -> tuple[bool, bool, bool, bool, int]:
        _, language, text, preferred = rows[row]
        folded = text.casefold()
        return not folded.startswith(wanted), language != show, folded != wanted, not preferred, len(folded)

    containing = [row for row, (_, _, text, _) in enumerate(rows) if wanted and wanted in text.casefold()]
    first: dict[int, int] = {}
    for row in sorted(containing, key=distance):
        first.setdefault(rows[row][0], row)
    return list(first.values())


@given(ROWS, st.text("abß ", max_size=2), st.sampled_from(["de", "en"]), st.integers(1, N_THINGS))
def test_closest_names(rows: list[tuple[int, str, str, bool]], letters: str, show: str, limit: int) -> None:
    """They are those that a sort of all rows gives."""
    assert _names(rows).closest(letters, show, limit) == _closest(rows, letters, show)[:limit]


@pytest.mark.parametrize(("language", "name"), [("de", "Haus"), ("fr", "house"), ("en", "house")])
def test_preferred_name(language: str, name: str) -> None:
    """It is in the language, else in English."""
    names = _names([(2, "en", "home", False), (2, "en", "house", True), (2, "de", "Haus", True)])
    assert names.name(2, language) == name
    assert names.names(2)[0] == SurfaceForm("en", "home", False)
    assert (names.name(1, language), names.names(1)) == ("", ())
