"""Links of several titles in notebooks and as data frames, from titles as pandas and NumPy have them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_results import LinkResults
from jobmatch_core.linking.link_rows import link_columns

MISSING = [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT]


@pytest.mark.parametrize("missing", MISSING, ids=repr)
def test_what_is_missing_is_an_empty_title(tiny: Linker, missing: object) -> None:
    """As a table's empty cell; the other titles are linked all the same."""
    assert tiny.link_all(["nurse", missing, "cook"]) == tiny.link_all(["nurse", "", "cook"])
    assert tiny.link(missing) == tiny.link("")


@pytest.mark.parametrize(
    "titles",
    [
        pd.Series(["nurse", None], index=[7, 3]),
        pd.Series(["nurse", pd.NA], dtype="string"),
        np.array(["nurse", None], dtype=object),
        (title for title in ("nurse", "")),
    ],
    ids=["Series", "string Series", "array", "generator"],
)
def test_titles_of_every_kind(tiny: Linker, titles: Iterable[object]) -> None:
    """A column of a data frame, whatever its index, an array, and what can be read once."""
    assert tiny.link_all(titles) == tiny.link_all(["nurse", ""])


def test_a_list_is_no_title(tiny: Linker) -> None:
    """Its letters are not linked."""
    with pytest.raises(DataFileError, match="holds a list where a text is expected"):
        tiny.link_all([["nurse"]])


def test_a_data_frame_of_links(tiny: Linker) -> None:
    """The columns of files, with NaN where nothing is linked, texts for codes, and lists of alternatives."""
    titles = pd.Series(["nurse", None], index=[7, 3], name="job")
    results = tiny.link_all(titles)
    frame = results.to_pandas(titles.index)
    assert frame.index.tolist() == [7, 3]
    assert list(frame.columns) == ["title", *link_columns(results[0])]
    assert frame["link_isco"].tolist()[:1] == [results[0].candidates[0].isco]
    assert frame["link_probability"].isna().tolist() == frame["link_uri"].isna().tolist() == [False, True]
    assert frame["link_alternatives"].tolist() == [link_columns(result)["link_alternatives"] for result in results]
    assert titles.to_frame().join(frame)["job"].tolist()[0] == frame["title"].tolist()[0] == "nurse"


@pytest.mark.parametrize("titles", [[], [""], ["nurse"]], ids=["no title", "nothing linked", "all linked"])
def test_types_of_a_data_frame_do_not_depend_on_the_links(tiny: Linker, titles: list[str]) -> None:
    """Texts, one float, and lists."""
    frame = tiny.link_all(titles).to_pandas()
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    assert types.pop("link_probability") == "float64"
    assert (types.pop("link_alternatives"), types.pop("link_jobs")) == ("object", "object")
    assert set(types.values()) == {"str"}
    assert frame.index.tolist() == list(range(len(titles)))


def test_many_links_in_a_notebook(tiny: Linker) -> None:
    """The first fifty, and how many more there are."""
    [result] = tiny.link_all(["nurse"])
    assert LinkResults([result] * 50)._repr_html_().count("<tr>") == 51
    html = LinkResults([result] * 1051)._repr_html_()
    assert html.count("<tr>") == 51
    assert html.endswith("<p>and 1,001 more titles</p>")
