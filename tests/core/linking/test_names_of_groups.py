"""Titles of the lexicon that mean a unit group, and are stored with its nearest occupation."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.judged_title import OwnName
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.corrections import NEAREST_RIGHT
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy import Manifest, Taxonomy, lexicon
from jobmatch_core.taxonomy.lexicon import LexiconTitle, at_nearest, with_lexicon
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder

ADVERTISER, COPIER = "http://jobs/advertiser", "http://jobs/copier"
TITLES = (
    LexiconTitle("en", "Exam Invigilator", "4419", "", ADVERTISER),
    LexiconTitle("en", "Poster Planner", "4419", ADVERTISER, ""),
    LexiconTitle("en", "Copyist", "4415", "", COPIER),
)


@pytest.fixture(scope="module")
def clerks() -> Linker:
    """Two clerks of different unit groups; an own name of one is also a title of the other's group."""
    builder = TablesBuilder()
    for uri, code, names in (
        (ADVERTISER, "4419", ["advertising assistant"]),
        (COPIER, "4415", ["copying clerk", "copyist"]),
    ):
        concept = builder.concept(uri, kind=OCCUPATION, code=f"{code}.1", isco=code)
        builder.add_names(concept, "en", names[0], names[1:])
    own = Taxonomy(Manifest("c-1", "C", "1", ("en",), {}, "0" * 64, "", "2026-01-01"), builder.build())
    calibration = Calibration.shipped_for(shipped_encoder().name)
    assert calibration is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexicon, "lexicon_titles", lambda: iter(TITLES))
        taxonomy = with_lexicon(own, TITLES)
        assert [taxonomy.name_texts[row] for row in np.flatnonzero(at_nearest(taxonomy, TITLES))] == [
            "Exam Invigilator"
        ]
        return Linker(taxonomy, NameIndex.build(taxonomy, shipped_encoder()), calibration)


def test_the_unit_group_is_linked(clerks: Linker) -> None:
    """The nearest occupation is only a guess."""
    result = clerks.link("Exam Invigilator (part time)")
    assert (result.level, result.best) == ("unit group", None)
    assert result.group is not None
    assert (result.group.code, result.candidates[0].uri) == ("4419", ADVERTISER)
    assert result.probability > 0.9
    assert result.candidates[0].probability <= NEAREST_RIGHT


@pytest.mark.parametrize(
    ("title", "uri"), [("Poster Planner", ADVERTISER), ("Copyist", COPIER), ("advertising assistant", ADVERTISER)]
)
def test_other_names_link_their_occupation(clerks: Linker, title: str, uri: str) -> None:
    """Names of the lexicon for an occupation, and names of the taxonomy."""
    result = clerks.link(title)
    assert result.best is not None
    assert result.best.uri == uri
    assert result.best.probability > 0.9


def test_an_accepted_title_links_its_occupation(clerks: Linker) -> None:
    """Its annotator chose the occupation."""
    accepted = OwnName("Exam Invigilator", ADVERTISER, ("Ann",), date(2026, 11, 24))
    best = clerks.with_own_names([accepted]).link("Exam Invigilator").best
    assert best is not None
    assert best.probability > 0.9


def test_the_names_of_groups_are_saved(clerks: Linker, tmp_path: Path) -> None:
    """With the index, and with its subset of some languages."""
    clerks.index.save(tmp_path)
    loaded = NameIndex.load(tmp_path, shipped_encoder())
    for index in (loaded, loaded.in_languages(clerks.taxonomy, ["en"])):
        named = [text for text, of_group in zip(index.texts, index.of_group.tolist(), strict=True) if of_group]
        assert named == ["exam invigilator"]
