"""Sentence ends in the languages of ESCO and in other scripts; what looks like one and is none."""

import pytest

from jobmatch_core.descriptions.sentence_ends import sentence_ends


def sentences(text: str) -> list[str]:
    """Return the sentences without the space between them."""
    ends = sentence_ends(text)
    return [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


@pytest.mark.parametrize(
    "parts",
    [
        ("Търсим готвач.", "Предлагаме добро заплащане."), ("Hledáme kuchaře.", "Nabízíme dobrou mzdu."),
        ("Vi søger en kok.", "Du får god løn."), ("Wir suchen einen Koch.", "Ihr Gehalt ist gut."),
        ("Ζητείται μάγειρας;", "Στείλτε βιογραφικό."), ("Do you like to cook?", "Join us!", "We pay well."),
        ("¿Le gusta cocinar?", "¡Únase a nosotros!"), ("Otsime kokka.", "Pakume head palka."),
        ("Etsimme kokkia.", "Tarjoamme hyvän palkan."), ("Nous cherchons un cuisinier.", "À vous de jouer !"),
        ("Táimid ag lorg cócaire.", "Íocfaimid go maith."), ("Tražimo kuhara.", "Život je lijep kod nas."),
        ("Szakácsot keresünk.", "Örömmel várjuk."), ("Við leitum að kokki.", "Þú færð góð laun."),
        ("Cerchiamo un cuoco.", "È richiesta esperienza."), ("Ieškome virėjo.", "Įmonė moka gerai."),
        ("Meklējam pavāru.", "Ēdināšana bez maksas."), ("Qed infittxu kok.", "Ħlas tajjeb."),
        ("Wij zoeken een kok.", "Jij krijgt een goed loon."), ("Vi søker kokk.", "Årslønn etter avtale."),
        ("Szukamy kucharza.", "Świetna płaca."), ("Procuramos um cozinheiro.", "Óptimo salário."),
        ("Căutăm un bucătar.", "Îți oferim un salariu bun."), ("Hľadáme kuchára.", "Ďakujeme."),
        ("Iščemo kuharja.", "Živimo v Kranju."), ("Buscamos cocinero.", "Él cobra bien."),
        ("Vi söker en kock.", "Äldre är välkomna."), ("Aşçı arıyoruz.", "İyi maaş veriyoruz."),
        ("急募！", "料理人を募集しています。", "経験者優遇。"), ("招聘厨师。", "待遇优厚！"),
        ("요리사를 찾습니다.", "급여가 좋습니다."),
        ("نبحث عن طباخ.", "هل تحب الطبخ؟", "راتب جيد."), ("हमें रसोइया चाहिए।", "वेतन अच्छा है।"),
    ],
    ids=lambda parts: parts[0][:12],
)  # fmt: skip
def test_every_language(parts: tuple[str, ...]) -> None:
    """A sentence ends at each border, and nowhere else; the wide scripts need no space."""
    wide = any(part.endswith(("。", "！")) for part in parts)
    assert sentences(("" if wide else " ").join(parts)) == list(parts)


@pytest.mark.parametrize(
    "text",
    [
        "We work with Dr. Smith and St. Mary in approx. 30 wards.", "Tools, e.g. Java or Python, i.e. The usual.",
        "Sie haben z. B. Erfahrung, z.B. Excel, bzw. Word und ca. 3 Jahre.", "Ab dem 1. Mai sind wir im 2. Stock.",
        "Praca w m.in. Krakowie, ul. Długa 5, tel. 123 456, np. Excel.", "Umowa z s.r.o. Praha, č. 5, tj. Hned.",
        "M. Dupont et Mme. Durand, env. 35 h, p.ex. Lyon.", "La Sra. García, núm. 4, de la av. Mayor.",
        "Ca. 40 timer, f.eks. Oslo, evt. Bergen.", "Max. 20 km/h. schnell, min. 5 Jahre, Nr. 7.",
        "A salary of 37.5 or 1.200,50 EUR at www.Example.Org or Jane.Doe@example.org in Asp.Net and Node.Js code.",
        "We ask what? why? and go on... as before.", "Im XX. Jahrhundert: J. S. Bach.", "Bonuses; pension; a car.",
    ],
)  # fmt: skip
def test_what_ends_no_sentence(text: str) -> None:
    """Abbreviations, initials, ordinals, numbers, addresses."""
    assert sentences(text) == [text]


def test_what_an_abbreviation_looks_like_but_is_none() -> None:
    """A year, a time of day, a number with decimals, and words that are abbreviations before numbers alone."""
    assert sentences("We began in 2008. You can start at 9 a.m. We pay 11.50. There is no art. Come to us.") == [
        "We began in 2008.", "You can start at 9 a.m.", "We pay 11.50.", "There is no art.", "Come to us."
    ]  # fmt: skip


def test_quotes_and_brackets_close_with_the_sentence() -> None:
    """Those that open belong to the next one."""
    assert sentences('"Join us." (We mean it.) „Kommen Sie!“ „Gern.“ Danke.「はい。」そうです。') == [
        '"Join us."', "(We mean it.)", "„Kommen Sie!“", "„Gern.“", "Danke.「はい。」", "そうです。"
    ]  # fmt: skip


def test_a_space_was_lost() -> None:
    """As where lines were put together."""
    assert sentences("You join our team.You also train.We pay!Come") == [
        "You join our team.", "You also train.", "We pay!", "Come"
    ]  # fmt: skip


def test_white_space_belongs_to_the_sentence_before() -> None:
    """None of it is lost."""
    assert sentence_ends("One.  Two.\n Three. ") == [6, 12]
