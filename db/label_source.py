"""The label store as `jobmatch_core.labelling.label_source` expects it."""

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, PairKind


class LabelSource(LabelStore):
    """A label store with methods in the types of `entities` only; the entry point of pyproject.toml opens it."""

    def current_of(self, kind: PairKind, source: str) -> list[Judgment]:
        """Return the current judgments of a kind of pair and a marketplace or taxonomy, in the order of recording."""
        return self.current(JudgmentFilter(kind=kind, source=source))[::-1]
