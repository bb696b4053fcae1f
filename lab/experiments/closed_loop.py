"""The loop of judging and retraining, simulated: what each way of queueing brings for the same number of judgments.

An oracle, an annotator who knows the hidden truth of a generated marketplace, judges what a queue policy picks, round
by round. After each round the towers that all began with go on from all labels so far, and from the history where there
is one. Quality is measured on the latest projects, of which nothing is ever judged, by the hidden truth. Each seed is
another marketplace.

The pairs that may be worth judging are those that `labelling.pair_pool` looks for on the page, here by models whose
scores of all pairs are at hand: of each project those whom a model ranks highest, those of a second one, and some who
were drawn without looking at any score.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.encoders.loading import TITLES, load_token_encoder
from jobmatch_core.entities import FloatArray, Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.labelling.candidates import code_of
from jobmatch_core.labelling.labels import judged_pairs, labels_of
from jobmatch_core.labelling.own_candidates import proposals
from jobmatch_core.labelling.pair_pool import PairPool, PoolSize
from jobmatch_core.labelling.queues import QueueSettings
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.judgment_metrics import auc
from jobmatch_core.retraining.tower_labels import TowerLabels, with_labels
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.towers.document_pairs import DocumentPairs, temporal_split
from jobmatch_core.towers.matching_metrics import MatchingJudgments, measure
from jobmatch_core.towers.tower_recipe import TowerConfig, TowerRecipe, TowerTraining
from jobmatch_core.towers.tower_training import train_towers
from jobmatch_core.towers.two_towers import TwoTowers

FITS = 0.5  # of the project's skills, mandatory ones counting twice; two answers in three of the demo part there
_SECONDS = 8  # a judgment
NAME = "oracle"
_SINCE = datetime(2026, 1, 5, 9, tzinfo=UTC)
_SHARE_TEST = 0.25
_HARD = 50  # freelancers of each test project, the highest by the model that all began with, to tell apart


class Oracle:
    """Judges pairs of one marketplace by how much of what the project needs the freelancer truly masters."""

    def __init__(self, marketplace: Marketplace, *, name: str = NAME) -> None:
        """Take a marketplace.

        Raises:
            MarketplaceError: it is a real one, without ground truth.
        """
        if marketplace.truth is None:
            raise MarketplaceError(
                f"{marketplace.name} has no hidden truth; generate one with `jobmatch marketplace generate`."
            )
        self._marketplace = marketplace
        self._truth = marketplace.truth
        self._name = name

    def judgments(self, pairs: Iterable[tuple[Pair, Provenance]], since: datetime) -> list[Judgment]:
        """Judge pairs one after the other, eight seconds each; the same pair gets the same verdict and id each time.

        Args:
            pairs: of the marketplace, with how they came to be judged.
            since: when the first is judged.
        """
        candidates = list(pairs)
        market = self._marketplace
        projects = np.array([market.project_rows[pair.left] for pair, _ in candidates], dtype=np.int32)
        freelancers = np.array([market.freelancer_rows[pair.right] for pair, _ in candidates], dtype=np.int32)
        fits = self._truth.coverage_of_pairs(projects, freelancers) >= FITS
        return [
            Judgment(
                id=_id(self._name, pair),
                pair=pair,
                verdict=Verdict.POSITIVE if fit else Verdict.NEGATIVE,
                annotator=self._name,
                at=since + timedelta(seconds=_SECONDS * number),
                provenance=provenance,
                seconds=float(_SECONDS),
            )
            for number, ((pair, provenance), fit) in enumerate(zip(candidates, fits.tolist(), strict=True))
        ]


def _id(name: str, pair: Pair) -> str:
    parts = (code_of(half, name, pair.kind, pair.source, pair.left, pair.right) for half in ("first", "second"))
    first, second = parts
    return str(UUID(int=first << 64 | second, version=4))


def scored_pool(
    market: Marketplace, model: str, scores: FloatArray, other: FloatArray | None, size: PoolSize, seed: int
) -> PairPool:
    """Look for pairs worth judging.

    Args:
        model: the name of the one in use.
        scores: (project, freelancer) its scores.
        other: a second model's.
        size: how many are taken of each project: `best` of each model, and `drawn`.
        seed: seed of the random draw, the same freelancers for all models.
    """
    random = np.random.default_rng(seed)
    rows: list[tuple[int, int]] = []
    drawn: list[NDArray[np.bool_]] = []
    for project, of_project in enumerate(scores):
        by_chance = random.choice(len(of_project), size=min(size.drawn, len(of_project)), replace=False)
        best = [
            np.argsort(-matrix[project], kind="stable")[: size.best] for matrix in (scores, other) if matrix is not None
        ]
        freelancers = np.unique(np.concatenate([*best, by_chance]))
        rows += [(project, freelancer) for freelancer in freelancers.tolist()]
        drawn.append(np.isin(freelancers, by_chance))
    projects, freelancers = np.array(rows, dtype=np.intp).reshape(-1, 2).T
    left, right = market.projects, market.freelancers
    return PairPool(
        pairs=tuple(Pair(PairKind.PROJECT_FREELANCER, market.name, left[p].id, right[f].id) for p, f in rows),
        scores=scores[projects, freelancers].astype(np.float64),
        ranks=(None,) * len(rows),
        drawn=np.concatenate(drawn) if drawn else np.empty(0, np.bool_),
        left_categories=_texts(left, projects, "category"),
        right_categories=_texts(right, freelancers, "category"),
        left_languages=_texts(left, projects, "language"),
        right_languages=_texts(right, freelancers, "language"),
        model=model,
        other_scores=None if other is None else other[projects, freelancers].astype(np.float64),
    )


def _texts(documents: Sequence[object], rows: NDArray[np.intp], field: str) -> tuple[str, ...]:
    values = [str(getattr(document, field, "")) for document in documents]
    return tuple(values[row] for row in rows.tolist())


@dataclass(frozen=True, slots=True)
class LoopSetting:
    """Setting of the simulation."""

    # projects, freelancers: numbers of each in a generated marketplace
    projects: int = 160
    freelancers: int = 1000
    per_round: int = 200  # number of judgments per round
    history: bool = True  # also train on the older system's interactions; without them all start untrained
    # first_epochs, first_learning_rate: settings of the first training, on the history alone
    first_epochs: int = 3
    first_learning_rate: float = 2e-4
    # epochs, learning_rate, temperature: settings of each training after a round. A loss as sharp as the usual one
    # memorises the few judged freelancers, at the cost of the projects that nobody judged.
    epochs: int = 2
    learning_rate: float = 2e-4
    temperature: float = 0.3
    # pairs of each project that may be judged
    pool: PoolSize = PoolSize(drawn=20)  # noqa: RUF009  # frozen; 10 a project would not last for 2,000 judgments


@dataclass(frozen=True, slots=True)
class LoopRound:
    """Figures after a round; the first, without judgments, is the start of all policies."""

    judgments: int  # number of judgments so far
    positive: int  # number of positive ones
    # coverage_at_10, ndcg_at_10: figures on the test projects, by the hidden truth
    coverage_at_10: float
    ndcg_at_10: float
    auc: float  # AUC of fitting freelancers against others, among the nearest of each test project
    seconds: float  # processor time of choosing, training and measuring
    judged: tuple[tuple[str, ...], ...] = ()  # pairs judged in this round: a project's id and a freelancer's


class ClosedLoop:
    """One marketplace, its models, and what was judged so far by one policy."""

    def __init__(self, taxonomy: Taxonomy, setting: LoopSetting, seed: int) -> None:
        self._setting = setting
        self._seed = seed
        market = demo_marketplace(taxonomy, DemoSpec(setting.projects, setting.freelancers, seed))
        self._past, self._later = temporal_split(market, _SHARE_TEST)
        self._oracle = Oracle(self._past)
        self._encoder = load_token_encoder(TITLES)
        self._known, self._test = DocumentPairs.of(self._past), DocumentPairs.of(self._later)
        assert self._later.truth is not None  # noqa: S101  # a generated marketplace has one
        self._coverage = self._later.truth.coverage()
        self._truth = MatchingJudgments.of(
            self._test.projects, self._test.freelancers, self._test.interactions, self._coverage
        )
        plain = self._scores(TwoTowers(self._encoder, TITLES, TowerConfig(section_embeddings=False, head=False)))
        self._plain_scores, hard = plain[0], np.argsort(-plain[1], axis=1)[:, :_HARD]
        self._hard = np.arange(len(hard))[:, None], hard

    def rounds(self, policy: str, count: int, done: Sequence[LoopRound] = ()) -> Iterator[LoopRound]:
        """Yield the rounds of a policy that are still to come, the first without a judgment.

        Args:
            policy: a key of `labelling.queues.POLICIES`.
            count: total number of rounds of judging.
            done: those that are there already.
        """
        judgments = [
            judgment for number, past in enumerate(done) for judgment in self._judged(past.judged, policy, number)
        ]
        scores = self._scores(self._trained(judgments))[0] if done and len(done) <= count else None
        for number in range(len(done), count + 1):
            begun = time.process_time()
            fresh = self._chosen(policy, scores, judgments, number) if scores is not None else []
            judgments += fresh
            scores, figures = self._measured(self._trained(judgments))
            yield replace(
                figures,
                judgments=len(judgments),
                positive=sum(judgment.verdict is Verdict.POSITIVE for judgment in judgments),
                seconds=time.process_time() - begun,
                judged=tuple((judgment.pair.left, judgment.pair.right) for judgment in fresh),
            )

    def _chosen(self, policy: str, scores: FloatArray, judgments: Sequence[Judgment], number: int) -> list[Judgment]:
        """Let the oracle judge what a policy picks next, a day a round."""
        pool = scored_pool(self._past, "loop", scores, self._plain_scores, self._setting.pool, self._seed)
        settings = QueueSettings(policy, seed=self._seed)
        picked = proposals(pool, judged_pairs(judgments, NAME), NAME, settings, self._setting.per_round)
        since = _SINCE + timedelta(days=number)
        return self._oracle.judgments([(choice.pair, choice.provenance) for choice in picked], since)

    def _judged(self, keys: Sequence[Sequence[str]], policy: str, number: int) -> list[Judgment]:
        """Return the judgments of an earlier round."""
        pairs = [Pair(PairKind.PROJECT_FREELANCER, self._past.name, *key) for key in keys]
        since = _SINCE + timedelta(days=number)
        return self._oracle.judgments([(pair, Provenance(policy)) for pair in pairs], since)

    @cached_property
    def _first(self) -> TwoTowers:
        """The towers that all begin with: trained on the history, or untrained without it."""
        begun = TwoTowers(self._encoder, TITLES, TowerConfig(), seed=self._seed)
        setting = self._setting
        if not setting.history:
            return begun
        usual = TowerTraining(epochs=setting.first_epochs, learning_rate=setting.first_learning_rate, validation=0.0)
        return self._went_on(begun, self._past, usual)

    def _trained(self, judgments: Sequence[Judgment]) -> TwoTowers:
        """Start from the first towers, and train on the history and the judgments, if there are any."""
        labels, setting = labels_of(judgments).labels, self._setting
        history = self._past if setting.history else replace(self._past, interactions=())
        if not labels or not (setting.history or any(label.positive for label in labels)):
            return self._first
        material = with_labels(history, TowerLabels(labels, (), (), 0))
        training = TowerTraining(
            epochs=setting.epochs, learning_rate=setting.learning_rate, temperature=setting.temperature, validation=0.0
        )
        return self._went_on(self._first, material, training)

    def _went_on(self, start: TwoTowers, material: Marketplace, training: TowerTraining) -> TwoTowers:
        with TemporaryDirectory() as folder:
            out = Path(folder) / "towers"
            train_towers(TowerRecipe("loop", seed=self._seed, training=training), material, out, start=start)
            return TwoTowers.load(out, self._encoder)

    def _measured(self, model: TwoTowers) -> tuple[FloatArray, LoopRound]:
        """Return a model's scores of all pairs that may be judged, and how good it is on the test projects."""
        scores, on_test = self._scores(model)
        figures = measure(on_test, self._truth).overall()
        hard = on_test[self._hard].ravel().astype(np.float64)
        fits = (self._coverage[self._hard] >= FITS).ravel()
        return scores, LoopRound(0, 0, figures.coverage_at_10 or 0.0, figures.ndcg_at_10 or 0.0, auc(hard, fits), 0.0)

    def _scores(self, model: TwoTowers) -> tuple[FloatArray, FloatArray]:
        freelancers = model.encode(self._known.freelancers)
        judgeable, test = (model.encode(part.projects) @ freelancers.T for part in (self._known, self._test))
        return judgeable, test
