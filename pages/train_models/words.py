"""Words of the page 'Train models' for figures, verdicts and times."""

from jobmatch_core.metrics.comparisons import FigureChange, Outcome, Part
from jobmatch_core.training.figures import LabelCounts
from pages.shared.widgets import plain

KIND_KEY = "train_kind"
TOWERS, LINKING, SEARCH = "towers", "linking", "search"
KINDS = {TOWERS: "Find freelancers", LINKING: "Link titles", SEARCH: "Search"}
_BUILT_IN_NAMES = {
    "untrained": "word vectors, untrained",
    "shipped": "the shipped calibration",
    "search": "the shipped search encoder",
}
_RIGHT_OR_WRONG = ("first", "decision")  # figures that are 1 or 0 for each title
_FIGURES = {
    "auc": "judged to fit above judged not to",
    "recall_single": "positives above every negative",
    "recall_all": "positives above negatives on average",
    "category_at_10": "right category among 10",
    "category_at_100": "right category among 100",
    "skills_at_10": "required skills declared among 10",
    "skills_at_100": "required skills declared among 100",
    "positives_at_100": "interested people among 100",
    "negatives_at_100": "refused people among 100 (lower is better)",
    "map": "interested people ranked high (MAP)",
    "coverage_at_10": "required skills truly present among 10",
    "ndcg_at_10": "best people ranked high (NDCG@10)",
    "judged_at_10": "people judged to fit ranked high (NDCG@10)",
    "answered_at_10": "interested people ranked above refused ones (NDCG@10)",
    "opened_at_10": "opened results ranked high (NDCG@10)",
    "first": "the correct occupation comes first",
    "log_loss": "log loss of the probabilities",
    "decision": "correctly linked, or correctly not linked",
    "chosen": "opened results ranked high, corrected for position (MRR)",
    "chosen_plain": "opened results ranked high, uncorrected (MRR)",
    "named": "the occupation of a name in another language ranked high (MRR)",
}


def figure_name(key: str) -> str:
    """Return the name of a figure."""
    return _FIGURES.get(key, key)


def model_name(name: str) -> str:
    """Return a model's display name as Markdown."""
    return _BUILT_IN_NAMES.get(name) or plain(name, limit=80)


def interval(change: FigureChange) -> str:
    """Return the 95% interval of a difference in words."""
    return f"{change.low:+.3f} to {change.high:+.3f}" if change.known else Outcome.TOO_FEW


def change_line(part: Part, change: FigureChange) -> str:
    """Return what changed in words, or else the figure before and after, with its interval, as a line of Markdown."""
    words = counted(part, change)
    values = f"{change.before:.3f} → {change.after:.3f}"
    what = f"{figure_name(change.figure)}, {plain(part.name, limit=60)}"
    return f"{what}: {words} ({values})" if words else f"{what}: {values} ({interval(change)})"


def counted(part: Part, change: FigureChange) -> str:
    """Return how many of a set got better and worse, such as 'of 100 titles, 4 became right and 1 became wrong'.

    Return '' where that is unknown, or contradicts the mean: a few large losses can outweigh many small gains.
    """
    if change.gained is None or change.lost is None:
        return ""
    if (change.worse and change.gained >= change.lost) or (change.better and change.lost >= change.gained):
        return ""
    better, worse = (
        ("became right", "became wrong") if change.figure in _RIGHT_OR_WRONG else ("got better", "got worse")
    )
    return f"of {change.n:,} {part.unit}, {change.gained:,} {better} and {change.lost:,} {worse}"


def difference(change: FigureChange) -> str:
    """Return a figure's name with its values before and after, and the interval of the difference."""
    enough = change.decidable
    range_text = f"95% of the difference: {interval(change)}" if enough else Outcome.TOO_FEW
    return f"{figure_name(change.figure)}: {change.before:.3f} → {change.after:.3f} ({range_text})"


def labels_by_use(labels: LabelCounts) -> str:
    """Return the number of a snapshot's labels, and what each was used for."""
    uses = [f"{labels.trained:,} trained on", f"{labels.held_out:,} held out to measure"]
    uses += [f"{labels.later:,} of later projects, used only to measure"] if labels.later else []
    uses += [f"{labels.left_out:,} left out (other source, or deleted)"] if labels.left_out else []
    origins = f"; {labels.origins}" if labels.bulk else ""
    return f"{count(labels.total, 'label')}: {', '.join(uses)}{origins}"


def roughly(seconds: float) -> str:
    """Return an estimated duration in words, to the minute."""
    return "less than a minute" if seconds < 60 else f"roughly {round(seconds / 60):,} min"


def lasted(seconds: float) -> str:
    """Return a duration in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s" if minutes else f"{rest} s"


def count(number: int, what: str) -> str:
    """Return a number with its noun, such as '2 labels'; *what* is the singular."""
    return f"{number:,} {what}{'s' if number != 1 else ''}"
