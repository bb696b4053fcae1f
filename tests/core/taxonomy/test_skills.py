"""The skills hierarchy: read from ESCO's files, stored, and absent from what older releases stored."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.taxonomy import search_skill_groups
from tests.core.taxonomy.conftest import SKILL

LoadEsco = Callable[[dict[str, str]], Taxonomy]
SINCE_FORMAT_2 = ("skill_groups", "skill_group_names", "skill_levels", "skill_descriptions", "skill_broader")

GROUPS = (
    "conceptType,conceptUri,preferredLabel,altLabels,code,description\n"
    f"SkillGroup,{SKILL}S3,assisting and caring,caring,S3,Providing care.\n"
    f"SkillGroup,{SKILL}S,skills,,S,\n"
    f"SkillGroup,{SKILL}K,knowledge,,K,\n"
)
# the first row lacks its last fields, as in the official file; no list of groups has the last one
HIERARCHY = (
    "Level 0 URI,Level 0 preferred term,Level 1 URI,Level 1 preferred term,Description,Level 0 code,Level 1 code\n"
    f"{SKILL}S,skills,,,,S\n"
    f"{SKILL}S,skills,{SKILL}S3,assisting and caring,Another text.,S,S3\n"
    f"{SKILL}S,skills,{SKILL}S4,managing,Planning work.,S,S4\n"
)
BROADER = (
    "conceptType,conceptUri,broaderType,broaderUri\n"
    f"SkillGroup,{SKILL}S3,SkillGroup,{SKILL}S\n"
    f"KnowledgeSkillCompetence,{SKILL}care,SkillGroup,{SKILL}S3\n"
    f"KnowledgeSkillCompetence,{SKILL}drugs,KnowledgeSkillCompetence,{SKILL}care\n"
    f"KnowledgeSkillCompetence,{SKILL}withdrawn,SkillGroup,{SKILL}S3\n"
)
SKILLS = (
    "conceptUri,skillType,reuseLevel,preferredLabel,altLabels,description\n"
    f"{SKILL}care,skill/competence,transversal,care ethics,,Act with care.\n"
    f"{SKILL}drugs,knowledge,,administer medicine,,\n"
)
SKILLS_DE = f"conceptUri,skillType,preferredLabel,altLabels,description\n{SKILL}care,,Ethik der Pflege,,Sorgfalt.\n"


@pytest.fixture
def files(esco_files: dict[str, str]) -> dict[str, str]:
    """The tiny ESCO with a hierarchy of its skills."""
    hierarchy = {
        "skills_en.csv": SKILLS,
        "skills_de.csv": SKILLS_DE,
        "skillGroups_en.csv": GROUPS,
        "skillsHierarchy_en.csv": HIERARCHY,
        "broaderRelationsSkillPillar_en.csv": BROADER,
    }
    return {**esco_files, **hierarchy}


@pytest.fixture
def esco(load_esco: LoadEsco, files: dict[str, str]) -> Taxonomy:
    """It imported, and read from the disk again."""
    return load_esco(files)


def test_groups(esco: Taxonomy) -> None:
    """A group that only the hierarchy has is there, too; what the list of groups says comes first."""
    hierarchy = esco.skill_hierarchy
    assert hierarchy.groups == [f"{SKILL}{code}" for code in ("S3", "S", "K", "S4")]
    assert hierarchy.tops == [f"{SKILL}K", f"{SKILL}S"]
    assert (hierarchy.code(f"{SKILL}S4"), hierarchy.name(f"{SKILL}S4", "de")) == ("S4", "managing")
    assert hierarchy.descriptions(f"{SKILL}S3") == {"en": "Providing care."}
    assert [name.text for name in hierarchy.names(f"{SKILL}S3")] == ["assisting and caring", "caring"]
    assert hierarchy.has_group(f"{SKILL}S")
    assert not hierarchy.has_group(f"{SKILL}care")
    assert not hierarchy.has_group("nowhere")
    assert esco.manifest.counts["skill groups"] == 4


def test_above_and_below(esco: Taxonomy) -> None:
    """Groups and skills are told apart; relations of withdrawn skills are left out."""
    hierarchy = esco.skill_hierarchy
    assert hierarchy.narrower_groups(f"{SKILL}S") == [f"{SKILL}S3", f"{SKILL}S4"]
    assert hierarchy.narrower_skills(f"{SKILL}S") == []
    assert hierarchy.broader_groups(f"{SKILL}S4") == [f"{SKILL}S"]
    assert hierarchy.narrower_skills(f"{SKILL}S3") == [f"{SKILL}care"]
    assert (hierarchy.broader_groups(f"{SKILL}care"), hierarchy.broader_skills(f"{SKILL}care")) == ([f"{SKILL}S3"], [])
    assert hierarchy.broader_skills(f"{SKILL}drugs") == [f"{SKILL}care"]
    assert hierarchy.narrower_skills(f"{SKILL}care") == [f"{SKILL}drugs"]


def test_levels_and_descriptions(esco: Taxonomy) -> None:
    """A skill may have neither."""
    skills = esco.skill_catalogue
    care, drugs = skills.number(f"{SKILL}care"), skills.number(f"{SKILL}drugs")
    assert (skills.level(care), skills.level(drugs)) == ("transversal", "")
    assert esco.skill_hierarchy.descriptions(f"{SKILL}care") == {"de": "Sorgfalt.", "en": "Act with care."}
    assert esco.skill_hierarchy.descriptions(f"{SKILL}drugs") == {}


def test_search_of_groups(esco: Taxonomy) -> None:
    """By letters, as skills."""
    [hit] = search_skill_groups(esco, "CARING", show="en")
    assert (hit.uri, hit.name, hit.matched) == (f"{SKILL}S3", "assisting and caring", "caring")


def test_a_taxonomy_of_an_older_release(esco: Taxonomy, home: Path, store: TaxonomyStore) -> None:
    """It opens, and has skills, but no groups, levels and descriptions."""
    folder = home / esco.id
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "format": 1}), "utf-8")
    for table in SINCE_FORMAT_2:
        (folder / f"{table}.parquet").unlink()
    old = store.load(esco.id)
    skills, hierarchy = old.skill_catalogue, old.skill_hierarchy
    assert skills.level(skills.number(f"{SKILL}care")) == ""
    assert (hierarchy.groups, hierarchy.tops) == ([], [])
    assert hierarchy.descriptions(f"{SKILL}care") == {}
    assert hierarchy.broader_groups(f"{SKILL}care") == hierarchy.narrower_skills(f"{SKILL}care") == []


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("skillsHierarchy_en.csv", HIERARCHY + ",skills,,,,S\n", "no URI in this row"),
        ("skillsHierarchy_xx.csv", HIERARCHY, "the language in the file's name is not known"),
        ("skillGroups_en.csv", GROUPS + f"SkillGroup,{SKILL}S,other,,S,\n", "occurs twice"),
    ],
)
def test_faults(load_esco: LoadEsco, files: dict[str, str], file: str, content: str, problem: str) -> None:
    """They are told as those of the other files."""
    with pytest.raises(DataFileError, match=problem) as caught:
        load_esco({**files, file: content})
    assert caught.value.path.name == file
