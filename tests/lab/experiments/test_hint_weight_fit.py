"""The weights of general titles with short descriptions, fitted on our search queries."""

from dataclasses import replace

import pytest

from jobmatch_core.benchmarks.retrieval.search_queries import occupation_queries
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.posting_linker import PostingLinker
from jobmatch_core.search.search_encoder import SearchDescriptions
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder
from lab.experiments.posting_linking import fit_hint_weights, general_words


@pytest.fixture(scope="module")
def asked() -> Taxonomy:
    """The best occupations of the English queries: each has the query's words as its name, and a general word."""
    builder = TablesBuilder()
    for query in occupation_queries():
        if query.language == "en":
            uri = max(query.grades, key=query.grades.__getitem__)
            number = builder.concept(uri, kind=OCCUPATION, code="", isco="")
            builder.add_names(number, "en", f"{query.text} clerk", [])
            builder.add_names(number, "fr", f"employé/employée: {query.text}", [])
    return Taxonomy(Manifest("asked-1", "Asked", "1", ("en", "fr"), {}, "0" * 64, "", "2026-01-01"), builder.build())


def test_the_description_counts(asked: Taxonomy) -> None:
    """With a title that all have, it decides; each half of the 25 queries is measured by the other."""
    encoder = shipped_encoder()
    calibration = Calibration.shipped_for(encoder.name)
    assert calibration is not None
    linker = Linker(asked, NameIndex.build(asked, encoder), calibration)
    searching = SearchDescriptions(load_search_encoder("search"))
    fitted = fit_hint_weights(linker, searching)
    assert fitted.held_out["postings"] == 25
    assert fitted.weights[1] > 0
    assert fit_hint_weights(linker, searching) == fitted
    found = (
        PostingLinker(linker, searching, fitted, general_titles=True)
        .link("clerk", "someone who repairs lifts")
        .candidates[0]
    )
    assert found.name == "someone who repairs lifts clerk"


def test_general_words(asked: Taxonomy) -> None:
    """The last word of an English name, and the first of a French one, in its first form; that of other names, too."""
    assert (general_words(asked, 0, "en"), general_words(asked, 0, "fr")) == (["clerk"], ["employé"])
    builder = TablesBuilder()
    names = ["Lift mechanic", "elevator technician", "lift installer", "lift repairer"]
    builder.add_names(builder.concept("lifts", kind=OCCUPATION, code="", isco=""), "en", "lift technician", names)
    lifts = Taxonomy(replace(asked.manifest, id="lifts-1"), builder.build())
    assert general_words(lifts, 0, "en") == ["technician", "mechanic", "installer"]


def test_another_taxonomy(bundled: Linker) -> None:
    """The queries are for ESCO's occupations."""
    with pytest.raises(TaxonomyError, match="isco-08 does not have"):
        fit_hint_weights(bundled, SearchDescriptions(load_search_encoder("search")))
