"""Errors and calibration of a linker on judged titles, by language and by gendered form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.linking.linker import BATCH, Linker
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.metrics.calibration import expected_calibration_error
from jobmatch_core.metrics.comparisons import FEWEST_TOLD, Interval, bootstrap_interval

Grouping = Literal["all", "language", "form"]
MASCULINE, FEMININE, NEUTRAL = "masculine form", "feminine form", "neither form, or both"


@dataclass(frozen=True, slots=True)
class JudgedTitle:
    """A title with what people decided."""

    title: str
    right: frozenset[str] = frozenset()  # URIs of the occupations that are right
    codes: frozenset[str] = frozenset()  # ISCO-08 codes that are right, instead of occupations
    wrong: frozenset[str] = frozenset()  # URIs of occupations that are wrong, where no right one is known
    language: str = ""  # language code; '' if unknown


@dataclass(frozen=True, slots=True)
class GroupErrors:
    """How often the first answer is right, and how far probabilities say so."""

    grouping: Grouping  # what the titles are grouped by
    group: str  # language code, gendered form, or '' for all
    titles: int
    # share of titles whose first answer is right; None with fewer than `FEWEST_TOLD` titles
    right: Interval | None = None
    # mean probability of the first answers minus the share of right ones; None likewise
    too_sure: Interval | None = None
    # expected calibration error, which chance makes larger with few titles; None likewise
    calibration_error: float | None = None


@dataclass(frozen=True, slots=True)
class _Answers:
    # (title,) probability of the first answer, whether it is right, language, and form
    probabilities: NDArray[np.float64]
    right: NDArray[np.bool_]
    languages: NDArray[np.str_]
    forms: NDArray[np.str_]


def judged_errors(
    linker: Linker, forms: GenderedForms, titles: Sequence[JudgedTitle], *, progress: Progress = no_progress
) -> list[GroupErrors]:
    """Return the errors on all titles, by language, and by form; none without titles that tell right from wrong.

    Args:
        linker: the linker, without own names, which would give back the judgments.
        forms: the gendered words of its taxonomy.
        titles: judged titles. Where no language is given, that of the best matching name counts.
    """
    answers = _answers(linker, forms, titles, progress)
    if not len(answers.right):
        return []
    everything = np.ones(len(answers.right), dtype=np.bool_)
    groups: list[tuple[Grouping, str, NDArray[np.bool_]]] = [("all", "", everything)]
    groups += [("language", name, answers.languages == name) for name in sorted(set(answers.languages.tolist()))]
    groups += [("form", name, answers.forms == name) for name in (MASCULINE, FEMININE, NEUTRAL)]
    return [_errors(grouping, name, answers, chosen) for grouping, name, chosen in groups if chosen.any()]


def _errors(grouping: Grouping, group: str, answers: _Answers, chosen: NDArray[np.bool_]) -> GroupErrors:
    n, probabilities, right = int(chosen.sum()), answers.probabilities[chosen], answers.right[chosen]
    if n < FEWEST_TOLD:
        return GroupErrors(grouping, group, n)
    return GroupErrors(
        grouping,
        group,
        n,
        bootstrap_interval(right.astype(np.float64)),
        bootstrap_interval(probabilities - right),
        expected_calibration_error(probabilities, right),
    )


def _answers(linker: Linker, forms: GenderedForms, titles: Sequence[JudgedTitle], progress: Progress) -> _Answers:
    rows: list[tuple[float, bool, str, str]] = []
    for start in range(0, len(titles), BATCH):
        progress(start, len(titles))
        block = titles[start : start + BATCH]
        for title, ranking in zip(block, linker.rank([one.title for one in block]), strict=True):
            if (answer := _first(linker, ranking, title)) is not None:
                language = title.language or _language(linker, ranking)
                rows.append((*answer, language, _form(forms, title.title, language)))
    progress(len(titles), len(titles))
    probabilities, right, languages, names = zip(*rows, strict=True) if rows else ((), (), (), ())
    return _Answers(
        np.array(probabilities, dtype=np.float64),
        np.array(right, dtype=np.bool_),
        np.array(languages, dtype=np.str_),
        np.array(names, dtype=np.str_),
    )


def _first(linker: Linker, ranking: Ranking, title: JudgedTitle) -> tuple[float, bool] | None:
    """Return the probability of the first answer and whether it is right; None if that is not known."""
    if title.codes:
        return _first_code(linker, ranking, title.codes)
    if not len(ranking.concepts):
        return (0.0, False) if title.right else None
    uri, probability = linker.taxonomy.uris[int(ranking.concepts[0])], float(ranking.probabilities[0])
    if title.right:
        return probability, uri in title.right
    return (probability, False) if uri in title.wrong else None


def _first_code(linker: Linker, ranking: Ranking, right: frozenset[str]) -> tuple[float, bool]:
    # of unit groups: each has the probabilities of its occupations together
    sums: dict[str, float] = {}
    for concept, probability in zip(ranking.concepts.tolist(), ranking.probabilities.tolist(), strict=True):
        code = linker.taxonomy.isco_codes[concept]
        sums[code] = sums.get(code, 0.0) + probability
    if not sums:
        return 0.0, False
    best = max(sums, key=lambda code: sums[code])
    return min(sums[best], 1.0), any(best.startswith(code) for code in right)


def _language(linker: Linker, ranking: Ranking) -> str:
    """Return the language of the best matching name; '' if several have it."""
    rows = linker.index.forms(int(ranking.entries[0])).tolist() if len(ranking.entries) else []
    languages = {linker.taxonomy.name_languages[row] for row in rows}
    return languages.pop() if len(languages) == 1 else ""


def _form(forms: GenderedForms, title: str, language: str) -> str:
    has_masculine = forms.as_gender(title, language, "f") != title
    has_feminine = forms.as_gender(title, language, "m") != title
    if has_masculine == has_feminine:
        return NEUTRAL
    return MASCULINE if has_masculine else FEMININE
