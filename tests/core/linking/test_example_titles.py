"""Example titles: correctly and surely linked, of eight fields of work, for every taxonomy."""

from pathlib import Path

from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.example_titles import N_EXAMPLES, example_titles
from jobmatch_core.linking.link_words import SURE, confidence
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

ISCO = {
    "Krankenschwester (m/w/d)": "2221",
    "desarrollador web": "2513",
    "roofer": "7121",
    "treinmachinist": "8311",
    "fotografo": "3431",
    "nauczyciel w szkole podstawowej": "2341",
    "mecânico de bicicletas": "7234",
    "esthéticienne": "5142",
}
URI = "http://data.europa.eu/esco/occupation/"
# as in ESCO, 'nurse' is a name of several occupations
OCCUPATIONS = (
    ("2221", "nurse responsible for general care", "nurse|registered nurse", "Krankenschwester", ""),
    ("2221", "specialist nurse", "nurse", "Fachkrankenschwester", "Krankenschwester"),
    ("5321", "nurse assistant", "nurse|assistant nurse", "Pflegehelfer", "Krankenschwester"),
    ("2265", "dietitian", "dietician", "Diätassistent", "Diätassistentin"),
    ("2521", "database administrator", "", "Datenbankadministrator", "Datenbankadministratorin"),
    ("7121", "roofer", "", "Dachdecker", "Dachdeckerin"),
    ("8344", "forklift operator", "forklift driver", "Gabelstaplerfahrer", ""),
    ("3431", "photographer", "", "Fotograf", "Fotografin"),
    ("2341", "primary school teacher", "", "Grundschullehrer", "Grundschullehrerin"),
    ("7234", "bicycle mechanic", "", "Fahrradmechaniker", ""),
    ("5142", "aesthetician", "", "Kosmetiker", "Kosmetikerin"),
    ("2611", "lawyer", "", "Rechtsanwalt", "Rechtsanwältin"),
)


def esco_package(folder: Path) -> Path:
    """Write a package in ESCO's format, with few occupations in two languages."""
    folder.mkdir()
    header = "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description\n"
    for language, first in (("en", 1), ("de", 3)):
        rows = [
            f'Occupation,{URI}{number},{row[0]},{row[first]},"{row[first + 1]}",\n'.replace("|", "\n", 1)
            for number, row in enumerate(OCCUPATIONS)
        ]
        (folder / f"occupations_{language}.csv").write_text(header + "".join(rows), "utf-8")
    return folder


def test_the_bundled_taxonomy(bundled: Linker) -> None:
    """Eight titles in eight languages and eight fields of work, all correct and sure."""
    results = bundled.link_all(example_titles(bundled))
    assert {result.title: result.candidates[0].isco for result in results} == ISCO
    assert [confidence(result) for result in results] == [SURE] * N_EXAMPLES


def test_ambiguous_names_are_no_examples(tmp_path: Path) -> None:
    """As in ESCO, 'Krankenschwester' names several occupations; other titles are chosen."""
    settings = Settings(tmp_path / "home")
    manifest = TaxonomyStore.open(settings).import_from(
        esco_package(tmp_path / "package"), name="ESCO", version="0.0.1"
    )
    linker = open_linker(manifest.id, settings=settings)
    assert linker.link("Krankenschwester (m/w/d)").best is None
    results = linker.link_all(example_titles(linker))
    assert [confidence(result) for result in results] == [SURE] * N_EXAMPLES
    assert len({result.candidates[0].isco for result in results}) == N_EXAMPLES
    assert {"dietician", "Gabelstaplerfahrer"} <= {result.title for result in results}


def test_a_custom_taxonomy_shows_its_own_names(tiny: Linker) -> None:
    """If few bundled titles are in the taxonomy, its own names follow, each of another field."""
    results = tiny.link_all(example_titles(tiny))
    assert results[0].title == "Krankenschwester (m/w/d)"
    assert {confidence(result) for result in results} == {SURE}
    fields = [result.candidates[0].isco[:2] for result in results]
    assert len(fields) == len(set(fields)) > 3
    assert {result.title for result in results} & {"baker", "welder", "electrician"}
