"""Languages of job titles, by the words of the lexicon."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.taxonomy.title_language import count_languages, title_language


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Krankenschwester (m/w/d)", "de"),
        ("Kierowca ciężarówki", "pl"),
        ("infirmière", "fr"),
        ("معلم", "ar"),
        ("看護師", "ja"),
        ("электрик", "ru"),
        ("qqjj vvxx", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_title(title: str, language: str) -> None:
    """By its words, in any script; words that no title has tell nothing."""
    assert title_language(title) == language


def test_a_title_of_two_languages_tells_nothing() -> None:
    """`manager` is a word of titles in several languages."""
    languages = {title.language for title in lexicon_titles() if "manager" in title.title.casefold().split()}
    assert len(languages) > 1
    assert title_language("manager") == ""


@given(st.lists(st.sampled_from(["Krankenschwester", "kierowca ciężarówki", "qqjj"])))
def test_titles_are_counted_by_language(titles: list[str]) -> None:
    """As often as each stands in the list."""
    assert count_languages(titles) == Counter(map(title_language, titles))
