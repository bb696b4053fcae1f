"""Training pairs generated from ESCO, O*NET (both CC BY 4.0), NTREX-128 (CC BY-SA 4.0) and our unit group duties.

The licences allow a trained model to be passed on. In each task an occupation has one document, so that no document
is a negative of its own queries.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.tables import rows_with
from jobmatch_core.io.text_files import read_text
from jobmatch_core.search.pair_files import TextPair, read_pairs
from jobmatch_core.search.search_recipe import SEARCH_LOG, Made, SearchData, SearchRecipe, TaskRecipe
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.bundled import unit_group_duties
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH

_MOST_NAMES = 10  # of an occupation's document
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+")
_QUERY_SHARE = 0.4  # of the texts; these begin like a search
_QUERY_OPENINGS = {
    "cs": ("někdo kdo", "člověk který", "kdo"),
    "da": ("en der", "person der", "hvem"),
    "de": ("jemand der", "wer", "Person die", "eine, die"),
    "el": ("κάποιος που", "άτομο που", "ποιος"),
    "en": ("someone who", "person who", "who", "somebody that", "a worker who"),
    "es": ("persona que", "alguien que", "quien", "el que"),
    "fi": ("joku joka", "henkilö joka", "kuka"),
    "fr": ("personne qui", "quelqu'un qui", "qui", "celui qui"),
    "hu": ("valaki aki", "aki", "ember aki"),
    "it": ("chi", "persona che", "qualcuno che"),
    "nl": ("iemand die", "wie", "persoon die"),
    "no": ("noen som", "en som", "hvem"),
    "pl": ("ktoś kto", "osoba która", "kto"),
    "pt": ("pessoa que", "alguém que", "quem"),
    "ro": ("cineva care", "persoană care", "cine"),
    "sv": ("någon som", "person som", "den som", "vem"),
}
_NTREX = "newstest2019-{}.txt"


@dataclass
class _Occupation:
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # by language, preferred ones first
    descriptions: dict[str, str] = field(default_factory=dict)  # by language

    @cached_property
    def document(self) -> str:
        names = "; ".join(dict.fromkeys(self.names[ENGLISH][:_MOST_NAMES]))
        return f"{names}. {self.descriptions.get(ENGLISH, '')}".strip()

    @cached_property
    def everywhere(self) -> str:
        names = {ENGLISH: self.names[ENGLISH]} | self.names  # English first
        return ", ".join(dict.fromkeys(forms[0] for forms in names.values() if forms))


@dataclass(frozen=True)
class MadePairs:
    """The sources, read once for all tasks."""

    taxonomies: tuple[Taxonomy, ...]  # taxonomies with names; descriptions and skills where they have them
    onet: Path | None  # folder of O*NET's files, or None
    parallel: Path | None  # folder of NTREX-128, or None

    @classmethod
    def open(cls, data: SearchData, folder: Path, store: TaxonomyStore) -> "MadePairs":
        """Load the sources of a recipe; raises TaxonomyError if a taxonomy is not installed."""
        places = [folder / place if place else None for place in (data.onet, data.parallel)]
        return cls(tuple(store.load(taxonomy) for taxonomy in data.taxonomies), *places)

    def pairs(self, made: Made, seed: int) -> list[TextPair]:
        """Return the distinct pairs of a kind.

        Raises:
            SettingsError: the recipe's [data] names no source of such pairs.
            DataFileError: a file is missing or malformed.
        """
        pairs = list(dict.fromkeys(MADE[made](self, np.random.default_rng(seed))))
        if not pairs:
            raise SettingsError(f"No pairs of the kind {made!r} can be made; name their source in the recipe's [data].")
        return pairs

    @cached_property
    def occupations(self) -> dict[str, _Occupation]:
        """The occupations of all taxonomies by URI."""
        by_uri: dict[str, _Occupation] = defaultdict(_Occupation)
        for taxonomy in self.taxonomies:
            occupations, uris = set(taxonomy.occupation_numbers.tolist()), taxonomy.uris
            names = taxonomy.tables.names.sort_values("preferred", ascending=False, kind="stable")
            for concept, language, text in zip(names["concept"], names["language"], names["text"], strict=True):
                if concept in occupations:
                    by_uri[uris[concept]].names[language].append(text)
            texts = taxonomy.tables.descriptions
            for concept, language, text in zip(texts["concept"], texts["language"], texts["text"], strict=True):
                if concept in occupations:
                    by_uri[uris[concept]].descriptions.setdefault(language, text)
        return by_uri


def _names(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    for occupation in made.occupations.values():
        for language, names in occupation.names.items():
            for name in names:
                yield TextPair(_as_query(name, language, random), occupation.document)


def _descriptions(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    for occupation in made.occupations.values():
        for language, description in occupation.descriptions.items():
            for sentence in sentences(description):
                yield TextPair(_as_query(sentence, language, random), occupation.everywhere)


def _duties(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    for duties in unit_group_duties().values():
        document = "; ".join(duties[ENGLISH])
        for language, texts in duties.items():
            if language != ENGLISH:
                yield from (TextPair(_as_query(text, language, random), document) for text in texts)


def _duty_names(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    names: dict[str, list[str]] = defaultdict(list)
    for taxonomy in made.taxonomies:
        codes = taxonomy.isco_codes
        for number in taxonomy.occupation_numbers.tolist():
            names[codes[number][:UNIT_DIGITS]].append(made.occupations[taxonomy.uris[number]].names[ENGLISH][0])
    for code, duties in unit_group_duties().items():
        document = "; ".join(list(dict.fromkeys(names[code]))[:_MOST_NAMES])
        for language, texts in duties.items():
            if document:
                yield from (TextPair(_as_query(text, language, random), document) for text in texts)


def _skills(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    """Yield two names of each essential skill in each language with its occupations.

    A skill of many occupations says little about each of them, so that the weights of its pairs add up to the square
    root of their number.
    """
    occupations = made.occupations
    for taxonomy in made.taxonomies:
        relations = taxonomy.tables.relations
        relations = relations[relations["essential"]]
        counts = relations["skill"].value_counts()
        names = _skill_names(taxonomy)
        for occupation, skill in zip(relations["occupation"], relations["skill"], strict=True):
            document = occupations[taxonomy.uris[occupation]].document
            for language, texts in names[skill].items():
                for text in dict.fromkeys((texts[0], texts[int(random.integers(len(texts)))])):
                    yield TextPair(_as_query(text, language, random), document, weight=float(counts[skill]) ** -0.5)


def _skill_translations(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    for taxonomy in made.taxonomies:
        for names in _skill_names(taxonomy).values():
            if names[ENGLISH]:
                for text in chain(*names.values()):
                    yield TextPair(text, names[ENGLISH][0])


def _onet_tasks(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    if made.onet is None:
        return
    titles: dict[str, list[str]] = defaultdict(list)
    descriptions = {}
    for row in rows_with(made.onet / "Occupation Data.txt", "O*NET-SOC Code", "Title", "Description"):
        titles[row["O*NET-SOC Code"]].append(row["Title"])
        descriptions[row["O*NET-SOC Code"]] = row["Description"]
    for row in rows_with(made.onet / "Alternate Titles.txt", "O*NET-SOC Code", "Alternate Title"):
        titles[row["O*NET-SOC Code"]].append(row["Alternate Title"])
    for row in rows_with(made.onet / "Task Statements.txt", "O*NET-SOC Code", "Task"):
        code = row["O*NET-SOC Code"]
        yield TextPair(row["Task"], f"{'; '.join(titles[code][:_MOST_NAMES])}. {descriptions.get(code, '')}")


def _parallel(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    if made.parallel is None:
        return
    english = _lines(made.parallel / _NTREX.format("src.eng"))
    for path in sorted(made.parallel.glob(_NTREX.format("ref.*"))):
        lines = _lines(path)
        if len(lines) != len(english):
            raise DataFileError(path, f"expected {len(english)} lines as in English, found {len(lines)}")
        yield from (TextPair(text, translation) for text, translation in zip(lines, english, strict=True))


def _english(made: MadePairs, random: np.random.Generator) -> Iterator[TextPair]:
    texts = chain(
        (
            text
            for occupation in made.occupations.values()
            for text in sentences(occupation.descriptions.get(ENGLISH, ""))
        ),
        (text for occupation in made.occupations.values() for text in occupation.names[ENGLISH]),
        (
            names[ENGLISH][0]
            for taxonomy in made.taxonomies
            for names in _skill_names(taxonomy).values()
            if names[ENGLISH]
        ),
        (pair.query for pair in _onet_tasks(made, random)),
    )
    yield from (TextPair(text, text) for text in texts)


MADE: dict[str, Callable[[MadePairs, np.random.Generator], Iterator[TextPair]]] = {
    "names": _names,
    "descriptions": _descriptions,
    "duties": _duties,
    "duty-names": _duty_names,
    "skills": _skills,
    "skill-names": _skill_translations,
    "onet-tasks": _onet_tasks,
    "parallel": _parallel,
    "english": _english,
}


# phrases that open a search carry no meaning: some texts get one, so that the encoder learns to ignore them
def _as_query(text: str, language: str, random: np.random.Generator) -> str:
    phrases = _QUERY_OPENINGS.get(language, ())
    if not phrases or random.random() >= _QUERY_SHARE:
        return text
    return f"{phrases[int(random.integers(len(phrases)))]} {text}"


def sentences(text: str) -> list[str]:
    """Return the sentences of a description; a semicolon also ends a sentence."""
    return [sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence]


def _skill_names(taxonomy: Taxonomy) -> dict[int, dict[str, list[str]]]:
    skills: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    table = taxonomy.tables.skill_names.sort_values("preferred", ascending=False, kind="stable")
    for skill, language, text in zip(table["skill"], table["language"], table["text"], strict=True):
        skills[skill][language].append(text)
    return skills


def _lines(path: Path) -> Sequence[str]:
    try:
        return read_text(path).rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(path, f"expected UTF-8 text with one sentence per line ({error})") from error


def task_pairs(
    recipe: SearchRecipe, folder: Path, store: TaxonomyStore, log: Sequence[TextPair] = ()
) -> dict[str, Sequence[TextPair]]:
    """Return the pairs of each task of a recipe by its name: generated, read from *folder*, or those of the *log*.

    Raises:
        TaxonomyError: a taxonomy is not installed.
        DataFileError: a file is missing or malformed.
        SettingsError: the sources of the recipe give no pairs, or the log is empty.
    """
    if recipe.learns_from_log and not log:
        raise SettingsError(
            "The search log has nothing to learn from: no result was opened that still exists. Switch on the log on "
            "the page 'Search', search, and open the right results."
        )
    made = MadePairs.open(recipe.data, folder, store)

    def load_pairs(task: TaskRecipe) -> Sequence[TextPair]:
        if task.made == SEARCH_LOG:
            return log
        if task.made:
            return made.pairs(task.made, recipe.seed)
        return [pair for file in task.files for pair in read_pairs(folder / file, task.shape)]

    return {task.name: load_pairs(task) for task in recipe.tasks}
