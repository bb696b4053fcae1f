"""Promotion of models that can be used, and the way back."""

from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.registry import BUILT_IN, Change, ModelKind, Registry
from jobmatch_core.retraining.model_cards import fault_of
from jobmatch_core.retrieval.match_models import model_in_use
from jobmatch_core.settings import Settings


def promote(kind: ModelKind, name: str, settings: Settings, *, who: str, why: str = "") -> Change:
    """Put a model into use that can be opened and used.

    Raises:
        ModelError: no complete model has that name and kind, it cannot be used, or it is in use already.
    """
    registry = Registry(settings)
    registry.check(kind, name)
    _check_usable(kind, name, settings)
    registry.keep_in_use(kind, model_in_use(settings) if kind is ModelKind.TOWERS else BUILT_IN[kind])
    return registry.promote(kind, name, who=who, why=why)


def roll_back(kind: ModelKind, settings: Settings, *, who: str, why: str = "") -> Change:
    """Put the model back into use that was in use before the latest promotion.

    Raises:
        ModelError: there is no promotion to undo, or the earlier model is gone or cannot be used.
    """
    registry = Registry(settings)
    if earlier := registry.before(kind):
        registry.check(kind, earlier)
        _check_usable(kind, earlier, settings)
    return registry.roll_back(kind, who=who, why=why)


def _check_usable(kind: ModelKind, name: str, settings: Settings) -> None:
    if fault := fault_of(kind, name, settings):
        raise ModelError(
            f"{name} cannot be put into use: {fault}. The model in use stays. Mend it or train it again; "
            f"`jobmatch models promote {BUILT_IN[kind]} --kind {kind}` takes the one that comes with jobmatch."
        )
