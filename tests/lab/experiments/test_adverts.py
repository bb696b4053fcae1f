"""Adverts and CVs with judgments: sections by headings, in several languages, and every fault of the files."""

import gzip
import json
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy.skill_finder import SkillKeys
from jobmatch_core.towers.documents import SECTIONS, Document, Kind
from lab.experiments.adverts import read_adverts, sectioned

MARKUP = "<h1>Nurse</h1><p>You <b>care</b> &amp; write.</p>"
ADVERT = """Inginer mecanic/HVAC

Căutăm un inginer.

Despre rol:
- Proiectarea sistemelor

Competențe necesare:
- Proiectare (HVAC)
- Evaluarea riscurilor

Calificări preferate:
- Diplomă de licență

Ceea ce oferim:
- Un mediu plăcut
"""
CV = """SINTEZĂ PROFESIONALĂ

Inginer cu experiență.

---

EXPERIENȚA PROFESIONALĂ

Inginer electric
Nile Power Systems, Cairo
• Proiectarea sistemelor

EDUCAȚIE

Burlac de Știință

PIERDERI

Proiectare: AutoCAD, Revit
- Testare

AFFILIAȚII NECUNOSCUTE

Membru IEEE
"""


def packed(content: bytes) -> bytes:
    """Return what gzip makes of it at no time of day: workers that run tests must agree on their names."""
    return gzip.compress(content, mtime=0)


def sections(text: str, kind: Kind, language: str = "ro") -> dict[str, str]:
    """Return a text's sections by name."""
    return dict(zip(SECTIONS[kind], document(text, kind, language).texts, strict=True))


def document(text: str, kind: Kind, language: str = "ro") -> Document:
    """Return a text's document."""
    return sectioned("1", kind, language, text, SkillKeys())


def write_set(folder: Path, *, qrels: str = "q1\t0\tc2\t1\n", prefix: str = "dev_") -> Path:
    """Write two adverts and two CVs as TalentCLEF does."""
    for name, texts in (("queries", {"q1": ADVERT, "q2": "Casier"}), ("corpus", {"c1": CV, "c2": "Vânzător"})):
        rows = "\n".join(json.dumps({"id": key, "text": text}, ensure_ascii=False) for key, text in texts.items())
        (folder / f"{prefix}ro_{name}.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
    (folder / f"{prefix}qrels.tsv").write_text(qrels, "utf-8")
    return folder


def test_an_advert() -> None:
    """Its first line is the title; skills by their headings, all else is the description."""
    found = sections(ADVERT, "project")
    assert found == {
        "title": "Inginer mecanic/HVAC",
        "job_title": "Inginer mecanic/HVAC",
        "description": "Căutăm un inginer.\n- Proiectarea sistemelor\n- Un mediu plăcut",
        "family": "",
        "category": "",
        "mandatory_skills": "- Proiectare (HVAC)\n- Evaluarea riscurilor",
        "bonus_skills": "- Diplomă de licență",
    }
    assert document(ADVERT, "project").skill_keys == {
        "text:proiectare hvac",
        "text:evaluarea riscurilor",
        "text:diploma de licenta",
    }


def test_a_cv() -> None:
    """Its last job is the title; education goes with the experience; an unknown heading ends the skills."""
    found = sections(CV, "freelancer")
    assert found == {
        "title": "Inginer electric",
        "description": "Inginer cu experiență.\nMembru IEEE",
        "family": "",
        "category": "",
        "skills": "Proiectare: AutoCAD, Revit\n- Testare",
        "experience": "Inginer electric\nNile Power Systems, Cairo\n• Proiectarea sistemelor\nBurlac de Știință",
    }
    assert document(CV, "freelancer").skill_keys == {"text:autocad", "text:revit", "text:testare"}


@pytest.mark.parametrize(
    ("language", "advert"),
    [
        ("en", "Nurse\nRequired skills:\nCare\n## Nice to have\nFrench"),
        ("de", "Pflegekraft\nErforderliche Fähigkeiten\nPflege\nVon Vorteil:\nFranzösisch"),
        ("fr", "Infirmier\nCompétences requises :\nSoins\nUN PLUS\nAnglais"),
        ("es", "Enfermero\nREQUISITOS\nCuidados\nDeseable:\nFrancés"),
        ("it", "Infermiere\nCompetenze richieste\nCura\nCostituisce un plus\nFrancese"),
        ("nl", "Verpleger\nFunctie-eisen:\nZorg\nPluspunten:\nFrans"),
        ("pl", "Pielęgniarz\nWymagania:\nOpieka\nMile widziane:\nFrancuski"),
        ("pt", "Enfermeiro\nRequisitos\nCuidados\nDesejável\nFrancês"),
    ],
)
def test_headings_of_many_languages(language: str, advert: str) -> None:
    """With and without marks, in capitals or not."""
    lines = advert.splitlines()
    found = sections(advert, "project", language)
    assert (found["title"], found["mandatory_skills"], found["bonus_skills"]) == (lines[0], lines[2], lines[4])


@pytest.mark.parametrize(
    ("text", "title", "description"),
    [
        ("", "", ""),
        ("\n \n---\n", "", ""),
        ("データ分析者を募集", "データ分析者を募集", ""),
        ("مطلوب مصمم\nخبرة في الطباعة", "مطلوب مصمم", "خبرة في الطباعة"),
        ("x" * 101, "", "x" * 101),
        ("Requirements:\nCare", "", ""),
    ],
    ids=["empty", "rules", "kanji", "right to left", "no title", "begins with a heading"],
)
def test_texts_without_headings(text: str, title: str, description: str) -> None:
    """Or without anything else."""
    found = sections(text, "project")
    assert (found["title"], found["description"]) == (title, description)


def test_a_cv_without_an_experience() -> None:
    """Has no title, and is a description."""
    found = sections("Casier cu experiență", "freelancer")
    assert (found["title"], found["description"]) == ("", "Casier cu experiență")


def test_a_cv_whose_experience_is_a_list() -> None:
    """An item is no title."""
    assert sections("Experience\n- Sold shoes", "freelancer")["title"] == ""


def test_a_set(tmp_path: Path) -> None:
    """Documents of both kinds in the file's order, the judgments, the language off the names."""
    found = read_adverts(write_set(tmp_path))
    assert (found.name, found.language) == (tmp_path.name, "ro")
    assert [(each.id, each.kind, each.language) for each in found.adverts] == [
        ("q1", "project", "ro"),
        ("q2", "project", "ro"),
    ]
    assert [each.id for each in found.profiles] == ["c1", "c2"]
    assert found.relevant.toarray().tolist() == [[False, True], [False, False]]
    assert len(found.data_hash) == 64


def test_a_set_that_is_not_zipped(tmp_path: Path) -> None:
    """With a language that is given, and skills of a taxonomy's keys."""
    write_set(tmp_path)
    for path in tmp_path.glob("*.gz"):
        (tmp_path / path.name.removesuffix(".gz").replace("_ro", "")).write_bytes(gzip.decompress(path.read_bytes()))
        path.unlink()
    assert read_adverts(tmp_path, language="fr").profiles[0].language == "fr"
    with pytest.raises(DataFileError, match="has no language"):
        read_adverts(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("dev_ro_corpus.jsonl.gz", b"no gzip", "the file cannot be read"),
        ("dev_ro_corpus.jsonl.gz", packed(b'{"id": 1, "text": "x"}')[:-9], "the file cannot be read"),
        ("dev_ro_corpus.jsonl.gz", packed(b"\xff"), "the file cannot be read"),
        ("dev_ro_corpus.jsonl.gz", packed(b"\n"), "the file is empty"),
        ("dev_ro_corpus.jsonl.gz", packed(b'{"id": 1}'), "line 1: expected a JSON object with an id and a text"),
        ("dev_ro_corpus.jsonl.gz", packed(b"[]"), "line 1: expected a JSON object"),
        ("dev_ro_corpus.jsonl.gz", packed(b'{"id": 1, "text": 2}'), "line 1: the text is no text"),
        ("dev_ro_queries.jsonl.gz", packed(b'{"id":1,"text":"x"}\n{"id":"1","text":"y"}'), "line 2: the id 1"),
        ("dev_qrels.tsv", b"q1\t0\tc9\t1\n", "line 1: there is no query or element c9"),
        ("dev_qrels.tsv", b"q1 c2\n", "expected query id, 0, element id, relevance"),
        ("b_qrels.tsv", b"", "expected one file *qrels.tsv in this folder, found 2"),
    ],
)
def test_faults_are_told(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    """With the file and the line."""
    write_set(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataFileError) as caught:
        read_adverts(tmp_path)
    assert told in str(caught.value)


def test_a_folder_without_a_set(tmp_path: Path) -> None:
    """Says what was looked for."""
    with pytest.raises(DataFileError, match=r"expected one file \*queries\.jsonl\* in this folder, found 0"):
        read_adverts(tmp_path / "nowhere")


def test_markup_becomes_text() -> None:
    """The first heading is an advert's title."""
    document = sectioned("a", "project", "en", MARKUP, SkillKeys())
    assert set(document.texts) == {"Nurse", "You care & write.", ""}
