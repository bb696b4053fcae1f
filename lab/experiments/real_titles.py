"""The linker on titles as people write them, and on the names that the taxonomy itself holds.

`real_titles.csv` has 300 everyday and modern titles in 15 languages, each with the unit groups of ISCO-08 that are
right, and 15 texts that are no job. Its author did not see the lexicon, nor the lexicon's authors this file.
`further_titles_read.csv` and `further_titles_kept.csv` have 450 each, as they stand in surveys, CVs and adverts, by two
authors who saw nothing of the project; the errors of the first were read and mended, those of the second never.
`further_titles_3.csv` has 300 headings of adverts by a third author, who knew the linker, but not its answers: the
errors of those of the kind `read` were mended, and those `apart` only measured.
`further_titles_4.csv` has 300 titles as people typed them in 2026 (`source`: payroll, board, profile, public, floor,
new), halved by a hash; its author wrote the names and clippings that followed, too, so that no half is unseen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import UNIT_GROUP_LEVEL, LinkResult, Progress, no_progress
from jobmatch_core.io.tables import read_table
from jobmatch_core.linking import Linker
from jobmatch_core.metrics.calibration import expected_calibration_error
from jobmatch_core.sheets.table_layout import table_encodings
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold

NO_JOB = "-"


@dataclass(frozen=True, slots=True)
class RealTitle:
    """A title with its language and the unit groups that are right; none for a text that is no job."""

    language: str
    title: str
    groups: tuple[str, ...]
    kind: str = ""  # of its source, such as the heading of an advert


@dataclass(frozen=True, slots=True)
class RealTitlesReport:
    """Figures of some titles."""

    language: str  # two-letter code, 'all', '-' for texts that are no job, or a kind of titles
    titles: int
    first: float  # share whose first candidate is of a right unit group
    linked: float  # share that is linked
    right: float  # share of the linked whose first candidate is of a right unit group; NaN without any
    ece: float  # expected calibration error of the unit group's probability


@dataclass(frozen=True, slots=True)
class OwnNamesReport:
    """Figures of the names of one language that one occupation has: shares found first, and linked."""

    language: str
    names: int
    first: float
    linked: float


def read_real_titles(path: Path | None = None) -> list[RealTitle]:
    """Read titles with the columns language, title, isco (`|` between unit groups) and maybe kind; ours by default.

    Raises DataFileError if the file cannot be read.
    """
    path = path or Path(str(files("lab.experiments") / "real_titles.csv"))
    return [
        RealTitle(
            str(row.get("language") or NO_JOB),
            str(row["title"]),
            tuple(code for code in str(row.get("isco") or "").split("|") if code),
            str(row.get("kind") or ""),
        )
        for batch in read_table(path, encoding=table_encodings(path)[0])
        for row in batch
    ]


def evaluate_real_titles(
    linker: Linker, titles: Sequence[RealTitle], *, progress: Progress = no_progress
) -> list[RealTitlesReport]:
    """Link every title; the first report is of all titles, the others of each language and of each kind."""
    results = linker.link_all([title.title for title in titles], progress=progress)
    right = np.array([_is_right(result, title) for result, title in zip(results, titles, strict=True)])
    linked = np.array([not result.abstained for result in results])
    probabilities = np.array([_group_probability(result) for result in results])
    languages = np.array([title.language for title in titles])
    jobs = languages != NO_JOB
    reports = [_report("all", jobs, right, linked, probabilities)]
    for language in dict.fromkeys(languages.tolist()):
        reports.append(_report(language, languages == language, right, linked, probabilities))
    kinds = np.array([title.kind for title in titles])
    for kind in dict.fromkeys(filter(None, kinds.tolist())):
        reports.append(_report(kind, kinds == kind, right, linked, probabilities))
    return reports


def names_of_one(linker: Linker, *, most: int = 2000) -> dict[str, dict[str, int]]:
    """Return the names that one occupation has, as they are written, with its number, at most *most* of each language.

    The lexicon's names are among them where the taxonomy has no such name. What it has is to be found, whatever it
    means in the lexicon.
    """
    taxonomy = linker.taxonomy
    owners: dict[str, set[int]] = {}
    columns = (taxonomy.tables.names["concept"].to_list(), taxonomy.name_texts, taxonomy.name_languages)
    occupations = frozenset(taxonomy.occupation_numbers.tolist())
    rows = [(fold(row[1]), *row) for row in zip(*columns, strict=True)]
    own = {folded for folded, *_ in rows[: taxonomy.n_own_names]}
    lexicons = [row for row in rows[taxonomy.n_own_names :] if row[0] not in own]
    names = [row for row in (*rows[: taxonomy.n_own_names], *lexicons) if row[1] in occupations]
    for folded, concept, *_ in names:
        owners.setdefault(folded, set()).add(concept)
    by_language: dict[str, dict[str, int]] = {}
    for folded, concept, text, language in names:
        if len(owners[folded]) == 1:
            by_language.setdefault(language, {})[text] = concept
    drawn = {}
    for language, concept_of in sorted(by_language.items()):
        texts = sorted(concept_of)[:: max(len(concept_of) // most, 1)][:most]
        drawn[language] = {text: concept_of[text] for text in texts}
    return drawn


def evaluate_own_names(linker: Linker, *, most: int = 2000, progress: Progress = no_progress) -> list[OwnNamesReport]:
    """Link the names of `names_of_one`."""
    taxonomy, by_language, reports = linker.taxonomy, names_of_one(linker, most=most), []
    for number, (language, concept_of) in enumerate(by_language.items()):
        results = linker.link_all(list(concept_of))
        first = [
            bool(result.candidates) and result.candidates[0].uri == taxonomy.uris[concept]
            for concept, result in zip(concept_of.values(), results, strict=True)
        ]
        linked = [not result.abstained for result in results]
        reports.append(OwnNamesReport(language, len(concept_of), float(np.mean(first)), float(np.mean(linked))))
        progress(number + 1, len(by_language))
    return reports


def _is_right(result: LinkResult, title: RealTitle) -> bool:
    return bool(result.candidates) and result.candidates[0].isco[:UNIT_DIGITS] in title.groups


def _group_probability(result: LinkResult) -> float:
    if not result.candidates:
        return 0.0
    if result.level == UNIT_GROUP_LEVEL:
        return result.probability
    code = result.candidates[0].isco[:UNIT_DIGITS]
    return min(
        sum(candidate.probability for candidate in result.candidates if candidate.isco[:UNIT_DIGITS] == code), 1.0
    )


def _report(
    language: str,
    chosen: NDArray[np.bool_],
    right: NDArray[np.bool_],
    linked: NDArray[np.bool_],
    probabilities: NDArray[np.float64],
) -> RealTitlesReport:
    of_linked = right[chosen & linked]
    return RealTitlesReport(
        language=language,
        titles=int(chosen.sum()),
        first=float(right[chosen].mean()),
        linked=float(linked[chosen].mean()),
        right=float(of_linked.mean()) if len(of_linked) else float("nan"),
        ece=expected_calibration_error(probabilities[chosen], right[chosen]),
    )
