"""D1's bags from each source, from tiny files of the same shape.

PV-DBOW on bags made by hand.
"""

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.errors import DataFileError, SettingsError, TaxonomyError
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.titles.occupation_names import OccupationNames
from jobmatch_core.titles.skill_bags import (
    ONET_FILES,
    SkillBag,
    onet_bags,
    posting_bags,
    skill_vectors,
    skill_words,
    table_bags,
    taxonomy_bags,
    title_targets,
    with_translations,
)

ONET = {
    "Occupation Data.txt": "O*NET-SOC Code\tTitle\tDescription\n29-1\tNurses\tThey care.\n11-1\tChiefs\tThey lead.\n",
    "Alternate Titles.txt": "O*NET-SOC Code\tAlternate Title\tShort Title\n29-1\tRN\tn/a\n29-1\tNurses\tn/a\n",
    "Sample of Reported Titles.txt": 'O*NET-SOC Code\tReported Job Title\tShown\n29-1\tStaff "Nurse"\tY\n',
    "Technology Skills.txt": "O*NET-SOC Code\tExample\tCommodity Code\n29-1\tRecord software\t4\n",
    "Task Statements.txt": "O*NET-SOC Code\tTask ID\tTask\n29-1\t1\tGive care, and more.\n",
}


@pytest.fixture
def onet(tmp_path: Path) -> Path:
    """O*NET in miniature: nurses, and chiefs without skills."""
    for name, content in ONET.items():
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path


def write_jsonl(path: Path, *rows: object) -> Path:
    """Write zipped JSON lines."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def test_all_names_of_an_occupation_share_its_bag(names: OccupationNames, taxonomy: Taxonomy) -> None:
    """In all languages; the skills are in English though German came first."""
    bags = {bag.titles[0]: bag for bag in taxonomy_bags(names, taxonomy)}
    assert set(bags) == {"nurse", "icu nurse", "doctor", "baker"}
    assert bags["baker"] == SkillBag(("baker", "bread maker", "barista", "Bäcker"), ("bake bread",))
    assert bags["doctor"].skills == ("administer medicine", "diagnose patients")


def test_the_names_may_be_another_taxonomys(names: OccupationNames, taxonomy: Taxonomy) -> None:
    """Only the names that are left are titled; they are met by URI."""
    german = names.keep(names.languages == "de")
    assert taxonomy_bags(german, taxonomy)[0].titles == ("Pfleger", "Schwester")


def test_a_taxonomy_without_skills_is_refused(names: OccupationNames) -> None:
    """The message says which would do."""
    with pytest.raises(TaxonomyError, match="isco-08 relates no skills"):
        taxonomy_bags(names, TaxonomyStore.open().load(BUNDLED_ID))


def test_onet(onet: Path) -> None:
    """Titles of all three files, each once; an occupation without skills has no bag."""
    assert len(ONET_FILES) == 5
    assert onet_bags(onet) == [SkillBag(("Nurses", "RN", 'Staff "Nurse"'), ("Record software", "Give care, and more."))]


def test_a_wrong_onet_file_is_named(onet: Path) -> None:
    """A missing column and a missing file."""
    (onet / "Task Statements.txt").write_text("O*NET-SOC Code\tTask ID\n29-1\t1\n", "utf-8")
    with pytest.raises(DataFileError, match=r"Task Statements\.txt: expected the columns 'O\*NET-SOC Code' and 'Task'"):
        onet_bags(onet)
    (onet / "Alternate Titles.txt").unlink()
    with pytest.raises(DataFileError, match=r"Alternate Titles\.txt: there is no such file"):
        onet_bags(onet)


def test_postings_of_one_title_are_one_bag(tmp_path: Path) -> None:
    """However the title is written; a skill of two postings counts twice."""
    path = write_jsonl(
        tmp_path / "postings.jsonl.gz",
        {"job_title": "Nurse", "hard_skills": ["care"], "tools": [], "soft_skills": ["smile"]},
        {"job_title": "NURSE ", "hard_skills": ["care"], "tools": ["record"], "knowledge_domains": None},
        {"job_title": "Idler", "hard_skills": []},
        {"job_title": None, "hard_skills": ["care"]},
    )
    assert posting_bags(path) == [SkillBag(("Nurse", "NURSE"), ("care", "care", "record"))]


def test_postings_without_skills_are_refused(tmp_path: Path) -> None:
    """Most likely the fields have other names."""
    path = write_jsonl(tmp_path / "postings.jsonl.gz", {"title": "Nurse"})
    with pytest.raises(DataFileError, match="no row has what was expected: a job_title and skills in hard_skills"):
        posting_bags(path)


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"[1]\n", mtime=0), gzip.compress(b'{"a": 1}\n{"a":', mtime=0)],
    ids=["no gzip", "no object", "cut short"],  # gzip notes the time, which would be in the test's name
)
def test_damaged_json_lines(tmp_path: Path, content: bytes) -> None:
    """Neither gzip, nor objects, nor whole."""
    path = tmp_path / "postings.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match="expected zipped JSON lines"):
        posting_bags(path)


def test_a_users_table(tmp_path: Path) -> None:
    """A title, a skill; lines without either are left out."""
    path = tmp_path / "skills.csv"
    path.write_text("title,skill\nNurse,care\nBaker,bread\nnurse,medicine\nIdler,\n", "utf-8")
    assert table_bags(path) == [SkillBag(("Nurse", "nurse"), ("care", "medicine")), SkillBag(("Baker",), ("bread",))]


def test_translations_join_the_bag_of_their_translation(tmp_path: Path) -> None:
    """Met however it is written; each text once, and only where there is a bag."""
    path = tmp_path / "translations.csv"
    path.write_text("src,en\nBäcker,baker\nPekař,Baker\nBaker,baker\nMaurer,mason\n", "utf-8")
    bags = [SkillBag(("Baker", "bread maker"), ("bread",)), SkillBag(("nurse",), ("care",))]
    assert with_translations(bags, path) == [
        SkillBag(("Baker", "bread maker", "Bäcker", "Pekař"), ("bread",)),
        SkillBag(("nurse",), ("care",)),
    ]


def test_translations_need_their_fields(tmp_path: Path) -> None:
    """Named as in the message."""
    path = tmp_path / "translations.csv"
    path.write_text("from,to\nBäcker,baker\n", "utf-8")
    with pytest.raises(DataFileError, match="expected a title as src and its translation as en"):
        with_translations([SkillBag(("baker",), ("bread",))], path)


CARE = [f"care {word}" for word in "abcdefgh"]
BUILD = [f"build {word}" for word in "stuvwxyz"]


@pytest.fixture(scope="module")
def bags() -> list[SkillBag]:
    """Ten bags of care and ten of building, each with five of eight skills, many times over."""
    random = np.random.default_rng(1)
    return [
        SkillBag((f"{skills[0]} {number}", "also"), tuple(random.choice(skills, 5, replace=False).tolist() * 10))
        for skills in (CARE, BUILD)
        for number in range(10)
    ]


def test_words_of_a_bag() -> None:
    """Each skill's words, and the short ones whole; a sentence has no second like it."""
    bag = SkillBag(("nurse",), ("Give care", "C++", "a b d e f g h"))
    assert skill_words(bag) == ["give", "care", "give_care", "c", *"abdefgh"]


def test_like_bags_have_like_vectors(bags: list[SkillBag]) -> None:
    """Every bag's nearest other bag is of its kind; vectors have unit length."""
    vectors = skill_vectors(bags, dimensions=16, epochs=60, seed=1)
    assert vectors.shape == (20, 16)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    assert (cosines.argmax(axis=1) // 10).tolist() == [0] * 10 + [1] * 10


def test_the_seed_decides(bags: list[SkillBag]) -> None:
    """Fitted again it is the same, to the bit."""
    first, again, other = (skill_vectors(bags, dimensions=8, epochs=2, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


def test_where_gensim_has_no_package(bags: list[SkillBag], monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Python 3.14; None is how Python marks what cannot be imported."""
    monkeypatch.setitem(sys.modules, "gensim.models.doc2vec", None)
    with pytest.raises(SettingsError, match="needs gensim"):
        skill_vectors(bags, dimensions=8, epochs=2, seed=1)


def test_titles_share_their_bags_vector(bags: list[SkillBag]) -> None:
    """Two titles a bag; one that is in all bags stands there for each."""
    targets = title_targets(bags, np.eye(20, dtype=np.float32))
    assert len(targets.titles) == 40
    assert targets.titles[:4] == ["care a 0", "also", "care a 1", "also"]
    assert targets.bags[:4].tolist() == [0, 0, 1, 1]
