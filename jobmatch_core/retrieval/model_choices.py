"""The models to choose from for matching."""

from dataclasses import dataclass

from jobmatch_core.model_store.registry import ModelKind, Registry
from jobmatch_core.retrieval.match_models import UNTRAINED, all_installed_models
from jobmatch_core.settings import Settings


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model.

    Attributes:
        word: name of the model, for `load_match_model`.
        stamp: number that changes when a model of the same name is trained again.
        fault: reason why it cannot be used, '' if it can.
    """

    word: str
    stamp: int
    fault: str = ""

    @property
    def trained(self) -> bool:
        """True if it was trained on a marketplace."""
        return self.word != UNTRAINED


def model_choices(settings: Settings | None = None) -> list[ModelChoice]:
    """Return the promoted model, the others, the latest first, the untrained one, and those that cannot be used.

    Raises:
        ModelError: the history of promotions is damaged.
    """
    settings = settings or Settings.from_environment()
    found = all_installed_models(settings)
    promoted = Registry(settings).promoted(ModelKind.TOWERS)
    trained = [ModelChoice(each.word, _stamp(each.word, settings), each.fault) for each in found]
    choices = [*trained, ModelChoice(UNTRAINED, 0)]
    return sorted(choices, key=lambda choice: (bool(choice.fault), choice.word != promoted))


def _stamp(word: str, settings: Settings) -> int:
    try:
        return (settings.models / word / "model.safetensors").stat().st_mtime_ns
    except OSError:  # the model says what is wrong when it is loaded
        return 0
