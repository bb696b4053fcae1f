"""Two versions of a tiny taxonomy, with every kind of change."""

from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.tables import OCCUPATION, TablesBuilder

# key -> code, English names, German names; the first of each is the preferred one
BEFORE = {
    "nurse": ("2221", "nurse|ward nurse", "Krankenpfleger"),
    "guide": ("5113", "guide", "Führer"),
    "frames": ("7522", "frame maker", "Rahmenbauer"),
    "radio": ("2269", "therapeutic radiographer", "Radiologe"),
    "carer": ("3412", "home carer", "Heimbetreuer"),
    "wind": ("7412", "wind technician|mill fitter", "Windtechniker"),
    "grower": ("6111", "bean and pea grower", "Bohnenbauer"),
    "scribe": ("4411", "scribe", "Schreiber"),
}
AFTER = {
    "nurse": ("2221", "nurse|ward nurse", "Krankenpfleger"),
    "guide": ("5113", "tourist guide|guide", "Führer"),
    "frames": ("7115", "frame maker", "Rahmenbauer"),
    "therapist": ("2269", "radiation therapist|Therapeutic radiographer", "Strahlentherapeut"),
    "carer": ("3412", "home carer", "Heimbetreuer"),
    "onshore": ("7412", "onshore technician|mill fitter", "Landtechniker"),
    "beans": ("6111", "bean grower|bean and pea grower", "Bauer"),
    "peas": ("6111", "pea grower", "Bauer|Bohnenbauer"),
    "assistant": ("5321", "assistant nurse", "Hilfskraft"),
}


def uri(key: str) -> str:
    """Return an occupation's URI."""
    return f"http://jobs/{key}"


def taxonomy(version: str, occupations: dict[str, tuple[str, str, str]]) -> Taxonomy:
    """Return a version with some occupations."""
    builder = TablesBuilder()
    for key, (code, english, german) in occupations.items():
        concept = builder.concept(uri(key), kind=OCCUPATION, code=key, isco=code)
        for language, names in (("en", english), ("de", german)):
            preferred, *others = names.split("|")
            builder.add_names(concept, language, preferred, others)
    counts = {"occupations": len(occupations), "groups": 0, "names": 3 * len(occupations), "skills": 0, "relations": 0}
    manifest = Manifest(f"trades-{version}", "Trades", version, ("de", "en"), counts, version * 64, "", "2026-01-01")
    return Taxonomy(manifest, builder.build())


def versions() -> tuple[Taxonomy, Taxonomy]:
    """Return the earlier and the later one."""
    return taxonomy("1", BEFORE), taxonomy("2", AFTER)
