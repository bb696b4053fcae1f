"""Rows that close a table and hold no record: totals, and notes of its date or source."""

import re
from collections.abc import Sequence
from functools import cache

_UNIT_LENGTH = 3  # letters of a currency or a unit beside a number
_TOTALS = frozenset((
    "total", "totals", "grand total", "subtotal", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt", "zwischensumme",
    "somme", "total général", "ensemble", "total general", "suma", "suma total", "totale", "totale generale", "somma",
    "total geral", "soma", "totaal", "eindtotaal", "razem", "ogółem", "łącznie", "celkem", "součet", "spolu", "celkom",
    "skupaj", "vsota", "ukupno", "svega", "укупно", "összesen", "összeg", "summa", "totalt", "i alt",
    "sammanlagt", "yhteensä", "kokku", "kopā", "iš viso", "viso", "σύνολο", "общо", "всичко",
    "итого", "всего", "сумма", "усього", "всього", "разом", "toplam", "genel toplam", "المجموع", "الإجمالي", "مجموع",
    "جمع", "סה״כ", 'סה"כ', "סך הכל", "合计", "总计", "总和", "合計", "總計", "総計", "計", "합계", "총계", "कुल",
    "कुल योग", "योग", "รวม", "รวมทั้งหมด", "tổng", "tổng cộng", "jumlah", "samtals", "iomlán", "guztira",
    "endsumme", "summe gesamt", "summe insgesamt", "gesamt summe", "sum total", "overall total", "total sum",
    "sous-total", "subtotale", "subtotaal", "delsumma", "mezisoučet",
))  # fmt: skip
_COUNTS = (  # no job's name begins with one, so that any words may follow: `Gesamtzahl der Berufe: 3`
    "gesamtzahl", "gesamtanzahl", "anzahl gesamt", "anzahl insgesamt", "total number", "total count", "number of rows",
    "number of jobs", "number of employees", "row count", "nombre total", "effectif total", "total effectifs",
    "número total", "cantidad total", "numero totale", "quantidade total", "totaal aantal",
    "aantal totaal", "liczba ogółem", "łączna liczba", "ogólna liczba", "celkový počet", "skupno število",
    "ukupan broj", "samlet antal", "antal i alt", "totalt antal", "antal totalt", "samlet antall", "totalt antall",
    "kokonaismäärä", "koguarv", "kopskaits", "bendras skaičius", "összes létszám", "összlétszám", "numărul total",
    "număr total", "общее количество", "общее число", "всего записей", "загальна кількість", "общ брой",
    "συνολικός αριθμός", "toplam sayı", "toplam kişi", "العدد الإجمالي", "العدد الكلي", "总数", "总人数", "總數",
    "總人數", "総数", "총수", "총원", "कुल संख्या", "จำนวนรวม", "tổng số", "jumlah total", "heildarfjöldi",
)  # fmt: skip
_COUNT_PHRASES = tuple(f"{phrase} " for phrase in _COUNTS)
_DATED = (  # before a date
    "as of", "as at", "as on", "status as of", "data as of", "updated", "updated on", "last updated",
    "last updated on", "last update", "stand", "stand vom", "stand per", "datenstand", "aktualisiert am", "stichtag",
    "état au", "état le", "situation au", "données au", "mis à jour le", "mise à jour", "dernière mise à jour",
    "arrêté au", "date de mise à jour", "a fecha de", "actualizado el", "actualizado a", "datos a", "situación a",
    "actualitzat el", "aggiornato al", "aggiornato il", "situazione al", "dati al", "ultimo aggiornamento",
    "atualizado em", "situação em", "posição em", "dados de", "stand op", "peildatum", "bijgewerkt op", "situatie op",
    "stan na", "stan na dzień", "dane na dzień", "stav k", "stav ke dni", "aktualizováno", "aktualizované",
    "stanje na dan", "posodobljeno", "ažurirano", "opgjort pr.", "opdateret", "status pr.", "uppdaterad",
    "senast uppdaterad", "per den", "oppdatert", "sist oppdatert", "status per", "tilanne", "päivitetty", "seisuga",
    "állapot", "frissítve", "situația la", "la data de", "actualizat la", "към дата", "актуализирано", "ενημέρωση",
    "στοιχεία έως", "по состоянию на", "на дату", "данные на", "обновлено", "станом на", "оновлено", "güncelleme",
    "güncelleme tarihi", "بتاريخ", "حتى تاريخ", "تاريخ التحديث", "截至", "更新日期", "更新于",
    "更新於", "统计日期", "更新日", "基準日", "기준일", "업데이트", "per tanggal", "tính đến",
)  # fmt: skip
_BEFORE_COLON = ("date", "data", "datum", "fecha", "дата", "tarih", "日期", "stanje", "aktualizacja", "állapot", "pr")
_SOURCES = (
    "source", "sources", "data source", "quelle", "quellen", "datenquelle", "fuente", "font", "fonte", "bron", "źródło",
    "zdroj", "vir", "izvor", "kilde", "källa", "lähde", "allikas", "avots", "šaltinis", "forrás", "sursa", "sursă",
    "източник", "πηγή", "источник", "джерело", "kaynak", "المصدر", "来源", "资料来源", "數據來源", "出典", "출처",
    "स्रोत",
)  # fmt: skip
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember)"
)
_DATE = rf"(?:\d{{1,4}}[./年-]\s?\d|\d{{1,2}}\S{{0,3}}(?:\s\S+){{1,3}}\s\d{{4}}|{_MONTHS}\s(?:\d{{1,2}},\s)?\d{{4}}).*"
_ANY_DATE = r".*(?:\d{4}|\d[./-]\d).*"


def is_total(cells: Sequence[str]) -> bool:
    """Return whether a row is a total of those above it: 'Total', 'Summe', 'Gesamtzahl: 3' or the like, and numbers."""
    totals = [_says_total(cell) for cell in cells if _says_total(cell) or _is_text(cell)]
    return totals == [True]


def is_note(cells: Sequence[str]) -> bool:
    """Return whether a row only says of which date or source the table is: 'Stand: 1.1.2026', 'Source: register'."""
    text = " ".join(cells).replace("：", ":")
    if sum(map(_is_text, cells)) > 1 or not (":" in text or any(map(str.isdecimal, text))):
        return False
    return _notes().fullmatch(" ".join(text.casefold().split())) is not None


def _says_total(cell: str) -> bool:
    before, _, after = cell.casefold().replace("：", ":").partition(":")
    if after.strip() and not any(map(str.isdecimal, after)):  # `Total: cook` may be a title
        return False
    words = before.rstrip("0123456789.,()=-–— ").strip()
    return words in _TOTALS or f"{words} ".startswith(_COUNT_PHRASES)


def _is_text(cell: str) -> bool:
    letters = sum(map(str.isalpha, cell))
    is_figure = letters == 0 or (letters <= _UNIT_LENGTH and any(map(str.isdecimal, cell)))
    return bool(cell.strip()) and not is_figure


@cache
def _notes() -> "re.Pattern[str]":
    dated, before_colon, sources = ("|".join(map(re.escape, phrases)) for phrases in (_DATED, _BEFORE_COLON, _SOURCES))
    with_colon = rf"(?:{dated}|{before_colon})\s?:{_ANY_DATE}|(?:{sources})\s?:\s?\S.*"
    return re.compile(rf"\W*(?:(?:{dated})\s?{_DATE}|{with_colon})")
