"""Possible encodings of a text: the right one comes first, and all can decode it."""

import pytest

from jobmatch_core.sheets.text_encoding import ENCODINGS, encoding_name, fitting_encodings

TEXTS = [
    ("cp1252", "Köchin\nKrankenschwester\nBäcker"),
    ("cp1252", "infirmière\nélève\nmaçon"),
    ("cp1252", "camarógrafo\ncontable\npeón"),
    ("cp1252", "sjuksköterska\nlärare"),
    ("cp1252", "snedker på værft"),
    ("cp1252", "“Chef de rang” – Côte d’Azur"),
    ("cp1252", "dell’informazione"),
    ("cp1250", "pielęgniarka\nkierowca ciężarówki"),
    ("cp1250", "číšník\nřidič\nučitel"),
    ("cp1250", "ápoló\nnővér\ntűzoltó"),
    ("cp1250", "medicinska sestra\nšofer\nučiteljica"),
    ("cp1251", "медсестра\nводитель\nУчитель"),
    ("cp1251", "готвач\nшофьор"),
    ("koi8_u", "медсестра\nводитель\nУчитель"),
    ("cp1253", "νοσοκόμα\nδάσκαλος\nΜάγειρας"),
    ("cp1254", "hemşire\nöğretmen\naşçı\nşoför"),
    ("cp1255", "אחות\nמורה\nטבח"),
    ("cp1256", "ممرضة\nمعلم\nطباخ"),
    ("cp1257", "mokytojas\nvirėjas\nvairuotojas ąžuolas"),
    ("cp1257", "skolotājs\nmedmāsa\npavārs\nšoferis"),
    ("cp874", "พยาบาล\nครู\nพ่อครัว"),
    ("cp932", "看護師\nエンジニア\nトラック運転手"),
    ("cp932", "教師\n料理人"),
    ("euc_jp", "看護師\nエンジニア\nトラック運転手"),
    ("gb18030", "护士\n软件工程师\n教师"),
    ("cp950", "護士\n軟體工程師\n教師"),
    ("cp949", "간호사\n소프트웨어 엔지니어\n요리사"),
    ("iso8859_2", "pielęgniarka\nksiążka\nśpiewaczka"),
    ("cp850", "Köchin\nBäcker\ninfirmière"),
    ("cp852", "číšník\nřidič"),
    ("mac_roman", "Köchin\nBäcker\ninfirmière"),
]


@pytest.mark.parametrize(("encoding", "text"), TEXTS, ids=[f"{name} {text.split()[0]}" for name, text in TEXTS])
def test_the_letters_that_were_meant_come_first(encoding: str, text: str) -> None:
    """A few words suffice to put the right encoding first."""
    data = ("title\nnurse\n" + text).encode(encoding)
    assert data.decode(fitting_encodings(data)[0]) == "title\nnurse\n" + text


@pytest.mark.parametrize(("encoding", "text"), TEXTS, ids=[f"{name} {text.split()[0]}" for name, text in TEXTS])
def test_only_what_decodes_is_offered_and_each_reading_once(encoding: str, text: str) -> None:
    """No choice leads to an error, or to the same text as another one."""
    data = text.encode(encoding)
    readings = [data.decode(each) for each in fitting_encodings(data)]
    assert len(readings) == len(set(readings)) <= 8


@pytest.mark.parametrize("text", ["", "nurse\n", "Köchin\n", "看護師 👩‍🍳\n"], ids=["empty", "ascii", "latin", "emoji"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf8_is_nothing_else(text: str, encoding: str) -> None:
    """UTF-8 is recognised with or without a byte order mark."""
    assert fitting_encodings(text.encode(encoding)) == ["utf-8-sig"]


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be")]
)
def test_two_bytes_a_letter(encoding: str, expected: str) -> None:
    """UTF-16 is recognised by its mark or its zeros."""
    assert fitting_encodings("title;n\nKöchin;1\n".encode(encoding)) == [expected]


def test_a_late_byte_counts() -> None:
    """The whole text is decoded: 0x81 is not a letter in cp1252."""
    data = b"title\n" + b"Koch\n" * 10_000 + "Bäcker\n".encode("cp1252") + b"\x81"
    assert "cp1252" not in fitting_encodings(data)


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\x00\xd8", b"a,b\n1,2\n\0", b"PK\x03\x04\x14\x08\xff\x01" * 9],
    ids=["cut UTF-16", "a zero", "an archive"],
)
def test_what_is_no_text_has_no_encoding(data: bytes) -> None:
    """Some encodings would decode any byte."""
    assert fitting_encodings(data) == []


def test_encodings_are_said_in_words() -> None:
    """A description with the technical name."""
    assert encoding_name("cp1250") == "Windows, Central Europe (cp1250)"
    assert encoding_name("utf-8-sig") == "UTF-8"
    assert all("(" in encoding_name(each) for each in ENCODINGS)
