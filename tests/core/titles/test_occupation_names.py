"""The names of a taxonomy as training sees them."""

import numpy as np
import pytest

from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder
from jobmatch_core.titles.occupation_names import OccupationNames


def test_every_name_comes_with_its_occupation(names: OccupationNames) -> None:
    """The rows are those of the taxonomy."""
    row = names.texts.index("Hebamme")
    assert (names.languages[row], names.uris[names.concepts[row]], names.preferred[row]) == ("de", "midwife", True)
    assert (names.languages == "en").sum() == 22
    assert (names.languages == "de").sum() == 13
    assert names.isco[names.uris.index("icu")] == "2221"


def test_languages_are_chosen(taxonomy: Taxonomy) -> None:
    """Only those asked for; one that is not there is an error."""
    assert set(OccupationNames.of(taxonomy, ["de"]).languages) == {"de"}
    with pytest.raises(TaxonomyError, match=r"toy-1 has no names in fr; it has de, en\."):
        OccupationNames.of(taxonomy, ["de", "fr"])


def test_parents_are_occupations_met_by_uri(taxonomy: Taxonomy, names: OccupationNames) -> None:
    """Another taxonomy with other numbers may say them; groups are no parents."""
    builder = TablesBuilder()
    builder.concept("group", kind=GROUP, code="2221", isco="2221")
    for uri in ("unknown here", "midwife", "icu"):
        builder.concept(uri, kind=OCCUPATION, code="2221", isco="2221")
    for child, parent in (("icu", "midwife"), ("icu", "group"), ("icu", "unknown here")):
        builder.add_broader(child, parent)
    other = Taxonomy(Manifest("o-1", "o", "1", (), {}, "", "", ""), builder.build())
    numbers = [[taxonomy.number("icu"), taxonomy.number("nurse")]]
    assert names.parents.tolist() == numbers
    found = OccupationNames.of(taxonomy, relations=other)
    assert found.parents.tolist() == [[taxonomy.number("icu"), taxonomy.number("midwife")]]


def test_keep_keeps_rows_together(names: OccupationNames) -> None:
    """Every column loses the same rows."""
    kept = names.keep(names.languages == "de")
    assert len(kept.texts) == len(kept.concepts) == len(kept.preferred) == 13
    assert kept.texts == [text for text, language in zip(names.texts, names.languages, strict=True) if language == "de"]
    assert np.array_equal(kept.concepts, names.concepts[names.languages == "de"])
