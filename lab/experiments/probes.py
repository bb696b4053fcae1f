"""Probes of models: whether attention shows what matters in a posting, and what a title's vector holds of its skills.

Faithfulness of attention over many postings, beside two baselines: for each posting, Spearman's rank correlation of a
weight of its sentences with the vector's shift without each (`descriptions.attention`). Weights: the summary token's
attention in the first layer, which Laosaengpha et al. (2024) show (appendix E), in the last, and rolled out over all
layers; as baselines, random numbers and the sentences' lengths.

A linear probe: how much of the skills can be read off the vector of a title, by a linear classifier and no more. Paper:
Laosaengpha et al. (2024), section 4.3 and appendix D.1: 157 skills, 6,861 titles to train on and 2,000 to test with,
top-10 accuracy. The encoder is not changed. Here the accuracy is over pairs of a test title and one of its skills: the
share whose skill is among the ten that the classifier takes for likeliest.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from jobmatch_core.descriptions.attention import leave_one_out_shifts, rank_correlation, rollout_weights, summary_means
from jobmatch_core.descriptions.description_model import Description, DescriptionModel
from jobmatch_core.descriptions.postings import Posting, read_rows
from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import cell_text, listed
from jobmatch_core.metrics.comparisons import Interval, bootstrap_interval
from jobmatch_core.text.folding import fold

LEAST_SENTENCES = 3  # two can only be ranked right or wrong
RANDOM, LENGTH, FIRST, LAST, ROLLOUT = "random", "sentence length", "first layer", "last layer", "rollout"


N_SKILLS = 157  # appendix D.1
TOP = 10
SHARE_TESTED = 0.25
_ROUNDS = 300


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Faithfulness of one weight."""

    weight: str
    correlation: Interval  # mean over postings, with its 95 % interval
    top: float  # share of postings in which the sentence with the highest weight has the largest shift


def evaluate_faithfulness(
    model: DescriptionModel,
    postings: Sequence[Posting],
    n_postings: int,
    *,
    seed: int = 1,
    progress: Progress = no_progress,
) -> list[Faithfulness]:
    """Compare weights and shifts over postings drawn at random, of those with at least three sentences.

    Args:
        model: with a network.
        n_postings: how many are compared, if there are as many.

    Raises:
        ValueError: the model attends to nothing, or no posting has enough sentences.
    """
    if model.network is None:
        raise ValueError(f"the model {model.name} attends to nothing; take one of the variant jdan")
    random = np.random.default_rng(seed)
    judged: dict[str, list[tuple[float, bool]]] = {}
    compared = 0
    for place in random.permutation(len(postings)):
        description = model.describe(postings[place])
        if len(description.segments) < LEAST_SENTENCES:
            continue
        shifts = leave_one_out_shifts(model.aggregate, description.sentences)
        for name, weights in _weights(description, random).items():
            # nothing to rank counts as no correlation, lest a weight gain by being the same for all
            correlation = rank_correlation(weights, shifts) or 0.0
            judged.setdefault(name, []).append((correlation, int(weights.argmax()) == int(shifts.argmax())))
        compared += 1
        progress(compared, n_postings)
        if compared == n_postings:
            break
    if not judged:
        raise ValueError(f"no posting has {LEAST_SENTENCES} sentences")
    return [_figures(name, values) for name, values in judged.items()]


def _weights(description: Description, random: np.random.Generator) -> dict[str, FloatArray]:
    assert description.attention is not None  # noqa: S101  # the model has a network
    layers = summary_means(description.attention)
    lengths = [len(segment.content) for segment in description.segments]
    return {
        FIRST: layers[0],
        LAST: layers[-1],
        ROLLOUT: rollout_weights(description.attention),
        LENGTH: np.array(lengths, dtype=np.float32),
        RANDOM: random.random(len(lengths), dtype=np.float32),
    }


def _figures(name: str, values: Sequence[tuple[float, bool]]) -> Faithfulness:
    correlations = np.array([correlation for correlation, _ in values])
    return Faithfulness(name, bootstrap_interval(correlations), float(np.mean([top for _, top in values])))


@dataclass(frozen=True, slots=True)
class ProbeFigures:
    """Result of a probe."""

    encoder: str
    # trained, tested: numbers of titles
    trained: int
    tested: int
    skills: int  # number of classes
    top_10_accuracy: float  # top-10 accuracy over the pairs of a test title and a skill
    frequency_accuracy: float  # the same where the ten most frequent skills are the answer to all titles


def read_titles_with_skills(path: Path, title_column: str, skill_column: str) -> list[tuple[str, tuple[str, ...]]]:
    """Read titles and the skills that somebody listed; those without either are left out.

    Args:
        path: a table whose cells of skills are lists, as in JSON lines, or texts with commas.
        title_column: name of the column with the titles.
        skill_column: that with the skills.

    Raises:
        DataFileError: it cannot be read, or has no such columns.
    """
    rows = []
    for number, row in enumerate(read_rows(path), 1):
        for column in (title_column, skill_column):
            if column not in row:
                raise DataFileError(path, f"row {number} has no column {column!r}; its columns are {listed(row)}")
        named = row[skill_column] or []
        skills = named if isinstance(named, list) else str(named).split(",")
        folded = tuple(dict.fromkeys(filter(None, (fold(str(skill)) for skill in skills))))
        if folded and (title := cell_text(row[title_column], path)):
            rows.append((title, folded))
    return rows


def probe_skills(
    encoder: Encoder, titles: Sequence[tuple[str, Sequence[str]]], *, n_skills: int = N_SKILLS, seed: int = 1
) -> ProbeFigures:
    """Train a linear classifier on the vectors of titles, and test it on other titles.

    Args:
        titles: with their skills.
        n_skills: the most frequent skills are the classes; titles that ask for none of them are left out.
        seed: draws the titles that are tested; a title is on one side, however often it occurs.

    Raises:
        ValueError: there are not two skills, or no title is left on one side.
    """
    counts = Counter(skill for _, skills in titles for skill in skills)
    numbers = {skill: number for number, (skill, _) in enumerate(counts.most_common(n_skills))}
    classes = [(title, [numbers[skill] for skill in skills if skill in numbers]) for title, skills in titles]
    classes = [(title, numbers) for title, numbers in classes if numbers]
    names = sorted({fold(title) for title, _ in classes})
    drawn = np.random.default_rng(seed).permutation(len(names))[: round(SHARE_TESTED * len(names))]
    held = {names[place] for place in drawn}
    trained = [entry for entry in classes if fold(entry[0]) not in held]
    tested = [entry for entry in classes if fold(entry[0]) in held]
    if not trained or not tested or len(numbers) < 2:
        raise ValueError("the probe needs titles to train on and to test with, and two skills among them")
    probe = LogisticRegression(max_iter=_ROUNDS).fit(*_pairs(encoder, trained))
    scores = probe.decision_function(encoder.encode([title for title, _ in tested]))
    likeliest = probe.classes_[np.argsort(-scores, axis=1)[:, :TOP]]
    frequent = {
        number for number, _ in Counter(number for _, numbers in trained for number in numbers).most_common(TOP)
    }
    pairs = [(row, number) for row, (_, numbers) in enumerate(tested) for number in numbers]
    return ProbeFigures(
        encoder=encoder.name,
        trained=len(trained),
        tested=len(tested),
        skills=len(numbers),
        top_10_accuracy=float(np.mean([number in likeliest[row] for row, number in pairs])),
        frequency_accuracy=float(np.mean([number in frequent for _, number in pairs])),
    )


def _pairs(encoder: Encoder, titles: Sequence[tuple[str, list[int]]]) -> tuple[np.ndarray, np.ndarray]:
    """Return a row a pair of a title and a skill: the vectors, and the classes."""
    vectors = encoder.encode([title for title, _ in titles])
    owners = np.repeat(np.arange(len(titles)), [len(numbers) for _, numbers in titles])
    return vectors[owners], np.concatenate([numbers for _, numbers in titles])
