"""English glosses of titles in Japanese, Chinese and Korean."""

import csv
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings import glosses
from jobmatch_core.titles.readings.glosses import glossed

LANGUAGES = ("ja", "ko", "zh")


@pytest.mark.parametrize(
    ("title", "gloss"),
    [
        ("ソフトウェアエンジニア", "software engineer"),
        ("ｿﾌﾄｳｪｱ・エンジニア", "software engineer"),
        ("ITエンジニア", "it engineer"),
        ("看護師", "nurse"),
        ("软件工程师", "software engineer"),
        ("軟體工程師", "software engineer"),
        ("소프트웨어엔지니어", "software engineer"),
        ("간호사", "nurse"),
    ],
)
def test_glossed(title: str, gloss: str) -> None:
    """Compounds in each of the three languages, half-width letters and English letters among them."""
    assert gloss in [fold(english) for english in glossed(fold(title))]


def test_letters_of_two_languages() -> None:
    """Chinese characters alone are read in the language with more of them in its entries; on a tie in both."""
    assert glossed("会計課長") == ["accounting section manager"]
    assert glossed("会计经理") == ["accountant manager"]
    assert glossed("教授") == ["professor"]
    assert glossed("主任") == ["supervisor", "director"]


@pytest.mark.parametrize("title", ["", "software engineer", "инженер", "เชฟ", "ゑゑゑゑ", "ゑゑゑエンジニア"])
def test_no_gloss(title: str) -> None:
    """Other scripts, and words with too few letters in entries, have no gloss."""
    assert glossed(title) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_glossary(language: str) -> None:
    """Each entry stands once, is of the language's own letters, and has at most a phrase of English."""
    text = (files("jobmatch_core.titles.readings") / "glossaries" / f"{language}.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    words = [fold(row["words"]) for row in rows]
    assert len(words) == len(set(words)) > 1200
    assert not [word for word in words if not glosses._RUN.fullmatch(word)]
    assert not [row for row in rows if not row["english"].isascii() or len(row["english"].split()) > 6]


@given(
    word=st.text("あいう", max_size=8),
    entries=st.dictionaries(st.text("あい", min_size=1, max_size=4), st.just("x"), max_size=6),
)
def test_cut_is_the_cheapest(word: str, entries: dict[str, str]) -> None:
    """The most letters are covered, by the fewest entries, as by trying every way to cut."""

    def costs(rest: str) -> list[tuple[int, int]]:
        if not rest:
            return [(0, 0)]
        ways = [(unknown + 1, n) for unknown, n in costs(rest[1:])]
        for length in range(1, len(rest) + 1):
            if rest[:length] in entries:
                ways.extend((unknown, n + 1) for unknown, n in costs(rest[length:]))
        return ways

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glosses, "_glossary", lambda _: (entries, max(map(len, entries), default=1)))
        english, covered = glosses._cut(word, "ja")
    assert (len(word) - covered, len(english)) == min(costs(word))
