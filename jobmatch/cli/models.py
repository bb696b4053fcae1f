"""`jobmatch models`: which models there are, and which is in use."""

import getpass
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_table
from jobmatch.cli.places import print_home
from jobmatch_core.descriptions.posting_models import posting_models
from jobmatch_core.errors import ModelError
from jobmatch_core.maps.models import TF_IDF
from jobmatch_core.metrics.comparisons import FEWEST_TOLD, Headline, Outcome, headline
from jobmatch_core.model_store.model_spec import ModelKind, Source, named_models
from jobmatch_core.model_store.registry import BUILT_IN, Change, Registry
from jobmatch_core.retraining import promotion
from jobmatch_core.retraining.promotion import ModelCard, cards
from jobmatch_core.settings import Settings

LETTERS = "letters"  # kind of TF-IDF, which is fitted on whatever is mapped
# kind of model -> options that take the words of such models
USED_IN: dict[str, tuple[str, ...]] = {
    ModelKind.TOWERS: ("match --model", "map --model", "map --against", "train towers --from", "models promote"),
    ModelKind.LINKING: ("models promote",),
    ModelKind.DESCRIPTIONS: ("describe --model",),
    ModelKind.ENCODER: (
        "link --encoder",
        "describe --model",
        "map --model",
        "map --against",
        "evaluate job-normalization --encoder",
        "evaluate matching --encoder",
        "evaluate matching --sbert",
        "train title-encoder --backbone",
        "train jdan --backbone",
        "train towers --backbone",
        "train search-encoder --backbone",
        "train search-encoder --teacher",
    ),
    ModelKind.SEARCH: ("train search-encoder --from", "train search-encoder --teacher", "models promote"),
    LETTERS: ("map --model", "map --against"),
}
app = typer.Typer(help="List models, promote one, roll back.", no_args_is_help=True)
KindOption = Annotated[
    Literal["towers", "linking", "search"],
    typer.Option(help="towers find freelancers, linking gives links their probability, search reads queries."),
]
_PLACES = {Source.SHIPPED: "comes with jobmatch", Source.HOME: "home"}
WhoOption = Annotated[str, typer.Option(help="Who decides; the name of the machine's user where not given.")]
WhyOption = Annotated[str, typer.Option(help="A reason, for the history.")]


@app.callback()
def _group() -> None:
    """List models, promote one, roll back."""


@app.command("list")
def list_models(
    history: Annotated[bool, typer.Option(help="Show every promotion and roll back, too.")] = False,
    json: JsonOption = False,
) -> None:
    """Show the words for all models, which of them are in use, and the options that take each kind.

    Example: jobmatch models list --history
    """
    settings = Settings.from_environment()
    found = [card for kind in BUILT_IN for card in cards(kind, settings)]
    others = [each for each in _words(settings, found) if each.kind not in BUILT_IN]
    changes = Registry(settings).history()
    if json:
        models, words = [_record(card) for card in found], [_use(each) for each in _words(settings, found)]
        print_json({"models": models, "history": [asdict(each) for each in changes], "words": words})
        return
    rows = [
        *(("*" if each.in_use else "", str(each.kind), each.name, _told(each), each.created[:16]) for each in found),
        *(("", each.kind, each.word, _PLACES[each.source], "") for each in others),
    ]
    print_table(("in use", "kind", "model", "from", "made"), rows)
    print_table(("kind", "options that take it"), [(kind, ", ".join(options)) for kind, options in USED_IN.items()])
    if history:
        print_table(("when", "who", "did", "why"), [(each.at[:16], each.who, _did(each), each.why) for each in changes])


@app.command()
def promote(
    model: Annotated[str, typer.Argument(help="Its name, as `jobmatch models list` shows it.")],
    kind: KindOption = "towers",
    who: WhoOption = "",
    why: WhyOption = "",
    yes: Annotated[bool, typer.Option("--yes", help="Promote also a model that is worse in something.")] = False,
    json: JsonOption = False,
) -> None:
    """Put a model into use everywhere; one that is worse in something only after a confirmation.

    Example: jobmatch models promote towers-2026-11-21-0930 --why "more skills found"
    """
    _promote(ModelKind(kind), model, who=who, why=why, yes=yes, json=json)


def _promote(kind: ModelKind, model: str, *, who: str, why: str, yes: bool, json: bool) -> None:
    settings = Settings.from_environment()
    Registry(settings).check(kind, model)
    card = next((each for each in cards(kind, settings) if each.name == model), None)
    if card is not None and card.comparison is not None and not json:
        _print_verdict(card)
    if card is not None and not card.fault:  # a fault is told by the promotion
        _confirm(card, yes=yes, ask=not json and sys.stdin.isatty())
    change = promotion.promote(kind, model, settings, who=who or getpass.getuser(), why=why)
    print_home(settings)
    _print(change, json=json)


@app.command()
def rollback(kind: KindOption = "towers", who: WhoOption = "", why: WhyOption = "", json: JsonOption = False) -> None:
    """Put into use again what was in use before the latest promotion.

    Example: jobmatch models rollback --why "worse in German"
    """
    settings = Settings.from_environment()
    change = promotion.roll_back(ModelKind(kind), settings, who=who or getpass.getuser(), why=why)
    print_home(settings)
    _print(change, json=json)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word for a model, its kind and where the model is."""

    word: str
    kind: str
    source: Source


def _words(settings: Settings, promotable: Sequence[ModelCard]) -> list[_Word]:
    """Return the words of all models that can be used, as far as that is known before they are loaded."""
    kinds = (ModelKind.DESCRIPTIONS, ModelKind.ENCODER)
    offered = {choice.word for choice in posting_models(settings)}  # without the shipped one where it does not fit
    usable = [each for each in named_models(settings, *kinds) if each.kind in kinds[1:] or each.word in offered]
    return [
        *(
            _Word(each.name, each.kind, Source.SHIPPED if each.built_in else Source.HOME)
            for each in promotable
            if not each.fault
        ),
        *(_Word(each.word, each.kind, each.source) for each in usable),
        _Word(TF_IDF, LETTERS, Source.SHIPPED),
    ]


def _use(each: _Word) -> dict[str, object]:
    return {"word": each.word, "kind": each.kind, "source": each.source, "options": USED_IN[each.kind]}


def _print_verdict(card: ModelCard) -> None:
    """Print the verdict on the largest set, and all that got worse."""
    print_line(f"{card.name}: {_verdict(headline(card.comparison))}")
    for part, change in card.comparison.worse if card.comparison else []:
        print_line(
            f"  worse: {change.figure}, {part.name}: {change.before:.3f} -> {change.after:.3f} "
            f"(95 % of the difference: {change.low:+.3f} to {change.high:+.3f})"
        )


def _verdict(found: Headline) -> str:
    part, change = found.part, found.change
    if part is None or change is None:
        return f"{found.outcome}; nothing was measured with both models."
    measured = f"{part.name} ({part.n:,} {part.unit})"
    if found.outcome is Outcome.TOO_FEW:
        return f"{found.outcome} on {measured}; at least {FEWEST_TOLD} {part.unit} are needed."
    return (
        f"{found.outcome} on {measured}: {change.figure} {change.before:.3f} -> {change.after:.3f} "
        f"(95 % of the difference: {change.low:+.3f} to {change.high:+.3f})."
    )


def _confirm(card: ModelCard, *, yes: bool, ask: bool) -> None:
    """Ask whether a model that is worse in something is to be promoted.

    Raises:
        ModelError: it is worse, and nobody has agreed to that.
    """
    worse = card.comparison.worse if card.comparison else []
    if not worse or yes or (ask and typer.confirm("Promote it all the same?")):
        return
    named = ", ".join(f"{change.figure} ({part.name})" for part, change in worse)
    raise ModelError(
        f"{card.name} is worse than the model it was compared with in {len(worse)} figure"
        f"{'s' if len(worse) != 1 else ''}: {named}. Nothing was promoted; say --yes to promote it all the same."
    )


def _record(card: ModelCard) -> dict[str, object]:
    return {
        "kind": card.kind,
        "model": card.name,
        "in_use": card.in_use,
        "created": card.created,
        "fault": card.fault,
        "report": card.report,
    }


def _told(card: ModelCard) -> str:
    """Return where a model is from, and why it cannot be used or what it has learned from."""
    if card.built_in:
        return _PLACES[Source.SHIPPED]
    learned = f"{card.labels.trained:,} labels of {card.labels.snapshot}" if card.labels else "no labels"
    if card.tasks:
        learned = ", ".join(each.name for each in card.tasks)
    return f"{_PLACES[Source.HOME]}: {card.fault or learned}"


def _did(change: Change) -> str:
    return f"{change.action}: {change.before or '-'} -> {change.after}"


def _print(change: Change, *, json: bool) -> None:
    if json:
        print_json(asdict(change))
    else:
        print_line(f"In use for {change.kind}: {change.after} (before: {change.before or 'nothing was chosen'}).")
