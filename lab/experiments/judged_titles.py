"""Simulation of the effect of judged titles on the linker: somebody who knows the right occupations judges its links.

The right occupation is accepted, or picked by hand where the linker did not find it, as on the page 'Link titles', and
a second annotator agrees, without whom near titles would stay as they are (`own_names.AGREEING`). The linker then
knows the accepted titles (`linking.own_names`), or is trained again on the judgments
(`retraining.linker_retraining`), or both, and is measured on unjudged titles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import numpy as np

from jobmatch_core.benchmarks.datasets.title_sets import read_titles
from jobmatch_core.entities import Judgment, Pair, PairKind, Progress, Provenance, Verdict, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.judged_title import OwnName
from jobmatch_core.labelling.snapshot import Snapshots, open_snapshot
from jobmatch_core.linking import Linker
from jobmatch_core.linking.linking_model import load_linking_model
from jobmatch_core.metrics.calibration import expected_calibration_error
from jobmatch_core.retraining.linker_retraining import retrain_linker
from jobmatch_core.settings import Settings
from jobmatch_core.text.folding import fold

N_TEST = 2000  # titles to measure on
STATES = ("before", "own names", "retrained", "both")
_NAME, _SECOND_NAME = "oracle", "second oracle"
_SINCE = datetime(2026, 1, 5, 9, tzinfo=UTC)
_SECONDS = 5  # a judgment


@dataclass(frozen=True, slots=True)
class JudgedTitlesFigures:
    """Figures of a linker on unjudged titles."""

    judged: int  # number of other, judged titles
    state: str  # one of `STATES`: the effect of those on the linker
    titles: int
    accuracy: float  # share whose right occupation comes first
    mrr: float  # mean reciprocal rank of the right occupation, 0 where it is no candidate
    linked: float  # share that is linked at all
    precision: float | None  # share of the linked ones that is right; None where none is linked
    ece: float  # expected calibration error of the first candidate's probability
    head_strength: float | None  # strength of the retraining; None without one


def judge_titles(
    linker: Linker, path: Path, counts: Sequence[int], *, seed: int = 1, progress: Progress = no_progress
) -> list[JudgedTitlesFigures]:
    """Measure the linker before, and in every other state after each number of judged titles.

    Args:
        linker: to be judged, with the model that comes with jobmatch; it is not changed.
        path: a CSV with the columns vacancyTitle and conceptUri; of titles that fold to the same text one is taken.
        counts: numbers of judged titles; larger samples contain the smaller.

    Raises DataFileError if the file cannot be read, or has too few titles of the linker's taxonomy.
    """
    titles = _known(linker, path)
    most = max(counts)
    if len(titles) <= most:
        raise DataFileError(path, f"{len(titles):,} titles are of {linker.taxonomy.id}; judge fewer than that")
    order = np.random.default_rng(seed).permutation(len(titles)).tolist()
    test = [titles[row] for row in order[most : most + N_TEST]]
    states = [_measured(linker, test, 0, STATES[0])]
    for done, count in enumerate(counts):
        progress(done, len(counts))
        judged = [titles[row] for row in order[:count]]
        names = [OwnName(title, uri, (_NAME, _SECOND_NAME), _SINCE.date()) for title, uri in judged]
        retrained, strength = _retrained(linker, judged)
        states += [
            _measured(linker.with_own_names(names), test, count, STATES[1]),
            _measured(retrained, test, count, STATES[2], strength),
            _measured(retrained.with_own_names(names), test, count, STATES[3], strength),
        ]
    progress(len(counts), len(counts))
    return states


def _known(linker: Linker, path: Path) -> list[tuple[str, str]]:
    """Return the titles, spaces run together, and the URIs of their occupations that the taxonomy has."""
    uris = set(linker.taxonomy.uris)
    of_text: dict[str, tuple[str, str]] = {}
    for title, uri in zip(*read_titles(path), strict=True):
        if uri in uris:
            of_text.setdefault(fold(title), (" ".join(title.split()), uri))
    return list(of_text.values())


def _retrained(linker: Linker, judged: Sequence[tuple[str, str]]) -> tuple[Linker, float]:
    """Return the linker with what was learned, and how far its concept head moved."""
    with TemporaryDirectory() as folder:
        settings, out = Settings(Path(folder)), Path(folder) / "model"
        frozen = Snapshots(settings).freeze(_judgments(linker, judged), _SINCE)
        report = retrain_linker(linker, "shipped", open_snapshot(frozen.name, settings), out)
        model = load_linking_model(out, linker.encoder_name, linker.calibration.features)
    return Linker(linker.taxonomy, linker.index, model.calibration, model.moves), report.head_strength


def _judgments(linker: Linker, judged: Sequence[tuple[str, str]]) -> list[Judgment]:
    return [
        Judgment(
            id=str(UUID(int=number, version=4)),
            pair=Pair(PairKind.TITLE_OCCUPATION, linker.taxonomy.id, title, uri),
            verdict=Verdict.POSITIVE,
            annotator=_NAME,
            at=_SINCE + timedelta(seconds=_SECONDS * number),
            provenance=Provenance("simulated"),
            seconds=float(_SECONDS),
        )
        for number, (title, uri) in enumerate(judged)
    ]


def _measured(
    linker: Linker, test: Sequence[tuple[str, str]], judged: int, state: str, strength: float | None = None
) -> JudgedTitlesFigures:
    numbers = {uri: number for number, uri in enumerate(linker.taxonomy.uris)}
    reciprocal, top = np.zeros(len(test)), np.zeros(len(test))
    for row, ((_, uri), ranking) in enumerate(zip(test, linker.rank([title for title, _ in test]), strict=True)):
        places = np.flatnonzero(ranking.concepts == numbers[uri])
        reciprocal[row] = 1 / (places[0] + 1) if len(places) else 0.0
        top[row] = ranking.probabilities[0] if len(ranking.probabilities) else 0.0
    right, linked = reciprocal == 1, top >= linker.calibration.threshold
    return JudgedTitlesFigures(
        judged=judged,
        state=state,
        titles=len(test),
        accuracy=float(right.mean()),
        mrr=float(reciprocal.mean()),
        linked=float(linked.mean()),
        precision=float(right[linked].mean()) if linked.any() else None,
        ece=expected_calibration_error(top, right),
        head_strength=strength,
    )
