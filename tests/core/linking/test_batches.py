"""Record batches: links are added row by row, each distinct title linked once."""

from collections.abc import Sequence

import pyarrow as pa
import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import DataFileError
from jobmatch_core.linking.link_job import LINK_SCHEMA, BatchLinker, linked_once
from jobmatch_core.linking.link_rows import link_columns
from jobmatch_core.linking.store import LinkerSpec

TITLES = ["cook", "Krankenschwester", "cook", "", "zzzz", "Koch (m/w/d)", "cook", None, "Leiter Einkauf"]
SPEC = LinkerSpec(encoder=None)

pytestmark = pytest.mark.usefixtures("lexical_environment")


def table() -> pa.RecordBatch:
    """Return rows with repeated, empty and missing titles, and a column with the name of a link column."""
    numbers = pa.array(range(len(TITLES)), pa.int32())
    return pa.RecordBatch.from_pydict({"n": numbers, "title": pa.array(TITLES), "link_uri": pa.array(TITLES)})


def test_rows_are_those_of_the_linker() -> None:
    """Every row has the linker's columns for its title; own columns keep their types."""
    [linked] = BatchLinker(SPEC, "title").link_batches(iter([table()]))
    assert linked.schema.names == ["n", "title", "link_uri (input)", *LINK_SCHEMA.names]
    assert linked.schema.field("n").type == pa.int32()
    linker = SPEC.open()
    for title, row in zip(TITLES, linked.to_pylist(), strict=True):
        assert {name: row[name] for name in LINK_SCHEMA.names} == link_columns(linker.link(title or ""))
    assert linked.column("n").to_pylist() == list(range(len(TITLES)))


def test_batches_keep_their_sizes_and_order() -> None:
    """As for Spark's `mapInArrow`: an iterator in, an iterator out; an empty batch stays empty."""
    batches = [table().slice(0, 4), table().slice(0, 0), table().slice(4)]
    linked = list(BatchLinker(SPEC, "title").link_batches(iter(batches)))
    assert [batch.num_rows for batch in linked] == [4, 0, 5]
    assert {str(batch.schema) for batch in linked} == {str(BatchLinker(SPEC, "title").schema(table().schema))}
    whole = next(BatchLinker(SPEC, "title").link_batches(iter([table()])))
    assert pa.Table.from_batches(linked).to_pylist() == whole.to_pylist()


def test_distinct_titles_are_linked_once() -> None:
    """Each title is linked once, in order of appearance."""
    calls: list[list[str]] = []

    def link(titles: Sequence[str]) -> list[LinkResult]:
        calls.append(list(titles))
        return [LinkResult(title, (), True, None, title.upper(), ()) for title in titles]

    records = linked_once(link, ["b", "a", "b", "a", "c"])
    assert calls == [["b", "a", "c"]]
    assert [record["link_taxonomy"] for record in records] == ["B", "A", "B", "A", "C"]


def test_a_missing_column() -> None:
    """The message lists the columns."""
    with pytest.raises(DataFileError, match="there is no column 'job'; it has n, title, link_uri"):
        next(BatchLinker(SPEC, "job").link_batches(iter([table()])))


def test_a_column_of_lists() -> None:
    """Lists are refused as titles."""
    batch = pa.RecordBatch.from_pydict({"title": pa.array([["cook"]])})
    with pytest.raises(DataFileError, match="holds a list where a text is expected"):
        next(BatchLinker(SPEC, "title").link_batches(iter([batch])))


def test_provenance_tells_models_and_options_apart() -> None:
    """It depends on index, model, options and column only."""
    first = BatchLinker(SPEC, "title").provenance()
    assert first == BatchLinker(LinkerSpec(encoder=None), "title").provenance()
    assert first["taxonomy"] == "isco-08"
    assert first["format"] == str(LINK_SCHEMA), "parts of an older release have other columns"
    assert str(first["linker"]).startswith("jobmatch lexical, calibration ")
    for other in (LinkerSpec(encoder=None, show="de"), LinkerSpec(encoder=None, precision=0.99)):
        assert BatchLinker(other, "title").provenance() != first
    assert BatchLinker(SPEC, "job").provenance() != first
