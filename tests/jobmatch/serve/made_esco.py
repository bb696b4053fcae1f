"""ESCO 1.2.1 in miniature, as files: three occupations, skills and the groups of both, in English and German."""

from pathlib import Path

from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

ESCO = "http://data.europa.eu/esco/"
DEVELOPER, WEB, NURSE = f"{ESCO}occupation/developer", f"{ESCO}occupation/web", f"{ESCO}occupation/nurse"
PYTHON, JAVA, CARE = f"{ESCO}skill/python", f"{ESCO}skill/java", f"{ESCO}skill/care"
UNIT_GROUP = f"{ESCO}isco/C2512"
KNOWLEDGE, ABILITIES, CARING = f"{ESCO}skill/K", f"{ESCO}skill/S", f"{ESCO}skill/S3"  # skill groups

_FILES = {
    "occupations_en.csv": (
        "conceptUri,iscoGroup,code,preferredLabel,altLabels,description\n"
        f"{DEVELOPER},2512,2512.4,software developer,programmer\ncoder,Writes <b>programs</b> & tests them.\n"
        f"{WEB},2512,2512.4.1,web developer,web programmer,\n"
        f"{NURSE},2221,2221.1,specialist nurse,clinical nurse,Cares for patients.\n"
    ).replace("programmer\ncoder", '"programmer\ncoder"'),
    "occupations_de.csv": (
        "conceptUri,iscoGroup,code,preferredLabel,altLabels,description\n"
        f"{DEVELOPER},2512,2512.4,Softwareentwickler/Softwareentwicklerin,,Schreibt Programme.\n"
        f"{NURSE},2221,2221.1,Fachkrankenpfleger/Fachkrankenschwester,,\n"
    ),
    "ISCOGroups_en.csv": (
        f"conceptUri,code,preferredLabel,altLabels,description\n{UNIT_GROUP},2512,Software developers,,\n"
    ),
    "skills_en.csv": (
        "conceptUri,skillType,reuseLevel,preferredLabel,altLabels,description\n"
        f"{PYTHON},knowledge,sector-specific,Python (computer programming),Python,Programming in Python.\n"
        f"{JAVA},knowledge,sector-specific,Java (computer programming),,\n"
        f"{CARE},skill/competence,cross-sector,provide nursing care,,Care for the sick.\n"
    ),
    "skills_de.csv": (
        "conceptUri,skillType,preferredLabel,altLabels,description\n"
        f"{CARE},skill/competence,Kranke pflegen,,Sorge für Kranke.\n"
    ),
    "skillGroups_en.csv": (
        "conceptUri,code,preferredLabel,altLabels,description\n"
        f"{ABILITIES},S,skills,,\n{KNOWLEDGE},K,knowledge,,\n{CARING},S3,assisting and caring,,Providing care.\n"
    ),
    "broaderRelationsSkillPillar_en.csv": (
        f"conceptUri,broaderUri\n{CARING},{ABILITIES}\n{CARE},{CARING}\n{PYTHON},{KNOWLEDGE}\n{JAVA},{PYTHON}\n"
    ),
    "occupationSkillRelations_en.csv": (
        "occupationUri,relationType,skillUri\n"
        f"{DEVELOPER},essential,{PYTHON}\n{DEVELOPER},optional,{JAVA}\n{NURSE},essential,{CARE}\n"
    ),
    "broaderRelationsOccPillar_en.csv": (
        f"conceptUri,broaderUri\n{WEB},{DEVELOPER}\n{DEVELOPER},{UNIT_GROUP}\n{NURSE},{ESCO}isco/C2221\n"
    ),
}


def import_esco(settings: Settings, folder: Path, version: str = "1.2.1", without: tuple[str, ...] = ()) -> str:
    """Write the files into a folder, except those with a given prefix, import them, and return the id."""
    source = folder / f"ESCO dataset - v{version}"
    source.mkdir()
    for name, content in _FILES.items():
        if not name.startswith(without):
            (source / name).write_text(content, "utf-8")
    return TaxonomyStore.open(settings).import_from(source).id
