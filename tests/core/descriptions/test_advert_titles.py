"""Names as adverts write them: the name stays whole."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.advert_titles import _NEVER_IN_FRONT, as_advertised
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.titles.cleaning import clean_title, noise_phrases

NAMES = ["baker", "lathe operator", "ward nurse", "dough-maker", "R&D manager"]
POSTINGS = [Posting(str(number), NAMES[number % 5], f"Text {number}.", ("x",), "name") for number in range(1000)]
TITLES = [each.title for each in as_advertised(POSTINGS, 1, 1)]


@given(st.floats(0, 1), st.integers(0, 99))
def test_only_titles_change_and_names_stay_whole(share: float, seed: int) -> None:
    """Everything else is as it was, in its order; the same seed writes the same titles."""
    found = as_advertised(POSTINGS, share, seed)
    assert [replace(each, title="") for each in found] == [replace(each, title="") for each in POSTINGS]
    assert all(before.title in after.title for before, after in zip(POSTINGS, found, strict=True))
    assert as_advertised(POSTINGS, share, seed) == found


def test_a_share_of_them() -> None:
    """None, about half, and all."""

    def changed(share: float) -> int:
        return sum(a != b for a, b in zip(as_advertised(POSTINGS, share, 1), POSTINGS, strict=True))

    assert changed(0) == 0
    assert changed(0.5) == pytest.approx(500, abs=60)
    assert changed(1) == 1000
    assert as_advertised([], 0.5, 1) == []


def test_what_is_in_front() -> None:
    """Grades of many kinds, and nothing else, which the linker takes out again."""
    bakers = [title for title in TITLES if title.endswith(" baker")]
    alone = [title for title in bakers if sum(title.count(name) for name in NAMES) == 1]
    fronts = {title.removesuffix(" baker") for title in alone}
    assert len(fronts) > 10
    grades = set(noise_phrases("seniority", ENGLISH))
    assert fronts <= grades - _NEVER_IN_FRONT
    assert grades >= _NEVER_IN_FRONT
    known = {word for name in NAMES for word in name.split()}
    assert {clean_title(title, known).forms[0] for title in alone} == {"baker"}


@pytest.mark.parametrize(
    "added",
    [("I", "II", "III"), noise_phrases("contract", ENGLISH), noise_phrases("advert", ENGLISH), ("London", "Paris")],
    ids=["steps", "contracts", "calls", "places"],
)
def test_what_is_behind(added: tuple[str, ...]) -> None:
    """Things of all kinds."""
    assert any(title.endswith((f" {each}", f"({each})")) for title in TITLES for each in added)


def test_another_job_behind() -> None:
    """One of the other names."""
    assert any(f"{first} {sign} {other}" in TITLES for first in NAMES for sign in "/&" for other in NAMES)
