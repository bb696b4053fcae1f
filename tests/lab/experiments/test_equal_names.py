"""What equal names lose to each other, on a taxonomy of two occupations and a lexicon of two titles."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from lab.experiments.equal_names import RivalTitles, evaluate_rivals, read_coded_titles
from lab.shipping.shipped_encoder import is_calibrated_on
from lab.shipping.training_texts import CodedRow

TINY = """concept_id,language,preferred,alternatives,parent,description
cook,en,cook,chef,5120,
baker,en,baker,bread maker,7512,
"""


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    """Give a linker for which `chef` and `bread maker` are names of the other occupation in the lexicon."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.csv").write_text(TINY, "utf-8")
    store = TaxonomyStore.open(Settings(folder / "home"))
    taxonomy = store.load(store.import_from(folder / "tiny.csv").id)
    row = taxonomy.tables.names.iloc[[0]].assign(preferred=False)
    for text, owner in (("chef", "baker"), ("bread maker", "cook")):
        taxonomy = taxonomy.with_names(row.assign(text=text, concept=taxonomy.number(owner)))
    index = NameIndex.build(taxonomy)
    return Linker(taxonomy, index, Calibration.fit(index))


def coded(*rows: tuple[str, str]) -> list[CodedRow]:
    """Make coded titles."""
    return [CodedRow((code,), title, title) for title, code in rows]


def test_only_titles_of_several_occupations_are_scored(linker: Linker) -> None:
    """`cook` is a name of one, and `pilot` of none."""
    assert RivalTitles.of(linker, ["cook", "chef", "pilot", "Bread Maker"]).titles == ("chef", "Bread Maker")


def test_who_loses_is_second(linker: Linker) -> None:
    """With much to lose the lexicon's names are; with a negative loss the taxonomy's own are, two of four."""
    rows = coded(("chef", "5120"), ("bread maker", "7512"), ("cook", "5120"))
    own, lexicons = evaluate_rivals(linker, rows, lexicon=[9.0, -9.0], foreign=[9.0], agreed=[3.0])
    assert (own.lexicon, own.foreign, own.agreed, own.lost, own.language) == (9.0, 9.0, 3.0, 0.0, "en")
    assert (lexicons.lexicon, lexicons.lost) == (-9.0, 0.5)
    halves = {is_calibrated_on(title) for title in ("chef", "bread maker")}
    for report, share in ((own, 1.0), (lexicons, 0.0)):
        shares = {True: report.chosen_by, False: report.apart}
        assert {shares[half] for half in halves} == {share}


def test_lists_that_are_missing(tmp_path: Path) -> None:
    """The first file is named."""
    with pytest.raises(DataFileError, match=r"uk_soc2020\.tsv"):
        read_coded_titles(tmp_path)
