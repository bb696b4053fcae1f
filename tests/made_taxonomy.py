"""A tiny taxonomy with skills: six occupations in three families, in two languages with sentences and two without."""

from pathlib import Path

from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.bundled import add_isco_groups
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder

LANGUAGES = ("en", "de", "he", "ja")
OCCUPATIONS = {
    "2512": {"en": "coder|program writer", "de": "Programmierer|Kodierer", "he": "מתכנת", "ja": "プログラマー"},
    "2513": {"en": "site builder|web maker", "de": "Webbauer|Seitenmacher", "he": "בונה אתרים", "ja": "ウェブ制作者"},
    "2166": {"en": "illustrator|drawer", "de": "Zeichner|Illustrator", "he": "מאייר", "ja": "イラストレーター"},
    "2165": {"en": "surveyor|map maker", "de": "Vermesser|Kartograf", "he": "מודד", "ja": "測量士"},
    "2641": {"en": "author|writer", "de": "Autor|Verfasser", "he": "סופר", "ja": "作家"},
    "2643": {"en": "translator|interpreter", "de": "Übersetzer|Dolmetscher", "he": "מתרגם", "ja": "翻訳者"},
}
SKILLS_OF_EACH = 9
_TOOLS = ("hammering", "sifting", "weighing", "stirring", "folding", "counting", "tuning", "sorting", "binding")
_WERKZEUG = ("Hämmern", "Sieben", "Wiegen", "Rühren", "Falten", "Zählen", "Stimmen", "Ordnen", "Binden")
_MATTER = ("bytes", "pages", "colours", "fields", "chapters", "tongues")
_STOFF = ("Bytes", "Seiten", "Farben", "Felder", "Kapitel", "Zungen")


def skilled_taxonomy() -> Taxonomy:
    """Return it; a skill's English alternative shares no word with its preferred name."""
    builder = TablesBuilder()
    for number, (code, names) in enumerate(OCCUPATIONS.items()):
        uri = f"http://jobs/{code}"
        concept = builder.concept(uri, kind=OCCUPATION, code=code, isco=code)
        for language, text in names.items():
            preferred, *others = text.split("|")
            builder.add_names(concept, language, preferred, others)
        for tool in range(SKILLS_OF_EACH):
            key = f"http://skills/{number}-{tool}"
            for language, preferred, others in _skill_names(number, tool):
                builder.skill(key, "skill", language, preferred, others)
            builder.relate(uri, key, essential=tool < 5)
    add_isco_groups(builder)
    tables = builder.build()
    manifest = Manifest("skilled-1", "Skilled", "1", tuple(sorted(LANGUAGES)), _COUNTS, "0" * 64, "", "2026-01-01")
    return Taxonomy(manifest, tables)


def install(taxonomy: Taxonomy, home: Path) -> None:
    """Put it where `TaxonomyStore` finds it."""
    folder = home / "taxonomies" / taxonomy.id
    folder.mkdir(parents=True)
    taxonomy.tables.save(folder)
    taxonomy.manifest.save(folder)


_COUNTS = {
    "occupations": len(OCCUPATIONS),
    "groups": 619,
    "names": 40,
    "skills": len(OCCUPATIONS) * SKILLS_OF_EACH,
    "relations": len(OCCUPATIONS) * SKILLS_OF_EACH,
}


def _skill_names(matter: int, tool: int) -> list[tuple[str, str, list[str]]]:
    """Return language, preferred name, alternatives; there are none in Japanese."""
    return [
        ("en", f"{_TOOLS[tool]} {_MATTER[matter]}", [f"craft {chr(65 + matter)}{chr(97 + tool)}"]),
        ("de", f"{_STOFF[matter]}-{_WERKZEUG[tool]}", []),
        ("he", f"{'אבגדהו'[matter] * 3} {'קרשתמנסעפ'[tool] * 3}", []),
    ]
