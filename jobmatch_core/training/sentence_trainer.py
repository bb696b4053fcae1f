"""sentence-transformers' trainer with loss checks and progress, without a model card."""

from typing import Any

from sentence_transformers import SentenceTransformerTrainer
from transformers import PrinterCallback, TrainerCallback, TrainerState

from jobmatch_core.entities import Progress
from jobmatch_core.model_store.saved_model import checked_loss


class CheckedTrainer(SentenceTransformerTrainer):  # type: ignore[misc]  # its package is not typed
    """A trainer with a callback for the steps done and in total."""

    def __init__(self, *, progress: Progress, **options: object) -> None:
        super().__init__(callbacks=[_Reporter(progress)], **options)
        self.remove_callback(PrinterCallback)

    def compute_loss(self, *inputs: object, **options: object) -> Any:  # noqa: ANN401  # as the library's
        """Return the loss; raise ModelError if it is not a finite number."""
        loss = super().compute_loss(*inputs, **options)
        checked_loss((loss[0] if isinstance(loss, tuple) else loss).item())
        return loss

    def add_model_card_callback(self, default_args_dict: dict[str, object]) -> None:
        """Add no model card: it would describe row numbers."""


class _Reporter(TrainerCallback):  # type: ignore[misc]  # its package is not typed
    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def on_step_end(self, args: object, state: TrainerState, control: object, **kwargs: object) -> None:
        self._progress(state.global_step, state.max_steps)
