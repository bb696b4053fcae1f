"""The postings that come with jobmatch."""

from jobmatch_core.descriptions.example_postings import example_postings
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.text.languages import LANGUAGE_NAMES


def test_twelve_in_six_languages() -> None:
    """Each with its own id, a title, and some sentences."""
    found = example_postings()
    assert len(found) == len({each.posting.id for each in found}) == 12
    languages = {each.language for each in found}
    assert len(languages) == 6
    assert languages <= set(LANGUAGE_NAMES)
    for each in found:
        assert each.posting.title
        assert len(segments(each.posting.description)) >= 10
