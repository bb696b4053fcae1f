"""A taxonomy made by hand: two major groups, six unit groups, two languages."""

import pytest

from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder
from jobmatch_core.titles.occupation_names import OccupationNames

NAMES = {
    # concept: (ISCO-08, English names, German names)
    "nurse": ("2221", ["nurse", "care nurse", "ward nurse", "staff nurse", "day nurse"], ["Pfleger", "Schwester"]),
    "icu": ("2221", ["icu nurse", "critical nurse", "intensive nurse", "acute nurse", "shift nurse"], ["Intensiv"]),
    "midwife": ("2222", ["midwife", "birth nurse"], ["Hebamme", "Entbindungspfleger"]),
    "doctor": ("2211", ["doctor", "physician", "medic"], ["Arzt", "Doktor"]),
    "teacher": ("2341", ["teacher", "schoolmaster"], ["Lehrer", "Lehrerin"]),
    "baker": ("7512", ["baker", "bread maker", "barista"], ["Bäcker", "barista"]),
    "mason": ("7112", ["mason", "bricklayer"], ["Maurer", "Maurerin"]),
}
SKILLS = {
    "nurse": ["give care", "administer medicine"],
    "icu": ["give care", "monitor patients"],
    "doctor": ["administer medicine", "diagnose patients"],
    "baker": ["bake bread"],
}


def _taxonomy() -> Taxonomy:
    builder = TablesBuilder()
    for concept, (isco, english, german) in NAMES.items():
        number = builder.concept(concept, kind=OCCUPATION, code=isco, isco=isco)
        builder.add_names(number, "en", english[0], english[1:])
        builder.add_names(number, "de", german[0], german[1:])
    builder.add_broader("icu", "nurse")
    for concept, skills in SKILLS.items():
        for skill in skills:
            builder.skill(skill, "skill", "de", f"{skill} (de)", [])
            builder.skill(skill, "skill", "en", skill, [f"to {skill}"])
            builder.relate(concept, skill, essential=True)
    manifest = Manifest("toy-1", "toy", "1", ("de", "en"), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    return Taxonomy(manifest, builder.build())


@pytest.fixture(scope="session")
def taxonomy() -> Taxonomy:
    """The toy taxonomy, with skills; `icu` is narrower than `nurse`."""
    return _taxonomy()


@pytest.fixture(scope="session")
def names(taxonomy: Taxonomy) -> OccupationNames:
    """Its names: 22 English and 12 German ones."""
    return OccupationNames.of(taxonomy)
