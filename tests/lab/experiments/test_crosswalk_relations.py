"""Relations of a national crosswalk: their direction, the rules by hand, and the reports."""

import json
from pathlib import Path

import pytest

from jobmatch_core.crosswalks.mapping import BROADER, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.relation_model import shipped_relation_model
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import ISCO_URI
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from lab.experiments.crosswalk_relations import crosswalk_pairs, evaluate_proposals, evaluate_relations

CODES = {
    "c/1": {"title": "Kochkünstler", "matches": {f"{ISCO_URI}5120": "exactMatch"}},
    "c/2": {"title": "Pflegeberufe", "matches": {f"{ISCO_URI}2221": "narrowMatch", f"{ISCO_URI}3221": "narrowMatch"}},
    "c/31": {"title": "Brotbäcker", "matches": {f"{ISCO_URI}7512": "broadMatch", "unknown": "exactMatch"}},
    "c/32": {"title": "Feinbäckerin", "matches": {f"{ISCO_URI}7512": "broadMatch"}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a crosswalk whose kinds of match are said of the target."""
    path = tmp_path / "deu_de"
    path.mkdir()
    (path / "crosswalk.json").write_text(json.dumps(CODES), "utf-8")
    return path


def test_the_direction_follows_from_the_counts(folder: Path) -> None:
    """A code with two targets is the broader one, whatever the file calls it; unknown concepts are left out."""
    pairs, relations, turned = crosswalk_pairs(folder, TaxonomyStore.open().load(BUNDLED_ID))
    assert turned
    assert [pairs.sources[source].code for source in pairs.source_of] == ["1", "2", "2", "31", "32"]
    assert [PREDICTED[relation] for relation in relations] == [EXACT, BROADER, BROADER, NARROWER, NARROWER]


def test_relations_are_measured(folder: Path) -> None:
    """The rules are right; the majority, broader or narrower, is right about 2 of 5: F1 4/7 of one class in three."""
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    [report] = evaluate_relations([folder], taxonomy, shipped_relation_model(), shipped_encoder())
    assert (report.country, report.unseen, report.turned, report.pairs) == ("deu_de", True, True, 5)
    assert report.rules == 1
    assert report.majority == pytest.approx(4 / 7 / 3)
    assert 0 <= report.model <= 1


def test_proposals_are_measured(folder: Path, bundled: Linker) -> None:
    """Where the right pairs are not given, some of them are proposed."""
    [report] = evaluate_proposals([folder], bundled, shipped_relation_model())
    assert report.proposed > 0
    assert 0 < report.found <= 1
