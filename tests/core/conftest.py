"""Dirty titles; a small taxonomy in ESCO's files, and a tiny model that knows its words, as folders."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from lab.shipping.training_texts import EAST_ASIAN, FURTHER_LISTS

DIRTY_TITLES = Path(__file__).parents[1] / "data" / "dirty_titles.csv"
OCCUPATION = "http://data.europa.eu/esco/occupation/"
SKILL = "http://data.europa.eu/esco/skill/"
JOBS = {
    # name: (ISCO-08, English names, German names, skills)
    "nurse": ("2221", "nurse\nward carer\nstaff sister", "Pfleger\nSchwester", "care,medicine"),
    "icu": ("2221", "intensive nurse\ncritical carer\nacute sister", "Intensivpfleger\nAkutschwester", "care,monitors"),
    "doctor": ("2211", "doctor\nphysician\ngeneral medic", "Arzt\nDoktor", "medicine,diagnosis"),
    "teacher": ("2341", "teacher\nschool master\npupil tutor", "Lehrer\nSchulmeister", "lessons,care"),
    "baker": ("7512", "baker\nbread maker\noven hand", "Bäcker\nBrotmacher", "dough,ovens"),
    "cook": ("5120", "cook\nkitchen chef\nmeal maker", "Koch\nKüchenchef", "ovens,menus"),
    "mason": ("7112", "mason\nbricklayer\nwall builder", "Maurer\nBauhandwerker", "bricks,mortar"),
}


def write_csv(path: Path, rows: list[dict[str, str]]) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_esco(folder: Path) -> None:
    """Write ESCO's files."""
    for column, language in ((1, "en"), (2, "de")):
        rows = []
        for name, job in JOBS.items():
            preferred, *others = job[column].split("\n")
            row = {"conceptUri": OCCUPATION + name, "iscoGroup": job[0], "code": f"{job[0]}.1"}
            rows.append(row | {"preferredLabel": preferred, "altLabels": "\n".join(others)})
        write_csv(folder / f"occupations_{language}.csv", rows)
    skills = dict.fromkeys(skill for job in JOBS.values() for skill in job[3].split(","))
    columns = {"skillType": "knowledge", "altLabels": ""}
    write_csv(
        folder / "skills_en.csv",
        [{"conceptUri": SKILL + skill, "preferredLabel": skill} | columns for skill in skills],
    )
    write_csv(
        folder / "occupationSkillRelations_en.csv",
        [
            {"occupationUri": OCCUPATION + name, "relationType": "essential", "skillUri": SKILL + skill}
            for name, job in JOBS.items()
            for skill in job[3].split(",")
        ],
    )
    write_csv(
        folder / "broaderRelationsOccPillar_en.csv",
        [{"conceptUri": OCCUPATION + "icu", "broaderUri": OCCUPATION + "nurse"}],
    )


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The publishers' files that the shipped encoder is trained on, in miniature; to be read or copied."""
    data = tmp_path_factory.mktemp("data")
    releases = ("labels_v1.0.3", "v1.1.1_en", "v1.2.0_occupations", "v1.2.1_occupations")
    for folder in (f"esco/{release}" for release in releases):
        (data / folder).mkdir(parents=True)
        write_esco(data / folder)
    files = {
        "isco/isco08_index_en.tsv": "isco08\ttitle\n2221\tnurse: night\n7512\tpastry cook\n",
        "onet/Alternate Titles.txt": "O*NET-SOC Code\tAlternate Title\n29-1\tHead Nurse\n35-1\tLine Cook\n",
        "onet/Sample of Reported Titles.txt": "O*NET-SOC Code\tReported Job Title\n29-1\tStaff Nurse\n",
        "parallel/ntrex/newstest2019-src.eng.txt": "The baker bakes.\nThe nurse cares.",
        "parallel/flores200_dev/eng_Latn.dev": "A cook cooks.",
        "titles_coded/uk_soc2020.tsv": "title\tqualifier_add\tqualifier_industry\tisco08\n"
        "Scrub Nurse\t\t\t2221\nChef\thead\tpub\t5120\n",
        "titles_coded/canada_noc_en.tsv": "title\tisco08_candidates\nCarer of animals\t2211|2221\n",
        "titles_coded/anzsco2022.tsv": "title\tisco08_candidates\nWall Renderer\t7112\n",
        "titles_coded/tabiya_localised.tsv": "title\tisco08\nVetkoek Baker\t7512\n",
        **{f"titles_coded_2/{name}.tsv": "title\tisco08\nBoulanger/boulangère\t7512\n" for name in FURTHER_LISTS},
    }
    for language, skill in (("es", "cuidado"), ("fr", "soins")):
        header = "conceptUri,preferredLabel,altLabels"
        files[f"esco/skills/skills_{language}.csv"] = f"{header}\n{SKILL}care,{skill},\n"
    for ntrex, flores, tatoeba in EAST_ASIAN.values():
        files |= {
            f"parallel/ntrex/newstest2019-ref.{ntrex}.txt": "パン屋\n看護師",
            f"parallel/flores200_dev/{flores}.dev": "料理人",
            f"parallel/tatoeba/tatoeba.{tatoeba}-eng.{tatoeba}": "石工",
            f"parallel/tatoeba/tatoeba.{tatoeba}-eng.eng": "mason",
        }
    for name, text in files.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text(text, "utf-8")
    return data


@pytest.fixture(scope="session")
def taxonomy_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a home with the small taxonomy as `esco-1.0`; only to be read."""
    folder = tmp_path_factory.mktemp("esco") / "small v1.0"
    folder.mkdir()
    write_esco(folder)
    home = tmp_path_factory.mktemp("home")
    TaxonomyStore.open(Settings(home)).import_from(folder)
    return home


@pytest.fixture
def store(taxonomy_home: Path) -> TaxonomyStore:
    """The store with the small taxonomy."""
    return TaxonomyStore.open(Settings(taxonomy_home))


@pytest.fixture(scope="session")
def backbone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny model: the mean of the vectors of a title's words."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = sorted({word for job in JOBS.values() for names in job[1:3] for word in names.split()})
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(["?", *words])}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.random.default_rng(1).normal(size=(len(words) + 1, 8)).astype(np.float32)
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")
    folder = tmp_path_factory.mktemp("backbone") / "tiny"
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


RECIPE = """
backbone = "{backbone}"
seed = 3
[data]
names = "esco-1.0"
[held_out]
titles = 6
[stage1]
steps = 12
batch_size = 8
learning_rate = 0.05
checkpoint_every = 4
dimensions = 5
epochs = 5
[stage2]
steps = 12
batch_size = 24
learning_rate = 0.05
negatives = 4
checkpoint_every = 4
"""


@pytest.fixture
def recipe_file(tmp_path: Path, backbone: Path) -> Callable[..., Path]:
    """Write a recipe of both stages with some of its lines replaced, and return it."""

    def write(**replaced: str) -> Path:
        text = RECIPE.format(backbone=backbone)
        for old, new in replaced.items():
            line = next(line for line in text.splitlines() if line.startswith(f"{old} ="))
            text = text.replace(line, new)
        path = tmp_path / "toy.toml"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def dirty_titles() -> list[dict[str, str]]:
    """Read the dirty titles of 29 languages: language, dirty, clean and isco, `|` between two jobs."""
    with DIRTY_TITLES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def bundled(linker_home: Path) -> Linker:
    """Open the bundled taxonomy's linker as users do, with the shipped encoder."""
    return open_linker(settings=Settings(linker_home))
