"""Names of one occupation that are general words in the names of many."""

from dataclasses import replace

import numpy as np
import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.link_reasons import SEVERAL
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import MANY, NameIndex, general_groups
from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder


def test_words_of_many_unit_groups() -> None:
    """As the first or last word of names; words of the lexicon have a known meaning."""
    texts = [f"{place} overseer" for place in range(MANY)] + [f"overman {place}" for place in range(MANY - 1)]
    units = np.arange(len(texts))
    more = ["overseer", "overman", "overseer", "b nurse", "nurse"]
    groups = general_groups(texts + more, np.append(units, [7, 7, 8, 9, 9]), list(lexicon_titles()))
    assert groups.tolist() == [0] * len(texts) + [MANY, 0, MANY, 0, 0]
    mechanics = [f"{place} mechanic" for place in range(MANY)]
    assert general_groups([*mechanics, "mechanic"], np.arange(MANY + 1), lexicon_titles()).tolist() == [0] * (MANY + 1)
    assert general_groups([], np.empty(0, np.int32), lexicon_titles()).tolist() == []


@pytest.fixture(scope="module")
def overseers() -> Linker:
    """Overseers in 25 unit groups, one of which is also called just an overseer."""
    builder = TablesBuilder()
    for number in range(25):
        code = str(1000 + number)
        concept = builder.concept(f"http://jobs/{code}", kind=OCCUPATION, code=code, isco=code)
        builder.add_names(concept, "en", f"plant{number} overseer", ["overseer", "millhand"] if number == 3 else [])
    taxonomy = Taxonomy(Manifest("o-1", "O", "1", ("en",), {}, "0" * 64, "", "2026-01-01"), builder.build())
    calibration = Calibration.shipped_for(shipped_encoder().name)
    assert calibration is not None
    calibration = replace(calibration, name_trust=None)  # as for every taxonomy but ESCO
    return Linker(taxonomy, NameIndex.build(taxonomy, shipped_encoder()), calibration)


def test_a_general_word_is_not_linked(overseers: Linker) -> None:
    """All its unit groups are equally likely; other equal names are linked."""
    result = overseers.link("Overseer (m/f/d)")
    assert (result.abstained, result.reason) == (True, SEVERAL)
    assert result.candidates[0].isco == "1003"
    assert result.candidates[0].probability <= 1 / 25
    for title in ("millhand", "plant3 overseer"):
        linked = overseers.link(title)
        assert (linked.abstained, linked.candidates[0].isco) == (False, "1003")
        assert linked.candidates[0].probability > 0.5
