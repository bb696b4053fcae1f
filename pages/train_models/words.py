"""Words of the page 'Train models' for figures, verdicts and times."""

from jobmatch_core.metrics.comparisons import FigureChange, Outcome, Part
from jobmatch_core.training.figures import LabelCounts
from pages.shared.language import N_, _, numeral, plural
from pages.shared.widgets import plain

KIND_KEY = "train_kind"
TOWERS, LINKING, SEARCH = "towers", "linking", "search"
KINDS = {TOWERS: N_("Find freelancers"), LINKING: N_("Link titles"), SEARCH: N_("Search")}
_BUILT_IN_NAMES = {
    "untrained": N_("word vectors, untrained"),
    "shipped": N_("the shipped calibration"),
    "search": N_("the shipped search encoder"),
}
_RIGHT_OR_WRONG = ("first", "decision")  # figures that are 1 or 0 for each title
_FIGURES = {
    "auc": N_("pairs judged to fit ranked above those judged not to (AUC)"),
    "recall_single": N_("positives above every negative"),
    "recall_all": N_("positives above negatives on average"),
    "category_at_10": N_("right category among 10"),
    "category_at_100": N_("right category among 100"),
    "skills_at_10": N_("required skills declared among 10"),
    "skills_at_100": N_("required skills declared among 100"),
    "positives_at_100": N_("interested people among 100"),
    "negatives_at_100": N_("refused people among 100 (lower is better)"),
    "map": N_("interested people ranked high (MAP)"),
    "coverage_at_10": N_("required skills truly present among 10"),
    "ndcg_at_10": N_("best people ranked high (NDCG@10)"),
    "judged_at_10": N_("people judged to fit ranked high (NDCG@10)"),
    "answered_at_10": N_("interested people ranked above refused ones (NDCG@10)"),
    "opened_at_10": N_("opened results ranked high (NDCG@10)"),
    "first": N_("the correct occupation comes first"),
    "log_loss": N_("log loss of the probabilities (lower is better)"),
    "decision": N_("correctly linked, or correctly not linked"),
    "chosen": N_("opened results ranked high, corrected for position (MRR)"),
    "chosen_plain": N_("opened results ranked high, uncorrected (MRR)"),
    "named": N_("the occupation of a name in another language ranked high (MRR)"),
}


def figure_name(key: str) -> str:
    """Return the name of a figure."""
    return _(_FIGURES[key]) if key in _FIGURES else key


def model_name(name: str) -> str:
    """Return a model's display name as Markdown."""
    return _(_BUILT_IN_NAMES[name]) if name in _BUILT_IN_NAMES else plain(name, limit=80)


def interval(change: FigureChange) -> str:
    """Return the 95% interval of a difference in words."""
    return (
        _("{low} to {high}", low=numeral(change.low, 3, signed=True), high=numeral(change.high, 3, signed=True))
        if change.known
        else _(Outcome.TOO_FEW)
    )


def change_line(part: Part, change: FigureChange) -> str:
    """Return what changed in words, or else the figure before and after, with its interval, as a line of Markdown."""
    words = counted(part, change)
    values = f"{numeral(change.before, 3)} → {numeral(change.after, 3)}"
    what = f"{figure_name(change.figure)}, {plain(_(part.name), limit=60)}"
    return f"{what}: {words} ({values})" if words else f"{what}: {values} ({interval(change)})"


def counted(part: Part, change: FigureChange) -> str:
    """Return how many of a set got better and worse, such as 'of 100 titles, 4 became right and 1 became wrong'.

    Return '' where that is unknown, or contradicts the mean: a few large losses can outweigh many small gains.
    """
    if change.gained is None or change.lost is None:
        return ""
    if (change.worse and change.gained >= change.lost) or (change.better and change.lost >= change.gained):
        return ""
    values = {
        "n": numeral(change.n),
        "unit": _(part.unit),
        "gained": numeral(change.gained),
        "lost": numeral(change.lost),
    }
    if change.figure in _RIGHT_OR_WRONG:
        return _("of {n} {unit}, {gained} became right and {lost} became wrong", **values)
    return _("of {n} {unit}, {gained} got better and {lost} got worse", **values)


def difference(change: FigureChange) -> str:
    """Return a figure's name with its values before and after, and the interval of the difference."""
    enough = change.decidable
    spread = _("95% of the difference: {interval}", interval=interval(change)) if enough else _(Outcome.TOO_FEW)
    return f"{figure_name(change.figure)}: {numeral(change.before, 3)} → {numeral(change.after, 3)} ({spread})"


def labels_by_use(labels: LabelCounts) -> str:
    """Return the number of a snapshot's labels, and what each was used for."""
    uses = [
        _("{trained} trained on", trained=numeral(labels.trained)),
        _("{held_out} held out to measure", held_out=numeral(labels.held_out)),
    ]
    uses += [_("{later} of later projects, used only to measure", later=numeral(labels.later))] if labels.later else []
    uses += (
        [_("{left_out} left out (other source, or deleted)", left_out=numeral(labels.left_out))]
        if labels.left_out
        else []
    )
    origins = f"; {labels.origins}" if labels.bulk else ""
    return f"{plural('{n} label', '{n} labels', labels.total)}: {', '.join(uses)}{origins}"


def roughly(seconds: float) -> str:
    """Return an estimated duration in words, to the minute."""
    if seconds < 60:
        return _("less than a minute")
    return _("roughly {minutes} min", minutes=numeral(round(seconds / 60)))


def lasted(seconds: float) -> str:
    """Return a duration in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return _("{minutes} min {rest} s", minutes=numeral(minutes), rest=rest) if minutes else f"{rest} s"
