"""Walls of text.

Sentence ends in the languages of ESCO and in other scripts; what looks like one and is none.
Segmentation as a whole: nothing lost, every segment says something, in time that grows with the length.
What sentences are about: by headings, by their own words, in several languages.
"""

import time
import tomllib
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.blocks import SegmentKind
from jobmatch_core.descriptions.postings import example_postings
from jobmatch_core.descriptions.segments import (
    LONGEST,
    Segment,
    SentenceRole,
    long_piece_cuts,
    segments,
    sentence_ends,
    sentence_roles,
)
from jobmatch_core.text.folding import fold


def parts(text: str) -> list[str]:
    """Return the text cut."""
    cuts = long_piece_cuts(text)
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def test_what_is_short_enough_stays() -> None:
    """Whatever is in it."""
    text = "Wymagania: prawo jazdy; chęci, Zawód: kucharz " * 6
    assert parts(text) == [text]


def test_labels_before_semicolons_before_commas() -> None:
    """The stronger border counts where it suffices."""
    filler = "bardzo dużo pracy na budowie " * 6
    text = f"Opis pracy: {filler}Nasze Wymagania: {filler}PLN Miejsce pracy: Ełk"
    assert parts(text) == [f"Opis pracy: {filler}", f"Nasze Wymagania: {filler}PLN ", "Miejsce pracy: Ełk"]
    assert parts(f"{filler}; {filler}; a, b") == [f"{filler}; ", f"{filler}; ", "a, b"]


def test_phrases_are_packed() -> None:
    """As many together as fit: commas, and capitals behind small letters, between which a list lost its lines."""
    assert parts("one of many, " * 60) == ["one of many, " * 24, "one of many, " * 24, "one of many, " * 12]
    assert all(part.startswith("Elastyczny czas") for part in parts("Elastyczny czas pracy " * 40))


def test_half_words_stay_whole() -> None:
    """German compounds share their second half; a glued dash is a border."""
    assert all("und" not in part[:7] for part in parts("Vertriebs- und Marketingleiter gesucht für uns " * 10))
    assert parts("praca- " * 60)[1:-1] == ["- praca"] * 59


@given(st.text(st.sampled_from("aB :;,-.日、\n"), min_size=1, max_size=1500))
def test_no_piece_is_longer_than_allowed_but_for_a_word(text: str) -> None:
    """The pieces together are the whole text."""
    found = parts(text)
    assert "".join(found) == text
    for part in found:
        assert part
        words = part.replace("、", " ").replace(",", " ").replace(";", " ").split()
        assert len(part) <= LONGEST or len(words) <= 1


def test_an_unbroken_word_stays() -> None:
    """However long it is: nothing says where to cut it."""
    assert parts("x" * 1000) == ["x" * 1000]


def sentences(text: str) -> list[str]:
    """Return the sentences without the space between them."""
    ends = sentence_ends(text)
    return [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


@pytest.mark.parametrize(
    "parts",
    [
        ("Търсим готвач.", "Предлагаме добро заплащане."),
        ("Hledáme kuchaře.", "Nabízíme dobrou mzdu."),
        ("Vi søger en kok.", "Du får god løn."),
        ("Wir suchen einen Koch.", "Ihr Gehalt ist gut."),
        ("Ζητείται μάγειρας;", "Στείλτε βιογραφικό."),
        ("Do you like to cook?", "Join us!", "We pay well."),
        ("¿Le gusta cocinar?", "¡Únase a nosotros!"),
        ("Otsime kokka.", "Pakume head palka."),
        ("Etsimme kokkia.", "Tarjoamme hyvän palkan."),
        ("Nous cherchons un cuisinier.", "À vous de jouer !"),
        ("Táimid ag lorg cócaire.", "Íocfaimid go maith."),
        ("Tražimo kuhara.", "Život je lijep kod nas."),
        ("Szakácsot keresünk.", "Örömmel várjuk."),
        ("Við leitum að kokki.", "Þú færð góð laun."),
        ("Cerchiamo un cuoco.", "È richiesta esperienza."),
        ("Ieškome virėjo.", "Įmonė moka gerai."),
        ("Meklējam pavāru.", "Ēdināšana bez maksas."),
        ("Qed infittxu kok.", "Ħlas tajjeb."),
        ("Wij zoeken een kok.", "Jij krijgt een goed loon."),
        ("Vi søker kokk.", "Årslønn etter avtale."),
        ("Szukamy kucharza.", "Świetna płaca."),
        ("Procuramos um cozinheiro.", "Óptimo salário."),
        ("Căutăm un bucătar.", "Îți oferim un salariu bun."),
        ("Hľadáme kuchára.", "Ďakujeme."),
        ("Iščemo kuharja.", "Živimo v Kranju."),
        ("Buscamos cocinero.", "Él cobra bien."),
        ("Vi söker en kock.", "Äldre är välkomna."),
        ("Aşçı arıyoruz.", "İyi maaş veriyoruz."),
        ("急募！", "料理人を募集しています。", "経験者優遇。"),
        ("招聘厨师。", "待遇优厚！"),
        ("요리사를 찾습니다.", "급여가 좋습니다."),
        ("نبحث عن طباخ.", "هل تحب الطبخ؟", "راتب جيد."),
        ("हमें रसोइया चाहिए।", "वेतन अच्छा है।"),
    ],
    ids=lambda parts: parts[0][:12],
)
def test_every_language(parts: tuple[str, ...]) -> None:
    """A sentence ends at each border, and nowhere else; the wide scripts need no space."""
    wide = any(part.endswith(("。", "！")) for part in parts)
    assert sentences(("" if wide else " ").join(parts)) == list(parts)


@pytest.mark.parametrize(
    "text",
    [
        "We work with Dr. Smith and St. Mary in approx. 30 wards.",
        "Tools, e.g. Java or Python, i.e. The usual.",
        "Sie haben z. B. Erfahrung, z.B. Excel, bzw. Word und ca. 3 Jahre.",
        "Ab dem 1. Mai sind wir im 2. Stock.",
        "Praca w m.in. Krakowie, ul. Długa 5, tel. 123 456, np. Excel.",
        "Umowa z s.r.o. Praha, č. 5, tj. Hned.",
        "M. Dupont et Mme. Durand, env. 35 h, p.ex. Lyon.",
        "La Sra. García, núm. 4, de la av. Mayor.",
        "Ca. 40 timer, f.eks. Oslo, evt. Bergen.",
        "Max. 20 km/h. schnell, min. 5 Jahre, Nr. 7.",
        "A salary of 37.5 or 1.200,50 EUR at www.Example.Org or Jane.Doe@example.org in Asp.Net and Node.Js code.",
        "We ask what? why? and go on... as before.",
        "Im XX. Jahrhundert: J. S. Bach.",
        "Bonuses; pension; a car.",
    ],
)
def test_what_ends_no_sentence(text: str) -> None:
    """Abbreviations, initials, ordinals, numbers, addresses."""
    assert sentences(text) == [text]


def test_what_an_abbreviation_looks_like_but_is_none() -> None:
    """A year, a time of day, a number with decimals, and words that are abbreviations before numbers alone."""
    assert sentences("We began in 2008. You can start at 9 a.m. We pay 11.50. There is no art. Come to us.") == [
        "We began in 2008.",
        "You can start at 9 a.m.",
        "We pay 11.50.",
        "There is no art.",
        "Come to us.",
    ]


def test_quotes_and_brackets_close_with_the_sentence() -> None:
    """Those that open belong to the next one."""
    assert sentences('"Join us." (We mean it.) „Kommen Sie!“ „Gern.“ Danke.「はい。」そうです。') == [
        '"Join us."',
        "(We mean it.)",
        "„Kommen Sie!“",
        "„Gern.“",
        "Danke.「はい。」",
        "そうです。",
    ]


def test_a_space_was_lost() -> None:
    """As where lines were put together."""
    assert sentences("You join our team.You also train.We pay!Come") == [
        "You join our team.",
        "You also train.",
        "We pay!",
        "Come",
    ]


def test_white_space_belongs_to_the_sentence_before() -> None:
    """None of it is lost."""
    assert sentence_ends("One.  Two.\n Three. ") == [6, 12]


H, B, S = SegmentKind.HEADING, SegmentKind.BULLET, SegmentKind.SENTENCE
PIECES = st.sampled_from(
    [
        "Wir suchen Sie.",
        "- ",
        "• ",
        "1) ",
        "Tasks:",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "\u2028",
        "z. B. ",
        "。",
        "仕事",
        "¿Qué?",
        "…",
        "***",
        "B",
        "x ",
        "3.5",
        "“",
        "(",
        ")",
        ";",
        "\t",
        "हम।",
        "؟",
        "ABC DEF",
        "#",
        "a b c d e f g h ",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join)))
def test_nothing_is_lost(text: str) -> None:
    """The segments joined give the text back, without a gap, and each says something if anything does."""
    found = segments(text)
    assert "".join(each.text for each in found) == text
    assert [each.text for each in found] == [text[each.start : each.end] for each in found]
    assert all(before.end == behind.start for before, behind in pairwise(found))
    assert all(each.text for each in found)
    if any(map(str.isalnum, text)):
        assert all(any(map(str.isalnum, each.text)) for each in found)
    else:
        assert len(found) == bool(text)


def test_a_whole_posting() -> None:
    """Kinds and contents of a scraped one."""
    text = (
        "NIGHT NURSE\n\nWe look for a nurse, e.g. Ms. Smith. You care for patients at night!\n"
        "-----\nYour tasks:\n- Give medicine.  Write reports.\n-\nTrain others\n\n Apply now."
    )
    assert [(each.kind, each.content) for each in segments(text)] == [
        (H, "NIGHT NURSE"),
        (S, "We look for a nurse, e.g. Ms. Smith."),
        (S, "You care for patients at night!"),
        (H, "Your tasks:"),
        (B, "Give medicine."),
        (B, "Write reports."),
        (B, "Train others"),
        (S, "Apply now."),
    ]


def test_a_wall_of_text() -> None:
    """No line breaks: labels, dashes, lost spaces."""
    text = (
        "Zakres obowiązków: - rozładunek towaru - kontakt z klientem.Praca zmianowa od zaraz. Wymagania: "
        "wykształcenie zawodowe oraz doświadczenie na podobnym stanowisku i chęć do pracy w zespole które ceni spokój "
        "Oferujemy: stabilne zatrudnienie w oparciu o umowę o pracę oraz pakiet socjalny i prywatną opiekę medyczną "
        "Miejsce pracy: Kraków i okolice województwa małopolskiego blisko dworca oraz przystanku autobusowego"
    )
    found = segments(text)
    assert [(each.kind, each.content.split()[0]) for each in found] == [
        (H, "Zakres"),
        (B, "rozładunek"),
        (B, "kontakt"),
        (S, "Praca"),
        (S, "Wymagania:"),
        (S, "Oferujemy:"),
        (S, "Miejsce"),
    ]


def test_texts_that_say_nothing() -> None:
    """One segment without content, or none."""
    assert segments("") == ()
    assert segments(" \n--\n ") == (Segment(0, 6, B, " \n--\n "),)
    assert [each.content for each in segments("...")] == [""]


def test_time_grows_with_the_length() -> None:
    """Ten times the text takes about ten times as long; what is quadratic would take a hundred times."""
    unit = "- a; B: c. 1) D, e - f\n-\n•\n. . (z. B. \n" * 60
    short = _seconds(unit)
    assert _seconds(unit * 10) < 40 * short


def _seconds(text: str) -> float:
    """Return the processor time of the fastest of three."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        segments(text)
        times.append(time.process_time() - begun)
    return min(times)


def roles_of(text: str) -> list[str]:
    """Return the first letters of the roles of a text's segments, a dash for 'other'."""
    return ["-" if role is SentenceRole.OTHER else role.value[0] for role in sentence_roles(segments(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Requirements:\n- Shiny shoes\n- A blue hat\nWhat we offer:\n- A red hat\nPlease apply now.", "rrroo-"),
        ("Ihre Aufgaben:\n• Kuchen\n• Torten\nIhr Profil:\n• Geduld", "tttrr"),
        ("Wymagania:\n- cierpliwość\nOferujemy:\n- ciastka", "rroo"),
        ("Изисквания:\n- търпение\nПредлагаме:\n- хляб", "rroo"),
        ("Τα προσόντα:\n- υπομονή", "rr"),
        ("You must have patience. You will feed the geese. We pay well. The river is near.", "rto-"),
        ("", ""),
    ],
)
def test_roles(text: str, expected: str) -> None:
    """Headings hold for the list below them; a plain sentence behind it is again what it says itself."""
    assert "".join(roles_of(text)) == expected


def test_a_sentences_own_words_outweigh_its_heading() -> None:
    """An offer among the requirements is an offer."""
    assert roles_of("Requirements:\n- Shiny shoes\n- We pay a salary of 40,000 and a pension") == ["r", "r", "o"]


def test_a_question_to_the_reader_is_no_requirement() -> None:
    """Neither alone nor below a heading; what is looked for still is one."""
    question = "Are you looking for a new role in nursing?"
    assert roles_of(question) == ["-"]
    assert roles_of(f"Requirements:\n- {question}")[-1] == "-"
    assert roles_of("We are looking for a nurse.") == ["r"]


def test_every_language_has_cues_for_every_role() -> None:
    """As many languages for each, and no cue that is empty when it is folded."""
    tables = tomllib.loads((files("jobmatch_core.descriptions") / "sentence_roles.toml").read_text("utf-8"))
    assert set(tables) == {role.value for role in SentenceRole}
    languages = {frozenset(table) for table in tables.values()}
    assert len(languages) == 1
    assert len(next(iter(languages))) >= 27
    assert all(fold(cue) for table in tables.values() for cues in table.values() for cue in cues)


def test_the_examples_have_all_roles() -> None:
    """Each of the twelve, in each of the six languages."""
    for each in example_postings():
        assert set(sentence_roles(segments(each.posting.description))) == set(SentenceRole), each.posting.id
