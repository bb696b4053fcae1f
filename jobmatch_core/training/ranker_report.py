"""Report of the second stage that comes with towers: fitted to a marketplace, or the one that comes with jobmatch."""

from dataclasses import dataclass

from jobmatch_core.metrics.comparisons import FEWEST_TOLD, JUDGED, FigureChange

ANSWERED, OPENED = "answered_at_10", "opened_at_10"
_QUESTIONS = {
    JUDGED: "projects with judged people",
    ANSWERED: "projects of the past",
    OPENED: "results opened in searches",
}


@dataclass(frozen=True, slots=True)
class RankerReport:
    """Report of a ranker."""

    adopted: bool  # true if the fitted ranker is stored with the towers; else the one that comes with jobmatch stays
    digest: str  # digest of the ranker that orders the list
    weights: dict[str, float]  # its weights by feature
    # judged, answered, opened: numbers of questions of each source: judged projects and projects of the past with
    # somebody who fits and somebody who does not, and results opened in searches
    judged: int
    answered: int
    opened: int
    # NDCG@10 of the fitted ranker against the one that comes with jobmatch, cross-fitted, on the questions that
    # decided; None with too few of every source
    change: FigureChange | None = None

    @property
    def words(self) -> str:
        """What became of the second stage and why, in one sentence."""
        change = self.change
        if change is None:
            return (
                f"The shipped order stays: there are {self.judged:,} projects with judged people, {self.answered:,} "
                f"projects of the past and {self.opened:,} results opened in searches to fit it on, and {FEWEST_TOLD} "
                "of one kind are needed."
            )
        what, before, after = _QUESTIONS.get(change.figure, "questions"), f"{change.before:.3f}", f"{change.after:.3f}"
        if self.adopted:
            return (
                f"The order was fitted to this marketplace: on {change.n:,} {what} that it was not fitted on, it puts "
                f"the right people higher (NDCG@10 {before} before, {after} after)."
            )
        return (
            f"The shipped order stays: on {change.n:,} {what} that it was not fitted on, the fitted order was not "
            f"clearly better (NDCG@10 {before} before, {after} after)."
        )
