"""Postings with codes: files of the published shape, made here."""

import gzip
import json
from pathlib import Path

import pytest

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.errors import DataFileError
from lab.experiments.coded_postings import CodedPosting, read_hahu_postings, read_polish_postings

CROSSWALK = """;esco code;esco name;kzis code;kzis name
0;2221.1;pielęgniarka;222101;Pielęgniarka
1;2221.2;pielęgniarka dyplomowana;222101;Pielęgniarka
2;2221.1;pielęgniarka;222101;Pielęgniarka
3;7512.1;piekarz;751204;Piekarz
"""


def test_hahu(tmp_path: Path) -> None:
    """One code each."""
    path = tmp_path / "hahu.csv"
    header = "ID,title,description,general_classification,esco_code,skills_essential,skills_optional"
    path.write_text(f"{header}\n7,Nurse,\"You care, [REDACTED]\",Health,2221.1,['x'],[]\n", "utf-8")
    assert list(read_hahu_postings(path)) == [CodedPosting(Posting("7", "Nurse", "You care, [REDACTED]"), ("2221.1",))]


def test_polish(tmp_path: Path) -> None:
    """A code may stand for several occupations; who has none in the crosswalk is left out."""
    rows = [
        {"title": "Pielęgniarka", "description": "Praca.", "kzis": "222101"},
        {"title": "Kosmonauta", "description": "Lot.", "kzis": "999999"},
        {"title": "Piekarz", "description": None, "kzis": "751204"},
    ]
    path, crosswalk = tmp_path / "pl.jsonl.gz", tmp_path / "crosswalk.csv"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    crosswalk.write_text(CROSSWALK, "utf-8")
    assert list(read_polish_postings(path, crosswalk)) == [
        CodedPosting(Posting("1", "Pielęgniarka", "Praca."), ("2221.1", "2221.2")),
        CodedPosting(Posting("3", "Piekarz", ""), ("7512.1",)),
    ]


def test_a_column_is_missing(tmp_path: Path) -> None:
    """The file and the columns are named."""
    path = tmp_path / "hahu.csv"
    path.write_text("ID,title,description\n1,a,b\n", "utf-8")
    with pytest.raises(DataFileError, match=r"hahu\.csv: there is no column 'esco_code'; expected ID, title"):
        list(read_hahu_postings(path))
    with pytest.raises(DataFileError, match=r"hahu\.csv: there is no column 'kzis code'"):
        list(read_polish_postings(path, path))


def test_markup_becomes_text(tmp_path: Path) -> None:
    """In titles and in descriptions."""
    table = tmp_path / "hahu.csv"
    table.write_text("ID,title,description,esco_code\n1,Baker &amp; cook,<p>You bake <b>bread</b>.</p>,7512\n", "utf-8")
    [coded] = read_hahu_postings(table)
    assert (coded.posting.title, coded.posting.description) == ("Baker & cook", "You bake bread.")
