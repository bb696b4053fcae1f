"""The store as the command line opens it, on either database."""

from db.label_source import LabelSource
from jobmatch_core.entities import Pair, PairKind
from tests.db.made_judgments import make_judgment, make_pair


def test_what_counts_of_a_kind_and_a_source(where: str) -> None:
    """Other taxonomies' titles and other pairs are left out, and so is what was taken back."""
    title = Pair(PairKind.TITLE_OCCUPATION, "isco-08", "cook", "uri:cook")
    other = Pair(PairKind.TITLE_OCCUPATION, "esco-1.0.3", "cook", "uri:cook")
    kept, undone = make_judgment(pair=title), make_judgment(pair=title, annotator="Bob")
    back = make_judgment(None, annotator="Bob", pair=title, undoes=undone.id)
    with LabelSource.open(where) as source:
        assert isinstance(source, LabelSource)
        source.record_all([kept, undone, back, make_judgment(pair=other), make_judgment(pair=make_pair())])
        assert source.current_of(PairKind.TITLE_OCCUPATION, "isco-08") == [kept]
        assert source.current_of(PairKind.TITLE_TITLE, "isco-08") == []
