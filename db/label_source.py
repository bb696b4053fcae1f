"""The label store for those who know nothing of `db` but what `jobmatch_core.labelling.label_source` asks of it."""

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, PairKind


class LabelSource(LabelStore):
    """A label store that is asked in the words of `entities` alone; the entry point of pyproject.toml opens it."""

    def current_of(self, kind: PairKind, source: str) -> list[Judgment]:
        """Return what counts of a kind of pair and a marketplace or taxonomy, in the order of recording."""
        return self.current(JudgmentFilter(kind=kind, source=source))[::-1]
