"""Words that identify job titles: those of the chosen taxonomy and the bundled ones."""

from pathlib import Path

import pytest

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.sheets.title_words import _taxonomy_words, title_words
from jobmatch_core.taxonomy import TaxonomyStore

COLUMNS = "concept_id,language,preferred,alternatives,parent,description\n"
MADE_UP = ["vibronaut", "glimmerwright", "zorbler", "quandist"]


def test_words_of_the_bundled_taxonomy() -> None:
    """Names have most points, misspelt names nearly as many, parts of names fewer, other words none."""
    words = title_words()
    assert words.likeness("plumber") == 2.0
    assert 0 < words.likeness("primary") < words.likeness("carpinter") < words.likeness("carpenter")
    assert words.likeness("qzx vibronaut") == words.likeness("") == 0.0
    assert words.likeness("повар") == 2.0
    assert words.likeness("护士") > 0
    assert (words.has_word("head teacher"), words.has_word("Bezeichnung X")) == (True, False)


def test_titles_are_told_by_the_chosen_taxonomy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its words suffice, even if no other taxonomy has them."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "home"))
    source = tmp_path / "made.csv"
    source.write_text(COLUMNS + "".join(f"u{n},en,{name},,2221,\n" for n, name in enumerate(MADE_UP)))
    taxonomy = TaxonomyStore.open().import_from(source, name="made", version="1").id
    table = tmp_path / "t.csv"
    table.write_text("a,b\n" + "".join(f"Brumm {n}x,{name}\n" for n, name in enumerate(MADE_UP)))
    assert title_words(taxonomy).likeness("zorbler") == 2.0
    assert guess_layout(table, taxonomy=taxonomy).column == "b"
    table.write_text("a,b\n" + "".join(f"{name},Brumm {n}x\n" for n, name in enumerate(MADE_UP)))
    assert guess_layout(table, taxonomy=taxonomy).column == "a"


def test_a_taxonomy_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names it."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path))
    with pytest.raises(TaxonomyError, match="gone"):
        title_words("gone")


def test_stored_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are the same; those of a taxonomy that was replaced, and a damaged file, are not used."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "home"))
    store, source = TaxonomyStore.open(), tmp_path / "made.csv"
    for names in (MADE_UP[:2], MADE_UP[2:]):
        source.write_text(COLUMNS + "".join(f"u{n},en,{name},,2221,\n" for n, name in enumerate(names)))
        taxonomy = store.import_from(source, name="made", version="1", replace=True).id
        computed = title_words(taxonomy)
        assert computed.names.intersection(MADE_UP) == set(names)
        _taxonomy_words.cache_clear()  # as in another process
        assert title_words(taxonomy) == computed
    [stored] = (tmp_path / "home" / "indexes").glob("made-1+*/*")
    stored.write_text("damaged", "utf-8")
    _taxonomy_words.cache_clear()
    assert title_words(taxonomy) == computed
