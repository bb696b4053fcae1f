"""`jobmatch models`: the models, encoders of one's own, and the models in use."""

import getpass
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import is_terminal, print_json, print_line, print_note, print_result, print_table, progress_bar
from jobmatch.cli.places import print_home
from jobmatch.services import promoting
from jobmatch.services.linking import LinkingService
from jobmatch.services.promoting import NotAudited, PromotionAudit, promotion_audit
from jobmatch_core.descriptions.posting_models import posting_models
from jobmatch_core.encoders.added_encoder import add_encoder, added_encoders, remove_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.maps.models import TF_IDF
from jobmatch_core.metrics.comparisons import FEWEST_TOLD, ComparisonHeadline, Outcome, headline
from jobmatch_core.model_store.model_spec import ModelKind, Source, home_models, named_models
from jobmatch_core.model_store.registry import BUILT_IN, ModelChange, Registry
from jobmatch_core.retraining import promotion
from jobmatch_core.retraining.promotion import ModelCard, cards
from jobmatch_core.settings import Settings

LETTERS = "letters"  # kind of TF-IDF, which is fitted on the mapped texts
# kind of model -> options that take such models
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
app = typer.Typer(help="List models, add or remove an encoder, promote a model, roll back.", no_args_is_help=True)
KindOption = Annotated[
    Literal["towers", "linking", "search"],
    typer.Option(help="towers find freelancers, linking sets the probabilities of links, search encodes queries."),
]
_PLACES = {Source.SHIPPED: "shipped with jobmatch", Source.HOME: "home"}
WhoOption = Annotated[str, typer.Option(help="Who decides; by default this machine's user.")]
WhyOption = Annotated[str, typer.Option(help="Reason, for the history.")]


@app.command("list")
def list_models(
    history: Annotated[bool, typer.Option(help="Also show all promotions and rollbacks.")] = False,
    json: JsonOption = False,
) -> None:
    """List all models, those in use, and the options that take each kind.

    Example: jobmatch models list --history
    """
    settings = Settings.from_environment()
    promotable = [card for kind in BUILT_IN for card in cards(kind, settings)]
    words = _words(settings, promotable)
    changes = Registry(settings).history()
    if json:
        uses = [
            {"word": word.word, "kind": word.kind, "source": word.source, "options": USED_IN[word.kind]}
            for word in words
        ]
        parts = ("kind", "name", "in_use", "created", "fault", "report")
        models = [{"model" if part == "name" else part: getattr(card, part) for part in parts} for card in promotable]
        print_json({"models": models, "history": [asdict(change) for change in changes], "words": uses})
        return
    rows = [
        *(
            ("*" if card.in_use else "", str(card.kind), card.name, _origin(card), card.created[:16])
            for card in promotable
        ),
        *(("", word.kind, word.word, _PLACES[word.source], "") for word in words if word.kind not in BUILT_IN),
    ]
    print_table(("in use", "kind", "model", "from", "made"), rows)
    print_table(("kind", "options that take it"), [(kind, ", ".join(options)) for kind, options in USED_IN.items()])
    if history:
        actions = [
            (change.at[:16], change.who, f"{change.action}: {change.before or '-'} -> {change.after}", change.why)
            for change in changes
        ]
        print_table(("when", "who", "action", "why"), actions)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Name by which options and pages will take the model.")],
    folder: Annotated[Path, typer.Argument(help="Folder of a sentence-transformers model with safetensors.")],
    json: JsonOption = False,
) -> None:
    """Add an encoder of your own under a name, which every option and page for encoders then takes.

    Example: jobmatch models add ours ./our-encoder
    """
    settings = Settings.from_environment()
    model = add_encoder(name, folder, settings)
    print_home(settings)
    sentence = f"Added {model.word}. Options that take it: {', '.join(USED_IN[model.kind])}."
    print_result({"word": model.word, "kind": model.kind, "source": model.source}, sentence, json=json)


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="Name of an encoder under JOBMATCH_HOME/models.")],
    yes: Annotated[bool, typer.Option("--yes", help="Remove it without asking, also if models need it.")] = False,
    json: JsonOption = False,
) -> None:
    """Remove an encoder that was added; asks for confirmation, and names the models that need it.

    Example: jobmatch models remove ours --yes
    """
    settings = Settings.from_environment()
    needed_by = [model for encoder in added_encoders(settings) if encoder.name == name for model in encoder.needed_by]
    if needed_by and not json:
        print_line(f"Trained over {name}, and useless without it: {', '.join(needed_by)}.")
    is_there = any(model.word == name for model in home_models(settings, ModelKind.ENCODER))
    if is_there and not yes and not (not json and sys.stdin.isatty() and typer.confirm(f"Remove {name}?")):
        raise ModelError(f"{name} was not removed; add --yes to remove it.")
    remove_encoder(name, settings)
    print_home(settings)
    print_result({"removed": name, "needed_by": needed_by}, f"Removed {name}.", json=json)


@app.command()
def promote(
    model: Annotated[str, typer.Argument(help="Name; see `jobmatch models list`.")],
    kind: KindOption = "towers",
    who: WhoOption = "",
    why: WhyOption = "",
    yes: Annotated[bool, typer.Option("--yes", help="Also promote a model that is worse in some figure.")] = False,
    accept_audit: Annotated[
        bool, typer.Option("--accept-audit", help="Also promote a model that treats twins less equally.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Use a model everywhere from now on; asks for confirmation if it is worse in some figure.

    Towers and linking models are audited first, with the same twins as the model in use.

    Example: jobmatch models promote towers-2026-11-21-0930 --why "more skills found"
    """
    settings, model_kind = Settings.from_environment(), ModelKind(kind)
    Registry(settings).check(model_kind, model)
    card = next((card for card in cards(model_kind, settings) if card.name == model), None)
    if card is not None and card.comparison is not None and not json:
        _print_verdict(card)
    if card is not None and not card.fault:  # `promotion.promote` reports a fault
        _confirm(card, yes=yes, ask=not json and sys.stdin.isatty())
    linking = LinkingService(settings)
    if model_kind in promoting.AUDITED and not json and not is_terminal():  # where no bar is drawn
        print_note("Auditing twins with the model in use and the new one; this takes up to a minute.")
    with progress_bar("Auditing twins", hidden=json) as progress:
        audit = promotion_audit(model_kind, model, linking, progress=progress)
    if not json:
        _print_audit(audit)
    who = who or getpass.getuser()
    change = promoting.promote(model_kind, model, linking, who=who, why=why, accept_audit=accept_audit)
    print_home(settings)
    _print(change, json=json)


@app.command()
def rollback(kind: KindOption = "towers", who: WhoOption = "", why: WhyOption = "", json: JsonOption = False) -> None:
    """Use the model again that was in use before the latest promotion.

    Example: jobmatch models rollback --why "worse in German"
    """
    settings = Settings.from_environment()
    change = promotion.roll_back(ModelKind(kind), settings, who=who or getpass.getuser(), why=why)
    print_home(settings)
    _print(change, json=json)


@dataclass(frozen=True, slots=True)
class _Word:
    # how options name a model, its kind and where it is

    word: str
    kind: str
    source: Source


def _words(settings: Settings, promotable: Sequence[ModelCard]) -> list[_Word]:
    """Return all models that can be used, as far as that is known before they are loaded."""
    kinds = (ModelKind.DESCRIPTIONS, ModelKind.ENCODER)
    offered = posting_models(settings)  # without the shipped one if it does not fit
    usable = [model for model in named_models(settings, *kinds) if model.kind in kinds[1:] or model.word in offered]
    return [
        *(
            _Word(card.name, card.kind, Source.SHIPPED if card.built_in else Source.HOME)
            for card in promotable
            if not card.fault
        ),
        *(_Word(model.word, model.kind, model.source) for model in usable),
        _Word(TF_IDF, LETTERS, Source.SHIPPED),
    ]


def _print_verdict(card: ModelCard) -> None:
    print_line(f"{card.name}: {_verdict(headline(card.comparison))}")
    for part, change in card.comparison.worse if card.comparison else []:
        print_line(
            f"  worse: {change.figure}, {part.name}: {change.before:.3f} -> {change.after:.3f} "
            f"(95% of the difference: {change.low:+.3f} to {change.high:+.3f})"
        )


def _print_audit(audit: PromotionAudit | NotAudited) -> None:
    if isinstance(audit, NotAudited):
        if audit.reason:
            print_line(f"Twins were not audited. {audit.reason}")
        return
    for change in audit.changes[:1]:
        print_line(f"Twins: the greatest change is that of {change.sentence}.")


def _verdict(headline: ComparisonHeadline) -> str:
    part, change = headline.part, headline.change
    if part is None or change is None:
        return f"{headline.outcome}; nothing was measured with both models."
    measured = f"{part.name} ({part.n:,} {part.unit})"
    if headline.outcome is Outcome.TOO_FEW:
        return f"{headline.outcome} on {measured}; at least {FEWEST_TOLD} {part.unit} are needed."
    return (
        f"{headline.outcome} on {measured}: {change.figure} {change.before:.3f} -> {change.after:.3f} "
        f"(95% of the difference: {change.low:+.3f} to {change.high:+.3f})."
    )


def _confirm(card: ModelCard, *, yes: bool, ask: bool) -> None:
    """Raise ModelError for a model that is worse in some figure, unless that is confirmed."""
    worse = card.comparison.worse if card.comparison else []
    if not worse or yes or (ask and typer.confirm("Promote it anyway?")):
        return
    named = ", ".join(f"{change.figure} ({part.name})" for part, change in worse)
    raise ModelError(
        f"{card.name} is worse than the model it was compared with in {len(worse)} figure"
        f"{'s' if len(worse) != 1 else ''}: {named}. Nothing was promoted; add --yes to promote it anyway."
    )


def _origin(card: ModelCard) -> str:
    if card.built_in:
        return _PLACES[Source.SHIPPED]
    learned = f"{card.labels.trained:,} labels of {card.labels.snapshot}" if card.labels else "no labels"
    if card.tasks:
        learned = ", ".join(task.name for task in card.tasks)
    return f"{_PLACES[Source.HOME]}: {card.fault or learned}"


def _print(change: ModelChange, *, json: bool) -> None:
    before = change.before or "nothing was chosen"
    print_result(asdict(change), f"In use for {change.kind}: {change.after} (before: {before}).", json=json)
