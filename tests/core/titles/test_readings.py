"""Which words of a title are abbreviations, and what they may mean.

What titles say of leading, and how they are read.
English glosses of titles in Japanese, Chinese and Korean.
"""

import csv
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.text.folding import fold
from jobmatch_core.titles import readings
from jobmatch_core.titles.readings import find_leadership, glossed, spelt_out, unclipped


@pytest.mark.parametrize(
    ("title", "spelt"),
    [
        ("HGV", ["heavy goods vehicle driver"]),
        ("hgv", ["heavy goods vehicle driver"]),
        ("HCA nights", ["healthcare assistant nights"]),
        ("BiBu", ["Bilanzbuchhalter"]),
        ("AVS à domicile", ["auxiliaire de vie sociale a domicile", "auxiliaire de vie scolaire a domicile"]),
        ("CHAUFFEUR HGV", ["chauffeur heavy goods vehicle driver"]),
        ("pa to somebody", []),
        ("Pa", []),
        ("AUXILIAR PA COCINA", []),
        ("nurse", []),
    ],
)
def test_spelt_out(title: str, spelt: list[str]) -> None:
    """In capitals, or as the table has them; in small letters only alone, two letters only among small ones."""
    assert [text for text, _ in spelt_out(fold(title), title)] == spelt


def test_the_table() -> None:
    """Eight languages, no row twice, every meaning in words: an abbreviation of one would be no help."""
    text = (files("jobmatch_core.titles") / "abbreviations.csv").read_text("utf-8")
    rows = [tuple(row.values()) for row in csv.DictReader(text.splitlines())]
    assert len(rows) == len(set(rows)) > 250
    assert {language for language, _, _ in rows} == {"de", "en", "es", "fr", "it", "nl", "pl", "pt"}
    assert not [row for row in rows if row[1].isupper() and row[1] in row[2].split()]
    assert all(
        len(fold(abbreviation).split()) == 1 and len(meaning) > len(abbreviation) for _, abbreviation, meaning in rows
    )


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("asst store mgr", "assistant store manager"),
        ("tech", "technician"),
        ("maint tech 2", "maintenance technician 2"),
        ("tech support", "technical support"),
        ("dir of nursing", "director of nursing"),
        ("head of eng", "head of engineering"),
        ("vp dev", "vp development"),
        ("elec eng", "electrical engineer"),
        ("eng mgr", "engineering manager"),
        ("kfm angestellte", "kaufmannischer angestellte"),
        ("lab tech ii", "lab technician ii"),
        ("operario de piel", "operario de piel"),
        ("nurse", "nurse"),
        ("", ""),
    ],
)
def test_clipped_words_are_made_whole(form: str, whole: str) -> None:
    """All of them; as the head of a title some mean another thing than before other words."""
    assert unclipped(form) == whole


def test_the_table_of_clippings() -> None:
    """Each clipping stands once among all languages, and means a longer word that has its letters in their order."""
    text = (files("jobmatch_core.titles") / "clippings.csv").read_text("utf-8")
    rows = [tuple(row.values()) for row in csv.DictReader(text.splitlines())]
    clippings = [fold(clipping) for _, clipping, _, _ in rows]
    assert len(clippings) == len(set(clippings)) > 100
    assert {language for language, *_ in rows} == {"de", "en", "es", "fr", "it", "nl", "pl"}
    for _, clipping, *meanings in rows:
        assert any(meanings)
        for meaning in filter(None, meanings):
            letters = iter(fold(meaning))
            assert len(fold(meaning)) > len(fold(clipping))
            assert all(letter in letters for letter in fold(clipping).removesuffix("s")), (clipping, meaning)


@pytest.mark.parametrize(
    ("title", "near"),
    [
        ("VP Product", "product manager"),
        ("Vice President, Wealth", "wealth manager"),
        ("Leiter Einkauf", "einkauf manager"),
        ("Head of Vertrieb", "vertrieb manager"),
        ("Directrice des ressources humaines", "ressources humaines manager"),
        ("Directeur de l'usine", "usine manager"),
        ("Kierownik działu zakupów", "zakupow manager"),
        ("Chief Marketing Officer", "marketing manager"),
        ("Sales Director EMEA", "sales manager"),
        ("Teamleiter Logistik", "logistik supervisor"),
    ],
)
def test_what_is_led_is_named_as_most_names_are(title: str, near: str) -> None:
    """In whatever language; words between the phrase and the field are left out."""
    found = find_leadership(fold(title))
    assert found is not None
    assert found.near == (near,)


@pytest.mark.parametrize(
    ("title", "equal"),
    [
        ("Deputy Head of Finance", "head of finance"),
        ("Directeur adjoint des finances", "directeur des finances"),
        ("Regional Sales Director", "sales director"),
        ("Lead Data Engineer", "data engineer"),
        ("Personal Assistant to the Managing Director", "executive assistant"),
        ("Assistenz der Geschäftsführung", "executive assistant"),
    ],
)
def test_what_changes_nothing_is_left_out(title: str, equal: str) -> None:
    """Deputies do their heads' work, and leads their team's."""
    found = find_leadership(fold(title))
    assert found is not None
    assert found.equal == (equal,)


@pytest.mark.parametrize(
    "title",
    [
        "Nurse",
        "Director",
        "Head of",
        "Film Director",
        "Jefe de cocina",
        "Direttore d'orchestra",
        "Dental Assistant",
        "Assistant to the dentist",
        "Directeur de l'",
        "Head of all that has to do with cleaning of large buildings",
    ],
)
def test_other_titles(title: str) -> None:
    """Other occupations, no field, and descriptions rather than titles."""
    assert find_leadership(fold(title)) is None


def test_who_manages() -> None:
    """Heads of departments do, heads of a trade and their teams need not."""
    manages = {
        title: found.manages
        for title in ("Head of Sales", "Head Chef", "Team Leader Sales", "Responsable ventas")
        if (found := find_leadership(fold(title)))
    }
    assert manages == {
        "Head of Sales": True,
        "Head Chef": False,
        "Team Leader Sales": False,
        "Responsable ventas": False,
    }


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
    assert gloss in [fold(each) for each in glossed(fold(title))]


def test_letters_of_two_languages() -> None:
    """Chinese characters alone are read in the language that knows more of them; in both if neither does."""
    assert glossed("会計課長") == ["accounting section manager"]
    assert glossed("会计经理") == ["accountant manager"]
    assert glossed("教授") == ["professor"]
    assert glossed("主任") == ["supervisor", "director"]


@pytest.mark.parametrize("title", ["", "software engineer", "инженер", "เชฟ", "ゑゑゑゑ", "ゑゑゑエンジニア"])
def test_no_gloss(title: str) -> None:
    """Other scripts, and words of which too little is known, have none."""
    assert glossed(title) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_glossary(language: str) -> None:
    """Each entry stands once, is of the language's own letters, and has at most a phrase of English."""
    text = (files("jobmatch_core.titles") / "glossaries" / f"{language}.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    words = [fold(row["words"]) for row in rows]
    assert len(words) == len(set(words)) > 1200
    assert not [word for word in words if not readings._RUN.fullmatch(word)]
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
        found = [(unknown + 1, n) for unknown, n in costs(rest[1:])]
        for length in range(1, len(rest) + 1):
            if rest[:length] in entries:
                found.extend((unknown, n + 1) for unknown, n in costs(rest[length:]))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings, "_glossary", lambda _: (entries, max(map(len, entries), default=1)))
        english, covered = readings._cut(word, "ja")
    assert (len(word) - covered, len(english)) == min(costs(word))
