"""Names as adverts write them: the name stays whole, and the linker finds it again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.languages import ENGLISH
from jobmatch_core.linking.cleaning import clean_title, noise_phrases
from jobmatch_core.training.advert_titles import as_advertised

NAMES = ["baker", "lathe operator", "ward nurse", "dough-maker", "R&D manager"]
POSTINGS = [Posting(str(number), NAMES[number % 5], f"Text {number}.", ("x",), "name") for number in range(400)]


@given(st.floats(0, 1), st.integers(0, 99))
def test_only_titles_change_and_names_stay_whole(share: float, seed: int) -> None:
    """Everything else is as it was, in its order; the same seed writes the same titles."""
    found = as_advertised(POSTINGS, share, seed)
    assert [(each.id, each.description, each.skills, each.name) for each in found] == [
        (each.id, each.description, each.skills, each.name) for each in POSTINGS
    ]
    assert all(before.title in after.title for before, after in zip(POSTINGS, found, strict=True))
    assert as_advertised(POSTINGS, share, seed) == found


def test_a_share_of_them() -> None:
    """None, about half, and as many as have something in front or behind: 1 - 0.5 * 0.4 of all that are chosen."""
    assert as_advertised(POSTINGS, 0, 1) == POSTINGS

    def changed(share: float) -> int:
        return sum(a != b for a, b in zip(as_advertised(POSTINGS, share, 1), POSTINGS, strict=True))

    assert changed(0.5) == pytest.approx(0.5 * 0.8 * 400, abs=40)
    assert changed(1) == pytest.approx(0.8 * 400, abs=40)
    assert as_advertised([], 0.5, 1) == []


def test_what_is_added() -> None:
    """Grades in front; steps, contracts, calls, places and other jobs behind."""
    titles = [each.title for each in as_advertised(POSTINGS, 1, 1)]
    fronts = {title[: -len("baker")].strip() for title in titles if title.endswith("baker")}
    assert {"senior", "trainee"} & fronts
    assert all(any(mark in title for title in titles) for mark in (" II", "(", " - ", ", ", " / ", " and "))
    assert any("ward nurse" in title and "lathe operator" in title for title in titles)


def test_what_is_in_front_the_linker_takes_out_again() -> None:
    """Its words and these are the same ones."""
    known = {word for name in NAMES for word in name.split()}
    bakers = [each.title for each in as_advertised(POSTINGS, 1, 1) if each.title.endswith(" baker")]
    alone = [title for title in bakers if sum(title.count(name) for name in NAMES) == 1]
    assert len(set(alone)) > 10
    assert {clean_title(title, known).forms[0] for title in alone} == {"baker"}


def test_noise_phrases() -> None:
    """As written; a kind or a language that is not there is an error."""
    assert "m/f/d" in noise_phrases("advert", ENGLISH)
    with pytest.raises(KeyError):
        noise_phrases("weather", ENGLISH)
