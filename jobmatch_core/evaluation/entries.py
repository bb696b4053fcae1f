"""One line of the scoreboard: a system's figures on a dataset, measured here or published."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jobmatch_core.evaluation.published import PUBLISHED_SYSTEMS, PublishedResult, melo_languages
from jobmatch_core.evaluation.results import RankingKind, Result

Setting = Literal["monolingual", "cross-lingual", "multilingual"]
SETTINGS: tuple[Setting, ...] = ("monolingual", "cross-lingual", "multilingual")
METRICS = {
    "mrr": "MRR", "accuracy_at_1": "A@1", "accuracy_at_5": "A@5", "accuracy_at_10": "A@10", "map": "MAP",
    "recall_at_5": "R@5", "recall_at_10": "R@10", "r_precision": "R-precision", "ndcg_at_10": "NDCG@10", "auc": "AUC",
}  # fmt: skip
_WITH_INTERVALS = ("mrr", "map")


@dataclass(frozen=True, slots=True)
class Entry:
    """A system's figures on a dataset; published ones are always by name."""

    system: str
    dataset: str
    ranking: RankingKind
    setting: Setting
    query_language: str
    figures: Result | PublishedResult

    @property
    def own(self) -> bool:
        """Whether it was measured here."""
        return isinstance(self.figures, Result)

    @property
    def label(self) -> str:
        """What to call the system beside others: published ones as in the paper, ours by name."""
        return self.system if self.own else PUBLISHED_SYSTEMS[self.system].label

    def value(self, metric: str) -> float | None:
        """Return a figure; None where it was not published."""
        value: float | None = getattr(self.figures, metric, None)
        return value

    def interval(self, metric: str) -> tuple[float, float] | None:
        """Return its 95 % interval where there is one."""
        if metric not in _WITH_INTERVALS or not self.own:
            return None
        return getattr(self.figures, f"{metric}_low"), getattr(self.figures, f"{metric}_high")

    def record(self) -> dict[str, Any]:
        """Return it as a row of a table to take away."""
        measured = ("queries", "mrr_low", "mrr_high", "map_low", "map_high", "seconds", "size_mb", "note")
        return {
            "dataset": self.dataset,
            "setting": self.setting,
            "query_language": self.query_language,
            "system": self.system,
            "source": "measured here" if self.own else "published",
            "ranking": self.ranking,
            **{name: self.value(name) for name in METRICS},
            **{name: getattr(self.figures, name, None) for name in measured},
        }


def own_entry(result: Result) -> Entry:
    """Return a result measured here as an entry."""
    setting = setting_of(result.query_language, result.corpus_languages)
    return Entry(result.system, result.dataset, result.ranking, setting, result.query_language, result)


def published_entry(result: PublishedResult) -> Entry:
    """Return a published result as an entry."""
    query, corpus = melo_languages(result.dataset)
    return Entry(result.system, result.dataset, "by_name", setting_of(query, corpus), query, result)


def setting_of(query_language: str, corpus_languages: Sequence[str]) -> Setting:
    """Return whether a dataset's corpus is in the queries' language, in others, or in both."""
    if query_language not in corpus_languages:
        return "cross-lingual"
    return "monolingual" if len(corpus_languages) == 1 else "multilingual"
