"""The publishers' files in miniature, and what is said where they are damaged."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import Taxonomy
from lab.shipping.training_texts import (
    EAST_ASIAN,
    FURTHER_LISTS,
    coded_titles,
    coding_indexes,
    further_lists,
    isco_index,
    onet_titles,
    parallel_sentences,
    skill_names,
    skill_translations,
)

ALTERNATE = "O*NET-SOC Code\tAlternate Title\tShort Title\tSource(s)\n"
REPORTED = "O*NET-SOC Code\tReported Job Title\tShown in My Next Move\n"


def write(path: Path, text: str) -> Path:
    """Write a file and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def parallel(tmp_path: Path) -> Path:
    """Two sentences a language in each of the three collections; languages share the English files of two."""
    for ntrex, flores, tatoeba in EAST_ASIAN.values():
        write(tmp_path / "ntrex" / f"newstest2019-ref.{ntrex}.txt", f"news 1 {ntrex}\nnews 2 {ntrex}")
        write(tmp_path / "flores200_dev" / f"{flores}.dev", f"wiki 1 {flores}\nwiki 2 {flores}")
        for code in (tatoeba, "eng"):
            write(tmp_path / "tatoeba" / f"tatoeba.{tatoeba}-eng.{code}", f"said {code}")
    write(tmp_path / "ntrex" / "newstest2019-src.eng.txt", "news 1\nnews 2")
    write(tmp_path / "flores200_dev" / "eng_Latn.dev", "wiki 1\nwiki 2")
    return tmp_path


def test_the_ilos_index(tmp_path: Path) -> None:
    """`nurse: head` is a head nurse; a title of three parts stays as it is."""
    path = write(
        tmp_path / "isco.tsv",
        "isco08\ttitle\tisco88\n2221\tnurse: head\t2230\n5120\tcook\t5122\n0110\ta: b: c\t0110\n",
    )
    assert list(isco_index(path)) == [("2221", "head nurse"), ("5120", "cook"), ("0110", "a: b: c")]


def test_onets_titles(tmp_path: Path) -> None:
    """The alternate ones, then the reported ones."""
    write(tmp_path / "Alternate Titles.txt", f"{ALTERNATE}11-1\tCEO\tn/a\t08\n11-1\tBig Boss\t\t\n")
    write(tmp_path / "Sample of Reported Titles.txt", f"{REPORTED}29-1\tHead Nurse\tY\n")
    assert list(onet_titles(tmp_path)) == [("11-1", "CEO"), ("11-1", "Big Boss"), ("29-1", "Head Nurse")]


def coded_folder(folder: Path, **files: str) -> Path:
    """Write the coding indexes, each with the rows given."""
    headers = {
        "uk_soc2020": "title\tqualifier_add\tqualifier_industry\tisco08\n",
        "canada_noc_en": "title\tisco08_candidates\n",
        "anzsco2022": "title\tisco08_candidates\n",
        "tabiya_localised": "title\tisco08\n",
    }
    for name, header in headers.items():
        write(folder / f"{name}.tsv", header + files.get(name, ""))
    return folder


def test_coded_titles_by_hand(tmp_path: Path) -> None:
    """A British title alone and with its qualifiers, which say what they qualify; the groups of all indexes."""
    folder = coded_folder(
        tmp_path,
        uk_soc2020="Chef\thead\tpub\t3434\nChef\t\tschool\t5120\nnurse\t\t\t2221\n",
        canada_noc_en="Chef\t5120|9412\n",
        anzsco2022="baker\t7512|5120\n",
        tabiya_localised="baker\t7512\ntok tokkie fixer\t7231\n",
    )
    rows = list(coded_titles(folder))
    assert {row.title: row.stem for row in rows if row.title != row.stem} == {
        "Chef head pub": "Chef",
        "Chef school": "Chef",
    }
    assert {row.title: row.groups for row in rows} == {
        "Chef": ("3434", "5120", "9412"),
        "Chef head pub": ("3434",),
        "Chef school": ("5120",),
        "nurse": ("2221",),
        "baker": ("5120", "7512"),
        "tok tokkie fixer": ("7231",),
    }


def test_coded_titles_of_many_groups_are_left_out(tmp_path: Path) -> None:
    """`manager` of four says too little, though no index alone has four; each title comes once."""
    folder = coded_folder(
        tmp_path, canada_noc_en="manager\t1111|1112\nmason\t7112\n", anzsco2022="manager\t1113|1114\nmason\t7112\n"
    )
    assert list(coded_titles(folder)) == [(("7112",), "mason", "mason")]


def test_each_index_by_itself(tmp_path: Path) -> None:
    """A title of two indexes comes twice, with the groups of each, however many; one without a group is left out."""
    folder = coded_folder(
        tmp_path,
        uk_soc2020="manager\t\tbank\t1346\nmanager\t\t\t1219\n",
        canada_noc_en="manager\t1111|1112|1113|1114\nghost\t\n",
    )
    assert [tuple(row) for row in coding_indexes(folder)] == [
        (("1219", "1346"), "manager", "manager"),
        (("1346",), "manager bank", "manager"),
        (("1111", "1112", "1113", "1114"), "manager", "manager"),
    ]


def test_further_lists(tmp_path: Path) -> None:
    """A title that stands several times in one list may mean any of its groups; one without a group is left out."""
    for name in FURTHER_LISTS:
        write(tmp_path / f"{name}.tsv", "title\tlanguage\tisco08\n")
    write(tmp_path / "es_mexico_sinco.tsv", "title\tisco08\npanadero\t7512\npanadero\t5120|7512\nnadie\t\n")
    assert list(further_lists(tmp_path)) == [(("5120", "7512"), "panadero", "panadero")]


def test_missing_or_damaged_coding_indexes(tmp_path: Path) -> None:
    """The file is named, and its columns."""
    folder = coded_folder(tmp_path)
    (folder / "anzsco2022.tsv").unlink()
    with pytest.raises(DataFileError, match=r"anzsco2022\.tsv: there is no such file"):
        list(coded_titles(folder))
    write(folder / "anzsco2022.tsv", "title\tanzsco\nbaker\t3511\n")
    with pytest.raises(DataFileError, match=r"anzsco2022\.tsv: expected the columns title, isco08_candidates"):
        list(coded_titles(folder))


def test_skills_are_their_own_english(taxonomy: Taxonomy) -> None:
    """Preferred and alternative names, no German ones."""
    rows = list(skill_names(taxonomy))
    assert all(text == english for text, english in rows)
    assert {text for text, _ in rows} == {
        each
        for skill in ("give care", "administer medicine", "monitor patients", "diagnose patients", "bake bread")
        for each in (skill, f"to {skill}")
    }


def test_skills_in_other_languages(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """Every name with the preferred English one; skills that the taxonomy has not are left out."""
    header = "conceptType,conceptUri,preferredLabel,altLabels\n"
    write(
        tmp_path / "skills_es.csv",
        f'{header}Skill,bake bread,hornear pan,"cocer pan\nhacer pan"\nSkill,unknown,nada,\nSkill,give care,,\n',
    )
    write(tmp_path / "skills_fr.csv", f"{header}Skill,give care,soigner,\n")
    rows = [(text, english) for text, english in skill_translations(tmp_path, taxonomy) if text]
    assert rows == [
        ("hornear pan", "bake bread"),
        ("cocer pan", "bake bread"),
        ("hacer pan", "bake bread"),
        ("soigner", "give care"),
    ]


def test_parallel_sentences(parallel: Path) -> None:
    """Japanese, Korean and Chinese, each from the news, the encyclopaedia and Tatoeba, with their English."""
    rows = list(parallel_sentences(parallel))
    assert rows[:5] == [
        ("news 1 jpn", "news 1"),
        ("news 2 jpn", "news 2"),
        ("wiki 1 jpn_Jpan", "wiki 1"),
        ("wiki 2 jpn_Jpan", "wiki 2"),
        ("said jpn", "said eng"),
    ]
    assert len(rows) == 3 * 5
    assert ("wiki 2 zho_Hans", "wiki 2") in rows


@pytest.mark.parametrize(
    "name",
    [
        "ntrex/newstest2019-ref.kor.txt",
        "ntrex/newstest2019-src.eng.txt",
        "flores200_dev/zho_Hans.dev",
        "tatoeba/tatoeba.cmn-eng.cmn",
        "tatoeba/tatoeba.jpn-eng.eng",
    ],
)
def test_a_missing_sentence_file(parallel: Path, name: str) -> None:
    """It is named."""
    (parallel / name).unlink()
    with pytest.raises(DataFileError, match=f"{Path(name).name}: expected text in UTF-8, one sentence a line"):
        list(parallel_sentences(parallel))


def test_sentences_that_are_not_utf8(parallel: Path) -> None:
    """The file is named."""
    (parallel / "flores200_dev" / "kor_Hang.dev").write_bytes("간\n호".encode("euc-kr"))
    with pytest.raises(DataFileError, match=r"kor_Hang\.dev: expected text in UTF-8"):
        list(parallel_sentences(parallel))


def test_sentences_that_are_not_aligned(parallel: Path) -> None:
    """A line too few would shift all translations."""
    write(parallel / "ntrex" / "newstest2019-ref.kor.txt", "news 1")
    with pytest.raises(
        DataFileError, match=r"newstest2019-ref\.kor\.txt: expected 2 lines as in newstest2019-src\.eng\.txt, found 1"
    ):
        list(parallel_sentences(parallel))


def test_a_line_of_unicodes_own_is_no_end(parallel: Path) -> None:
    """U+2028 and the like stand within sentences of Tatoeba."""
    write(parallel / "tatoeba" / "tatoeba.jpn-eng.jpn", "said\u2028jpn")
    assert ("said\u2028jpn", "said eng") in list(parallel_sentences(parallel))


def test_missing_tables(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """Each says which file."""
    with pytest.raises(DataFileError, match=r"isco\.tsv: there is no such file"):
        list(isco_index(tmp_path / "isco.tsv"))
    with pytest.raises(DataFileError, match=r"Alternate Titles\.txt: there is no such file"):
        list(onet_titles(tmp_path))
    write(tmp_path / "Alternate Titles.txt", f"{ALTERNATE}11-1\tCEO\tn/a\t08\n")
    with pytest.raises(DataFileError, match=r"Sample of Reported Titles\.txt: there is no such file"):
        list(onet_titles(tmp_path))
    with pytest.raises(DataFileError, match=r"skills_es\.csv: there is no such file"):
        list(skill_translations(tmp_path, taxonomy))


def test_tables_without_their_columns(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """The message names those that are expected."""
    with pytest.raises(DataFileError, match=r"isco\.tsv: expected the columns isco08, title"):
        list(isco_index(write(tmp_path / "isco.tsv", "code\ttitle\n2221\tnurse\n")))
    write(tmp_path / "Alternate Titles.txt", "O*NET-SOC Code\tTitle\n11-1\tCEO\n")
    with pytest.raises(DataFileError, match=r"Alternate Titles\.txt: expected the columns O\*NET-SOC Code, Alternate"):
        list(onet_titles(tmp_path))
    write(tmp_path / "skills_es.csv", "conceptUri,preferredLabel\nbake bread,hornear\n")
    with pytest.raises(DataFileError, match=r"skills_es\.csv: expected the columns conceptUri, preferredLabel, altL"):
        list(skill_translations(tmp_path, taxonomy))
