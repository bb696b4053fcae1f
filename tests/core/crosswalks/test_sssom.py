"""SSSOM: written and read without loss, read from others, checked, and taken by sssom-py."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.crosswalks.mapping import NONE, PROPOSED, RELATIONS, STATES, Mapping, MappingSet
from jobmatch_core.crosswalks.sssom import read_sssom, sssom_text
from jobmatch_core.errors import DataFileError, SettingsError
from tests.core.crosswalks.made_mappings import ESCO, LICENCE, crosswalk, mapped, written

TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=12)
FILLED = TEXTS.filter(bool)
CODES = FILLED.filter(lambda code: not code.startswith("http"))
TARGETS = st.one_of(st.integers(0, 99).map(lambda number: f"{ESCO}{number}"), CODES, st.just("https://a.example/b#c"))
REVIEWERS = st.one_of(st.tuples(st.just(""), st.just("")), st.tuples(FILLED, st.just("")), st.tuples(FILLED, FILLED))
SSSOM_PY = shutil.which("sssom")


@st.composite
def any_mapping(draw: st.DrawFn) -> Mapping:
    """Draw a mapping with texts as they may come from files."""
    relation = draw(st.sampled_from(RELATIONS))
    first, second = draw(REVIEWERS)
    return Mapping(
        draw(CODES),
        draw(st.just("") | TARGETS) if relation == NONE else draw(TARGETS),
        relation,
        source_name=draw(TEXTS),
        target_name=draw(TEXTS),
        probability=draw(st.none() | st.floats(0, 1)),
        state=draw(st.sampled_from(STATES)),
        reviewer=first,
        second_reviewer=second,
        date=draw(st.sampled_from(["", "2026-11-28"])),
        tool=draw(TEXTS),
        version=draw(TEXTS),
        licence=draw(st.sampled_from(["", LICENCE])),
    )


@given(st.lists(any_mapping(), max_size=4), TEXTS, TEXTS)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, mappings: list[Mapping], title: str, version: str
) -> None:
    """Every field of every mapping and of the set."""
    whole = MappingSet(tuple(mappings), "urn:x", LICENCE, title, "https://example.org/codes/", version, version)
    path = tmp_path_factory.getbasetemp() / "round.tsv"
    path.write_text(sssom_text(whole), "utf-8")
    found = read_sssom(path)
    assert found.problems == ()
    assert found.mappings == whole


def test_skos_points_the_other_way() -> None:
    """A source that is narrower has a broadMatch; a rejected pair is negated, and a code without concept has none."""
    text = sssom_text(crosswalk(mapped("1", "narrower", "a"), mapped("2", "none", "a"), mapped("3", "none", "")))
    rows = [line.split("\t")[:5] for line in text.splitlines() if line.startswith("SOURCE:")]
    assert rows == [
        ["SOURCE:1", "", "skos:broadMatch", "", "ESCO:a"],
        ["SOURCE:2", "", "skos:mappingRelation", "Not", "ESCO:a"],
        ["SOURCE:3", "", "skos:mappingRelation", "", "sssom:NoTermFound"],
    ]


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    """A name that a spreadsheet would run is written behind an apostrophe, and read as it was."""
    item = mapped("1", "exact", "a", source_name="=1+1")
    assert "\t'=1+1\t" in sssom_text(crosswalk(item))
    assert written(tmp_path, item).mappings.mappings == (item,)


def test_files_of_others(tmp_path: Path) -> None:
    """Their prefix becomes the base of the codes, and what holds for the set holds for each row."""
    path = tmp_path / "others.tsv"
    path.write_text(
        "#mapping_set_id: https://example.org/set\n#license: 'https://example.org/free'\n#mapping_tool: Cocoda\n"
        "#curie_map:\n#  SOC: https://example.org/soc/\n#  ESCO: http://data.europa.eu/esco/occupation/\n"
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\tcomment\n"
        "SOC:2211\tskos:relatedMatch\tESCO:a\tsemapv:ManualMappingCuration\tfine\n",
        "utf-8",
    )
    found = read_sssom(path)
    assert found.problems == ()
    assert (found.mappings.source_base, found.mappings.licence) == (
        "https://example.org/soc/",
        "https://example.org/free",
    )
    [item] = found.mappings.mappings
    assert (item.source, item.target, item.relation, item.tool, item.state) == (
        "2211",
        f"{ESCO}a",
        "close",
        "Cocoda",
        PROPOSED,
    )


def test_what_is_missing_is_said_plainly(tmp_path: Path) -> None:
    """Each with its line; the other rows are read."""
    path = tmp_path / "m.tsv"
    path.write_text(
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence\tjobmatch_state\n"
        "urn:a\tskos:exactMatch\turn:b\t\t\t\n"
        "urn:a\tskos:sameMatch\tXY:b\tsemapv:LexicalMatching\t2\tdone\n"
        "urn:a\tskos:exactMatch\turn:b\tsemapv:LexicalMatching\t\t\n",
        "utf-8",
    )
    found = read_sssom(path)
    assert [(problem.line, problem.text.split(";")[0]) for problem in found.problems] == [
        (0, "The metadata lack mapping_set_id (the address of this crosswalk)"),
        (0, "The metadata lack license (its licence)"),
        (2, "The mandatory field mapping_justification is empty."),
        (3, "'XY:b' in object_id has a prefix that curie_map does not declare."),
        (3, "'skos:sameMatch' is no relation"),
        (3, "The confidence '2' is no number from 0 to 1."),
        (3, "'done' is no state"),
    ]
    assert (len(found.mappings.mappings), found.lines) == (1, (4,))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the column subject_id is missing"),
        (b"subject_id\tobject_id\n", "the column predicate_id is missing"),
        (b"\xff\xfe", "not UTF-8"),
        (b"subject_id\0", "not UTF-8"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, says: str) -> None:
    """By an error that says what is expected."""
    path = tmp_path / "m.tsv"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match=says):
        read_sssom(path)
    with pytest.raises(DataFileError, match="cannot be read"):
        read_sssom(tmp_path)


def test_relations_and_states_are_few() -> None:
    """Others are refused where a mapping is made."""
    with pytest.raises(SettingsError, match="'equal' is no relation"):
        Mapping("1", "a", "equal")
    with pytest.raises(SettingsError, match="'done' is no state"):
        Mapping("1", "a", "exact", state="done")


@pytest.mark.skipif(SSSOM_PY is None, reason="sssom-py is not installed: pipx install sssom")
def test_sssom_py_takes_the_file(tmp_path: Path) -> None:
    """The reference implementation validates it, and reads each mapping with its reviewers."""
    item = mapped("0110 1", "narrower", "a", probability=0.5, reviewer="Ada", second_reviewer="Bob", date="2026-11-28")
    written(tmp_path, item, mapped("2", "none", ""), mapped("3", "none", "a"), mapped("4", "exact", "b"))
    path = tmp_path / "mappings.tsv"
    done = subprocess.run([str(SSSOM_PY), "validate", path], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, "ERROR" in done.stderr) == (0, False), done.stderr
    again = tmp_path / "again.tsv"
    subprocess.run([str(SSSOM_PY), "parse", path, "-o", again], capture_output=True, check=True, timeout=120)
    assert [(found.source, found.relation, found.reviewer) for found in read_sssom(again).mappings.mappings] == [
        ("0110 1", "narrower", "Ada"),
        ("2", "none", ""),
        ("3", "none", ""),
        ("4", "exact", ""),
    ]
