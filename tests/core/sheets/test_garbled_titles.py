"""Titles with garbled characters are counted; correct titles of any language are not."""

import pytest

from jobmatch_core.sheets.garbled_titles import GarbledTitles, garbled_titles, is_garbled


@pytest.mark.parametrize("title", ["Verkäuferin", "infirmière", "повар", "водитель автобуса", "μάγειρας", "aşçı"])
@pytest.mark.parametrize("encoding", ["cp1252", "cp1250", "cp1251", "mac_roman", "cp850", "latin-1"])
def test_utf8_that_was_taken_for_another_encoding(title: str, encoding: str) -> None:
    """Every encoding that can decode all the bytes is recognised."""
    wrong = title.encode().decode(encoding, "replace")
    assert is_garbled(wrong)


@pytest.mark.parametrize(
    "title",
    [
        "マネージャー",
        "看護師の手伝い",
        "営業マン",
        "佐々木",
        "店舗ｽﾀｯﾌ",
        "ＳＥ職",
        "ITエンジニア",
        "SEO-менеджер",
        "Maestroª",
        "µController",
        "oʻqituvchi",
    ],
)
@pytest.mark.parametrize("encoding", ["cp1252", "cp1251", "cp850"])
def test_words_of_several_scripts(title: str, encoding: str) -> None:
    """Japanese words, acronyms before another alphabet, and letters without a script of their own."""
    wrong = "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in title.encode())
    assert is_garbled(wrong)
    assert not is_garbled(title)


@pytest.mark.parametrize(
    "title",
    [
        "Verk\ufffdufer",
        "Verk?ufer",
        "M??ller",
        "?berwacher",
        "Leiter ?ffentlichkeitsarbeit",
        "Koch (K?chin)",
        "VerkÃƒÂ¤ufer",
        "ingÃ©nieur dâ€™Ã©tudes",
        "???????? ????????",
        "pielÄ™gniarka",
    ],
)
def test_damaged(title: str) -> None:
    """Lost letters, and UTF-8 decoded wrongly once or twice."""
    assert is_garbled(title)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "nurse",
        "Nurse?",
        "nurse ?",
        "?",
        "???",
        "What do you do? cook",
        "Nurse (maybe?)",
        "Verkäufer",
        "ingénieur d’études",
        "NÃO DOCENTE",
        "ORĂŞEAN",
        "MUNCITORI ORĂŞENEŞTI",
        "Ärztin",
        "pielęgniarka",
        "водитель",
        "ВОДИТЕЛЬ",
        "медсестра",
        "ممرضة",
        "看護師",
        "μάγειρας",
        "Köchin – Küche",
        "café crème",
        "N° 3 ª",
        "søn",
        "aşçı",
        "https://example.org/jobs?id=7",
        "C++ / C#",
        "¿Camarero?",
        "İŞÇİ",
        "çırak",
        "Señor",
        "L’Été",
        "cuisinier „au café…”",
        "„DOBRY DZIEŃ”",
    ],
)
def test_whole(title: str) -> None:
    """Ordinary question marks, and letters of any alphabet."""
    assert not is_garbled(title)


def test_they_are_counted_with_an_example() -> None:
    """Empty cells are not counted; the row number is that of the file."""
    garbled = garbled_titles([(5, "nurse"), (6, " "), (17, "Verk?ufer"), (130, "B\ufffdcker")])
    assert garbled == GarbledTitles(2, 3, 17, "Verk?ufer")
    assert garbled.message() == (
        "2 of 3 titles contain garbled characters, e.g. row 17: Verk?ufer; save the file as UTF-8 and upload it again"
    )
    assert not garbled_titles([(1, "Verkäufer")])
