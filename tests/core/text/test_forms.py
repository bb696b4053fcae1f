"""Paired and gendered forms: examples from ten languages, and hostile texts."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.text.forms import expand_forms, forms_of_jobs, name_forms

EXAMPLES = [
    # German
    ("Koch/Köchin", ["Koch", "Köchin"]),
    ("Arzt/Ärztin", ["Arzt", "Ärztin"]),
    ("Verkäufer/in", ["Verkäufer", "Verkäuferin"]),
    ("Mitarbeiter/-in", ["Mitarbeiter", "Mitarbeiterin"]),
    ("Verkäufer*in", ["Verkäufer", "Verkäuferin"]),
    ("Lehrer:in", ["Lehrer", "Lehrerin"]),
    ("Erzieher_in", ["Erzieher", "Erzieherin"]),
    ("VerkäuferIn", ["Verkäufer", "Verkäuferin"]),
    ("Bäcker(in)", ["Bäcker", "Bäckerin"]),
    ("Kaufmann/Kauffrau im Einzelhandel", ["Kaufmann im Einzelhandel", "Kauffrau im Einzelhandel"]),
    (
        "Maler und Lackierer/Malerin und Lackiererin Fachrichtung Farbe",
        ["Maler und Lackierer Fachrichtung Farbe", "Malerin und Lackiererin Fachrichtung Farbe"],
    ),
    (
        "Geprüfter Techniker/Geprüfte Technikerin für Bau",
        ["Geprüfter Techniker für Bau", "Geprüfte Technikerin für Bau"],
    ),
    ("(Koch/Köchin) Kantine", ["(Koch) Kantine", "(Köchin) Kantine"]),
    ("Pflegehelfer/in / Koch", ["Pflegehelfer", "Pflegehelferin", "Koch"]),
    # French
    ("infirmier·ère", ["infirmier", "infirmière"]),
    ("infirmier.ère", ["infirmier", "infirmière"]),
    ("salarié·e·s", ["salarié", "salariée"]),
    ("étudiant(e)", ["étudiant", "étudiante"]),
    ("vendeur(se)", ["vendeur", "vendeuse"]),
    ("technicien(ne) de maintenance", ["technicien de maintenance", "technicienne de maintenance"]),
    ("vendeur/vendeuse de fleurs", ["vendeur de fleurs", "vendeuse de fleurs"]),
    ("directeur/trice", ["directeur", "directrice"]),
    ("agriculteur-rice", ["agriculteur", "agricultrice"]),
    ("conseiller/ère", ["conseiller", "conseillère"]),
    # Spanish
    ("camarero/a", ["camarero", "camarera"]),
    ("Director/a de ventas", ["Director de ventas", "Directora de ventas"]),
    ("trabajador/a social", ["trabajador social", "trabajadora social"]),
    ("administrativ@", ["administrativo", "administrativa"]),
    # Italian
    ("impiegato/a", ["impiegato", "impiegata"]),
    ("infermiere/a", ["infermiere", "infermiera"]),
    ("dottore/essa", ["dottore", "dottoressa"]),
    ("direttore/trice", ["direttore", "direttrice"]),
    # Portuguese
    ("enfermeiro(a)", ["enfermeiro", "enfermeira"]),
    ("empregado(a) de mesa", ["empregado de mesa", "empregada de mesa"]),
    # Czech, Slovak, Polish
    ("prodavač/ka", ["prodavač", "prodavačka"]),
    ("operátor/ka výroby", ["operátor výroby", "operátorka výroby"]),
    ("Kuchař/Kuchařka", ["Kuchař", "Kuchařka"]),
    ("upratovač/-ka", ["upratovač", "upratovačka"]),
    ("pracownik/pracownica biura", ["pracownik biura", "pracownica biura"]),
    ("Sprzedawca/Sprzedawczyni", ["Sprzedawca", "Sprzedawczyni"]),
    # Hungarian, Swedish
    ("Szakács/szakácsnő", ["Szakács", "szakácsnő"]),
    ("Servitör/Servitris", ["Servitör", "Servitris"]),
    # English
    ("driver / warehouse worker", ["driver", "warehouse worker"]),
    ("driver cum cook", ["driver", "cook"]),
    ("waiter / waitress", ["waiter", "waitress"]),
    ("steward/hostess", ["steward", "hostess"]),
    ("actor/actress", ["actor", "actress"]),
]
HARD = [
    ("Mitarbeiter / -in", ["Mitarbeiter", "Mitarbeiterin"]),
    ("professore/ssa", ["professore", "professoressa"]),
    ("sprzedawca/czyni", ["sprzedawca", "sprzedawczyni"]),
    ("chef/fe de projet", ["chef de projet", "cheffe de projet"]),
    ("coiffeur.se", ["coiffeur", "coiffeuse"]),
    ("infirmiers·ères", ["infirmiers", "infirmières"]),
    ("učitelj/ica", ["učitelj", "učiteljica"]),
    ("pracovník/-ice", ["pracovník", "pracovnice"]),
    ("Νοσηλευτής/τρια", ["Νοσηλευτής", "Νοσηλευτρια"]),
    ("ГОТВАЧ/КА", ["ГОТВАЧ", "ГОТВАЧКА"]),
    ("aktivista/tka", ["aktivista", "aktivistka"]),
    ("astrolog/ožka", ["astrolog", "astroložka"]),
    ("pracownik/czka", ["pracownik", "pracowniczka"]),
    ("abogado/da", ["abogado", "abogada"]),
    ("técnico/ica", ["técnico", "técnica"]),
    ("cuoco/ca", ["cuoco", "cuoca"]),
    ("accrocheur/use", ["accrocheur", "accrocheuse"]),
    ("vânzător/oare", ["vânzător", "vânzătoare"]),
    ("asistent/ă medical", ["asistent medical", "asistentă medical"]),
    ("pārdevējs/a", ["pārdevējs", "pārdevēja"]),
    ("pardavėjas/a", ["pardavėjas", "pardavėja"]),
    ("radnik/ca", ["radnik", "radnica"]),
    ("prodajalec/ka", ["prodajalec", "prodajalka"]),
    ("учитель/ница", ["учитель", "учительница"]),
    ("معلم/ة", ["معلم", "معلمة"]),
    ("מוכר/ת", ["מוכר", "מוכרת"]),
    ("müügimees/naine", ["müügimees", "müüginaine"]),
    ("medewerk/ster", ["medewerker", "medewerkster"]),
    ("Beauftragter/e", ["Beauftragter", "Beauftragte"]),
    ("Krankenschwester/-pfleger", ["Krankenschwester"]),
    ("cook/waitress", ["cook", "waitress"]),
    ("tractor/crane operator", ["tractor", "crane operator"]),
    ("nurse/use", ["nurse", "use"]),
    ("Feuerwehrmann/-frau", ["Feuerwehrmann", "Feuerwehrfrau"]),
    ("LinkedIn manager", ["LinkedIn manager"]),
    ("24/7 driver/cleaner", ["24/7 driver", "cleaner"]),
]
UNPAIRED = [
    "Krankenschwester",
    "Wine Ingredient Buyer",
    "Head of IT",
    "C++ developer",
    "24 hour care",
    "看護師",
    "ممرضة",
]
HUGE = {
    "slashes": "/" * 5000,
    "brackets": "(" * 3000,
    "in in in": "in " * 2000,
    "digits": "1" * 10_000,
    "digits and slashes": "1/" * 3000,
    "three jobs": "abc / " * 1500,
    "emoji": "😀" * 10_000,
    "dashes": "a - " * 2500,
    "at signs": "@ " * 5000,
    "starred": "abc*" * 2500,
    "bracketed": "abc(" * 2500,
    "dotted": "abc." * 2500,
    "tabs": "a\t" * 3000,
    "combining": "e\u0301" * 5000,
}
# every pair doubles the work; 25 of them (300 characters, as long as a title may be) take hours
DOUBLING = {
    "pairs of words": "Koch/Köchin " * 15,
    "a chain of one word": "Koch/" * 18,
}
QUADRATIC = {"Japanese": "看護師" * 2000}
SECONDS = 0.5


@pytest.mark.parametrize(("text", "expected"), EXAMPLES, ids=[text for text, _ in EXAMPLES])
def test_pairs_become_the_titles_they_stand_for(text: str, expected: list[str]) -> None:
    """The first form comes first, and both keep the words around the pair."""
    assert expand_forms(text) == expected


@pytest.mark.parametrize(("text", "expected"), HARD, ids=[text for text, _ in HARD])
def test_hard_pairs(text: str, expected: list[str]) -> None:
    """Rarer endings, and words that only look like pairs."""
    assert expand_forms(text) == expected


@pytest.mark.parametrize("text", UNPAIRED)
def test_a_text_without_pairs_comes_back_alone(text: str) -> None:
    """The text itself is the only form."""
    assert expand_forms(text) == [text]


def test_an_abbreviation_with_a_slash_keeps_its_noun() -> None:
    """`AC/DC` is not a pair of jobs, but splitting it must not lose the technician."""
    assert expand_forms("AC/DC technician")[-1].endswith("technician")


@pytest.mark.parametrize("text", ["", " ", "/", " / ", "-", "///"], ids=repr)
def test_a_text_without_letters_has_no_forms(text: str) -> None:
    """Punctuation alone is not a title."""
    assert expand_forms(text) == []


def test_forms_are_few_and_different() -> None:
    """Eight jobs are cut to six; a repeated job counts once."""
    assert expand_forms("cook / baker / nurse / clerk / guard / miner / judge / actor") == [
        "cook",
        "baker",
        "nurse",
        "clerk",
        "guard",
        "miner",
    ]
    assert expand_forms("cook / baker / cook") == ["cook", "baker"]


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("nurse", [0]),
        ("Koch/Köchin", [0, 0]),
        ("driver / warehouse worker", [0, 1]),
        ("Pflegehelfer/in / Koch", [0, 0, 1]),
        ("cleaner/gardener", [0, 1]),
        ("cook / baker / cook", [0, 1]),
        ("x" * 400, [0]),
    ],
)
def test_forms_of_one_job_have_one_number(text: str, jobs: list[int]) -> None:
    """Masculine and feminine forms share a number; different jobs do not."""
    assert [job for _, job in forms_of_jobs(text)] == jobs
    assert [form for form, _ in forms_of_jobs(text)] == expand_forms(text)


NAMES = [
    ("actor", ["actor"]),
    ("waiter/waitress", ["waiter", "waitress"]),
    ("enfermero/enfermera", ["enfermero", "enfermera"]),
    ("Bäcker/Bäckerin", ["Bäcker", "Bäckerin"]),
    ("kucharz/kucharka", ["kucharz", "kucharka"]),
    ("machinist / operator", ["machinist", "operator"]),
    ("iron/steel worker", ["steel worker", "iron worker"]),
    ("naval engineer/architect", ["naval engineer", "naval architect"]),
    ("dog / cat kennel manager", ["cat kennel manager", "dog kennel manager"]),
    ("asistent/tajnik škole", ["tajnik škole", "asistent škole"]),
    ("quality assurance/quality control manager", ["quality control manager"]),
    ("Lehrassistent Sekundarstufe/Lehrassistentin", ["Lehrassistent Sekundarstufe"]),
    ("cook/head baker/clerk", ["head baker"]),
]


@pytest.mark.parametrize(("name", "forms"), NAMES, ids=[name for name, _ in NAMES])
def test_a_part_of_a_name_is_a_name_if_it_is_whole(name: str, forms: list[str]) -> None:
    """The original name comes last; `iron` and `architect` alone are other occupations."""
    assert name_forms(name) == list(dict.fromkeys([*forms, name]))


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_name_is_one_of_its_forms(text: str) -> None:
    """No name raises an error or is lost."""
    assert name_forms(text)[-1] == text or text in name_forms(text)


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_with_letters_has_a_form(text: str) -> None:
    """No text raises an error or loses all its letters."""
    forms = expand_forms(text)
    assert all(forms)
    assert bool(forms) or not any(letter.isalpha() for letter in text)


@given(
    st.lists(
        st.sampled_from(["Koch", "Köchin", "in", "a", "ère", "se", "מורה", "معلم", "看護師", "👩‍🍳", "C++", "24"]),
        min_size=1,
        max_size=7,
    ),
    st.lists(st.sampled_from(["/", " / ", "/-", "(", ")", "*", ":", "_", "·", ".", "@", " ", "|", ";"]), min_size=7),
)
@settings(max_examples=300, deadline=None)
def test_any_pieces_joined_by_pair_signs_have_a_form(words: list[str], signs: list[str]) -> None:
    """Right-to-left scripts, ideographs and emoji between all pair signs."""
    text = "".join(word + sign for word, sign in zip(words, signs, strict=False))
    forms = expand_forms(text)
    assert len(forms) == len(set(forms)) <= 6
    assert bool(forms) or not any(letter.isalpha() for letter in text)


@pytest.mark.parametrize("text", HUGE.values(), ids=list(HUGE))
def test_huge_texts_take_no_time(text: str) -> None:
    """No regular expression backtracks for long on repeated signs."""
    assert_fast_and_not_empty(text)


@pytest.mark.parametrize("text", DOUBLING.values(), ids=list(DOUBLING))
def test_many_pairs_take_no_time(text: str) -> None:
    """A title of fifteen pairs is as fast as a title of one pair."""
    assert_fast_and_not_empty(text)


@pytest.mark.parametrize("text", QUADRATIC.values(), ids=list(QUADRATIC))
def test_one_endless_word_takes_no_time(text: str) -> None:
    """Names of a taxonomy may be arbitrarily long words."""
    assert_fast_and_not_empty(text)


def test_thousands_of_slashed_letters() -> None:
    """A text that is too long for a name is returned unchanged."""
    assert expand_forms("a/" * 2000) == ["a/" * 2000]
    assert expand_forms("a/" * 100) == ["a"]


def assert_fast_and_not_empty(text: str) -> None:
    """Expand a text, and check the time and that letters remain."""
    start = time.perf_counter()
    forms = expand_forms(text)
    assert time.perf_counter() - start < SECONDS
    assert bool(forms) or not any(letter.isalpha() for letter in text)
