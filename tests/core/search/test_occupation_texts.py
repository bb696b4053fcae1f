"""An occupation's document holds its names in all languages and its English description."""

from jobmatch_core.search.search_items import occupation_documents, occupation_names
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder
from tests.made_taxonomy import skilled_taxonomy


def _taxonomy() -> Taxonomy:
    builder = TablesBuilder()
    builder.concept("http://isco/C7", kind=GROUP, code="C7", isco="7")
    baker = builder.concept("http://jobs/baker", kind=OCCUPATION, code="1", isco="7512")
    builder.add_names(baker, "de", "Bäcker", ["Brotmacher", "baker"])
    builder.add_names(baker, "en", "baker", ["bread maker"])
    builder.describe(baker, "de", "Backt Brot.")
    builder.describe(baker, "en", "Bakes bread.")
    mason = builder.concept("http://jobs/mason", kind=OCCUPATION, code="2", isco="7112")
    builder.add_names(mason, "en", "mason", [])
    return Taxonomy(skilled_taxonomy().manifest, builder.build())


def test_documents() -> None:
    """Preferred names come first, English foremost, no name twice; groups are no documents."""
    baker, mason = occupation_documents(_taxonomy(), ["de", "en"])
    assert baker == ("http://jobs/baker", ("baker, Bäcker, bread maker, Brotmacher", "Bakes bread."))
    assert baker.text == "baker, Bäcker, bread maker, Brotmacher. Bakes bread."
    assert mason.texts == ("mason", "")
    assert mason.text == "mason"


def test_documents_of_one_language() -> None:
    """Only the names in the given languages are there; an occupation without any keeps its place."""
    baker, mason = occupation_documents(_taxonomy(), ["de"])
    assert baker.texts[0] == "Bäcker, Brotmacher, baker"
    assert mason.texts == ("", "")
    assert occupation_names(_taxonomy(), ["de"]) == [("Bäcker", "Brotmacher", "baker"), ()]
