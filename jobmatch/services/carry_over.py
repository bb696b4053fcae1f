"""Decisions on titles taken along to another version of their taxonomy."""

from dataclasses import dataclass
from itertools import chain

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, PairKind
from jobmatch_core.labelling.carry_over import CarriedOver, carry_over
from jobmatch_core.taxonomy.versions import OccupationChange, VersionChanges


@dataclass(frozen=True, slots=True)
class CarryOverPlan:
    """What carrying over would record."""

    changes: VersionChanges  # differences of the two versions
    judgments: CarriedOver  # the judgments by what becomes of them

    @property
    def new(self) -> tuple[Judgment, ...]:
        """The judgments to record."""
        return tuple(chain(self.judgments.as_before, self.judgments.to_successors))

    @property
    def touched(self) -> list[tuple[Judgment, OccupationChange]]:
        """The judgments whose occupation changed, each with the change: those left, then those to record."""
        by_uri = self.changes.by_uri
        by_successor = {uri: change for change in by_uri.values() for uri in change.successors}
        parts = (
            (self.judgments.left, by_uri),
            (self.judgments.to_successors, by_successor),
            (self.judgments.as_before, by_uri),
        )
        return [
            (judgment, changes[judgment.pair.right])
            for judgments, changes in parts
            for judgment in judgments
            if judgment.pair.right in changes
        ]


def plan_carry_over(store: LabelStore, changes: VersionChanges) -> CarryOverPlan:
    """Return what carrying the decisions of a taxonomy's version over to another one would record.

    Raises LabelStoreError if the judgments cannot be read.
    """
    earlier, later = (
        store.current(JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=source))
        for source in (changes.before, changes.after)
    )
    return CarryOverPlan(changes, carry_over(reversed(earlier), later, changes))


def record_carry_over(store: LabelStore, plan: CarryOverPlan) -> int:
    """Record the judgments of a plan; return the number of new ones.

    Raises LabelStoreError if they cannot be stored; then none is.
    """
    return store.record_all(plan.new, history=True)
