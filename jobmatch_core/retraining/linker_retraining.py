"""Retraining of the linker on judged titles: moves of the concept head, then weights and threshold.

Names left out of the index should be answered as before (`linking.refit`); the threshold is chosen on them, too, since
judged titles are not a fair sample. Scores use the taxonomy's names only: accepted titles would make every judged title
look easy.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.snapshot import NamedSnapshot
from jobmatch_core.linking.calibration import PRECISION, Calibration
from jobmatch_core.linking.examples import HeldOut, examples, held_out_titles, highest
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.linking.ranking import TitleCandidates
from jobmatch_core.linking.refit import JudgedCandidates, refit
from jobmatch_core.metrics.calibration import precision_curve
from jobmatch_core.metrics.comparisons import BeforeAfter, FigureChange, Part, changes_of
from jobmatch_core.retraining.head_fit import HeadFit, fit_head
from jobmatch_core.retraining.title_labels import JudgedTitle, judged_candidates, taxonomy_to_train, title_labels
from jobmatch_core.text.locales import language_name
from jobmatch_core.training.checkpoints import check_free
from jobmatch_core.training.figures import LabelCounts, Watch
from jobmatch_core.training.reports import current_versions

_ANCHORS, _BENCHMARK_NAMES = 1000, 1500  # disjoint sets of names left out of the index
_NAMES_SEED = 22  # one draw for both; the calibration in use may have been fitted on some of them
_FOLDS = 5
_FEWEST_OF_A_LANGUAGE = 20  # names
_SEED = 1
_LEAST = 1e-6  # lower bound of probabilities, so that no single title dominates the log loss
_LESS_IS_BETTER = ("log_loss",)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinkerReport:
    """Report of a whole training."""

    created: str  # UTC time, ISO 8601
    taxonomy: str
    data_hash: str  # SHA-256 of the snapshot's judgments and of the taxonomy's sources
    encoder: str  # name of the encoder used with the weights; '' for none
    start: str  # name of the calibration that the weights were regularised towards
    seed: int  # seed of the folds
    versions: dict[str, str]  # versions of jobmatch, Python and the main packages
    titles: tuple[int, int]  # numbers of training titles and of held-out titles
    anchors: int  # number of names that should be answered as before
    threshold: tuple[float, float]  # thresholds before and after
    # probability of an exact name before and after, see `ConditionalLogit`
    exact_name: tuple[float | None, float | None]
    head_strength: float  # strength of the head's moves; 0 if they help no other judged title
    moved: int  # number of moved occupations
    seconds: float  # duration of the training
    labels: LabelCounts  # numbers of labels by use
    comparison: BeforeAfter  # comparison with the model in use


def retrain_linker(
    linker: Linker, in_use: str, labels: NamedSnapshot, out: Path, *, bulk: bool = False, watch: Watch | None = None
) -> LinkerReport:
    """Refit head and calibration on a snapshot's judged titles, and measure the effect.

    Args:
        linker: linker of the taxonomy, with the model in use.
        in_use: name of that model.
        out: the model's folder, which must not exist yet.
        bulk: also train on bulk decisions; they are never used for measurement.

    Raises:
        SettingsError: the folder exists.
        LabellingError: the snapshot has no usable judged titles of this taxonomy.
    """
    begun, watch = time.perf_counter(), watch or Watch()
    check_free(out)
    watch.stage("Reading judged titles")
    taxonomy_to_train(labels, linker.taxonomy.id, bulk=bulk)
    sorted_out = title_labels(labels.snapshot.labels, linker.taxonomy, bulk=bulk)
    if not sorted_out.train:
        raise LabellingError(
            f"The judged titles of {linker.taxonomy.id} in the snapshot {labels.name} belong to unit groups or to "
            "occupations that no longer exist; judge links on the page 'Link titles' and freeze the labels again."
        )
    watch.stage("Moving the concept head")
    anchor_names, benchmark_names = _drawn_names(linker.index)
    head = fit_head(linker, sorted_out.train, partial(_candidates, drawn=anchor_names), seed=_SEED)
    watch.stage("Fitting weights")
    before = linker.calibration
    # weights and threshold are fitted for the moved head
    anchors = _candidates(Linker(linker.taxonomy, linker.index, before, head.moves), anchor_names)
    after = _calibration(before, head, anchors)
    retrained = Linker(linker.taxonomy, linker.index, after, head.moves)
    watch.stage("Comparing with the model in use")
    report = LinkerReport(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        taxonomy=linker.taxonomy.id,
        data_hash=f"{labels.snapshot.manifest.sha256} {linker.taxonomy.manifest.source_hash}",
        encoder=linker.encoder_name,
        start=in_use,
        seed=_SEED,
        versions=current_versions(),
        titles=(len(sorted_out.train), len(sorted_out.held_out)),
        anchors=anchors.n_titles,
        threshold=(before.threshold, after.threshold),
        exact_name=(before.exact_name, after.exact_name),
        head_strength=head.strength,
        moved=len(head.moves.uris) if head.moves else 0,
        seconds=time.perf_counter() - begun,
        labels=LabelCounts(
            labels.name,
            labels.snapshot.manifest.sha256,
            sorted_out.n_train,
            sorted_out.n_held_out,
            0,
            sorted_out.left_out,
            sorted_out.n_looked_at,
            sorted_out.n_bulk,
            bulk,
        ),
        comparison=BeforeAfter(
            in_use,
            out.name,
            (_judged_part(linker, retrained, sorted_out.held_out), *_names(linker, retrained, benchmark_names)),
        ),
    )
    save_linking_model(out, LinkingModel(after, head.moves), linker.encoder_name, asdict(report))
    return report


def _calibration(before: Calibration, head: HeadFit, anchors: JudgedCandidates) -> Calibration:
    logit = refit(before.logit, head.unseen, anchors)
    judged, names = _unseen_tops(before.logit, head.unseen, anchors), _tops(logit, anchors)
    # without bulk decisions, which would confirm the probabilities that they were based on; the curve of unit groups
    # stays, since judgments are of occupations
    top, correct = (np.concatenate([own[head.looked_at], other]) for own, other in zip(judged, names, strict=True))
    curve = precision_curve(top, correct)
    weights = tuple(float(weight) for weight in logit.weights)
    fitted = replace(before, weights=weights, none=logit.none, exact_name=logit.exact_name, curve=curve)
    return fitted.at_precision(PRECISION)


def _unseen_tops(
    start: ConditionalLogit, titles: JudgedCandidates, anchors: JudgedCandidates
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return each title's highest probability and whether it is right, by weights fitted on other folds."""
    folds = np.random.default_rng(_SEED).permutation(titles.n_titles) % _FOLDS
    top, correct = np.zeros(titles.n_titles), np.zeros(titles.n_titles, dtype=np.bool_)
    for fold in set(folds.tolist()):
        logit = refit(start, titles.of_titles(folds != fold), anchors)
        top[folds == fold], correct[folds == fold] = _tops(logit, titles.of_titles(folds == fold))
    return top, correct


def _tops(logit: ConditionalLogit, titles: JudgedCandidates) -> tuple[Floats, NDArray[np.bool_]]:
    answers = titles.answers(logit)
    return highest(answers.titles, answers.probabilities, answers.possible, titles.n_titles)


def _figures(linker: Linker, titles: JudgedCandidates) -> dict[str, Floats]:
    """Return each title's figures.

    `first`: 1 if the first candidate is right; NaN if no right occupation is known. `log_loss`: negative log of the
    probability of the possible outcomes. `decision`: 1 if it is correctly linked, or correctly not linked.
    """
    calibration = linker.calibration
    answers = titles.answers(calibration.logit)
    top, correct = highest(answers.titles, answers.probabilities, answers.possible, titles.n_titles)
    linked = top >= calibration.threshold
    return {
        "first": np.where(answers.none_possible, np.nan, correct.astype(np.float64)),
        "log_loss": -np.log(np.maximum(answers.likelihoods, _LEAST)),
        "decision": np.where(linked, correct, answers.none_possible).astype(np.float64),
    }


def _judged_part(before: Linker, after: Linker, held_out: Sequence[JudgedTitle]) -> Part:
    old, new = (_figures(linker, judged_candidates(linker, held_out)) for linker in (before, after))
    changes = _changes(old, new) if held_out else ()
    return Part("judgments", "Judged titles that were put aside", len(held_out), "titles", changes)


def _drawn_names(index: NameIndex) -> tuple[HeldOut, HeldOut]:
    """Draw anchors and benchmark names, with nonsense; a small taxonomy's names are divided in proportion."""
    drawn = held_out_titles(index, _ANCHORS + _BENCHMARK_NAMES, _NAMES_SEED)
    # interleaved and rounded up, so that both have names and nonsense in proportion, and there is always an anchor
    turns = -(-np.arange(len(drawn.titles) + 1) * _ANCHORS // (_ANCHORS + _BENCHMARK_NAMES))
    is_anchor = np.diff(turns) > 0
    return drawn.chosen(is_anchor), drawn.chosen(~is_anchor)


def _candidates(linker: Linker, drawn: HeldOut) -> JudgedCandidates:
    """Return the candidates of names left out of the index, as titles whose occupation is known."""
    held_out = examples(linker.index, drawn)
    titles = TitleCandidates.of_names(held_out.candidates, held_out.names, held_out.n_titles)
    return JudgedCandidates(titles, held_out.right, np.ones(held_out.n_titles, dtype=np.bool_))


def _names(before: Linker, after: Linker, drawn: HeldOut) -> list[Part]:
    """Return the benchmark of names left out of the index, and its languages."""
    if not drawn.titles:  # the only name of a taxonomy is an anchor
        return []
    old, new = (_figures(linker, _candidates(linker, drawn)) for linker in (before, after))
    languages = np.array(_languages(before, drawn))
    n = len(drawn.titles)
    parts = [Part("benchmark", "Names of the taxonomy that were left out", n, "names", _changes(old, new))]
    distinct, counts = np.unique(languages[languages != ""], return_counts=True)
    for language, count in sorted(zip(distinct.tolist(), counts.tolist(), strict=True), key=lambda row: -row[1]):
        if count >= _FEWEST_OF_A_LANGUAGE:
            chosen = languages == language
            own = ({name: values[chosen] for name, values in figures.items()} for figures in (old, new))
            parts.append(Part("language", language_name(language), count, "names", _changes(*own)))
    return parts


def _changes(before: dict[str, Floats], after: dict[str, Floats]) -> tuple[FigureChange, ...]:
    return changes_of(before, after, less_is_better=_LESS_IS_BETTER)


def _languages(linker: Linker, drawn: HeldOut) -> list[str]:
    """Return a language of each name, '' for nonsense."""
    index, taxonomy = linker.index, linker.taxonomy
    languages = []
    for name, owner in zip(drawn.names, drawn.owners.tolist(), strict=True):
        entries = [entry for entry in index.entries_of(owner) if index.texts[entry] == name] if name else []
        languages.append(taxonomy.name_languages[index.forms(entries[0])[0]] if entries else "")
    return languages
