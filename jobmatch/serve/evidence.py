"""Evidence of a candidate as other sites' pages may read it: without the names of annotators."""

from typing import Any

from jobmatch_core.entities import Evidence
from jobmatch_core.linking.records import OWN, matched_source


def public_evidence(evidence: Evidence) -> dict[str, Any]:
    """Return the matched name, its language and source, the reading of the title, and each scorer's share."""
    return {
        "name": evidence.name,
        "language": evidence.language or OWN,
        "source": matched_source(evidence),
        "read_as": evidence.read_as,
        "scores": evidence.scores,
    }
