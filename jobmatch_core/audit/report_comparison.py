"""Two audits of the same twins: before and after."""

from dataclasses import dataclass

from jobmatch_core.audit.report import FLOOR, AuditReport, Finding, findings

GOAL = 0.99
MOST_LOST = GOAL - FLOOR  # of the overlap: a model that loses more can fall from the goal below the floor


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding that both audits have."""

    before: Finding
    after: Finding

    @property
    def what(self) -> str:
        """The cue, or the language of the titles."""
        return self.after.what

    @property
    def lost(self) -> float:
        """How much the mean overlap fell; negative if it rose."""
        return self.before.overlap.mean - self.after.overlap.mean

    @property
    def is_drop(self) -> bool:
        """True if more is lost than `MOST_LOST`, and the cue should not count."""
        return self.lost > MOST_LOST and not self.after.by_design

    @property
    def sentence(self) -> str:
        """The change in words."""
        before, after = self.before.overlap.mean, self.after.overlap.mean
        return f"{self.what}: rank-biased overlap {before:.3f} before, {after:.3f} after"


def finding_changes(before: AuditReport, after: AuditReport) -> list[FindingChange]:
    """Return the changes of findings that both audits have, the greatest loss first."""
    earlier = {finding.what: finding for finding in findings(before)}
    both = (FindingChange(earlier[one.what], one) for one in findings(after) if one.what in earlier)
    return sorted(both, key=lambda change: -change.lost)


def difference_of_samples(before: AuditReport, after: AuditReport) -> str:
    """Return why two audits are not of the same twins; '' if they are, so that a change is the model's."""
    if before.kind != after.kind:
        return "one is of titles and the other one of profiles"
    if (before.data, before.data_hash) != (after.data, after.data_hash):
        return "they were made with different data"
    if before.version != after.version:
        return "different releases of jobmatch made them, whose twins may differ"
    sizes = [(one.seed, one.per_language, one.projects, one.freelancers) for one in (before, after)]
    return "" if sizes[0] == sizes[1] else "their samples differ"
