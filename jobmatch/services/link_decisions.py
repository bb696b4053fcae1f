"""Decisions on links that come from outside the pages, as the judgments that the pages would record."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jobmatch_core.entities import Candidate, Evidence, Judgment, LinkResult, Verdict
from jobmatch_core.labelling.judged_links import decided, link_pair, link_provenance
from jobmatch_core.labelling.judging import judged
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH


@dataclass(frozen=True, slots=True)
class LinkDecision:
    """A verdict on a title's link.

    Attributes:
        title: the title as typed.
        uri: URI of the occupation; None if none of those is right that the linker offers.
        verdict: the verdict on it; not read without a URI.
        note: free text.
    """

    title: str
    uri: str | None
    verdict: Verdict = Verdict.POSITIVE
    note: str = ""


def judgments_of(
    linker: Linker, decisions: Sequence[LinkDecision], annotator: str, policy: str
) -> list[list[Judgment]]:  # fmt: skip
    """Return the judgments that each decision stands for, with what the linker says of the title now.

    Args:
        linker: the linker; its taxonomy has the decisions' occupations.
        decisions: the decisions.
        annotator: whose verdicts these are.
        policy: where they were given, in place of a page's name.
    """
    results = linker.link_all([each.title for each in decisions])
    return [
        [replace(judgment, note=decision.note) for judgment in _judgments(linker, result, decision, annotator, policy)]
        for decision, result in zip(decisions, results, strict=True)
    ]


def _judgments(
    linker: Linker, result: LinkResult, decision: LinkDecision, annotator: str, policy: str
) -> list[Judgment]:  # fmt: skip
    if decision.uri is None:
        return decided(result, None, annotator, policy=policy, model=linker.version)
    candidate = _candidate(linker.taxonomy, result, decision.uri)
    provenance = link_provenance(result, candidate, policy=policy, model=linker.version)
    pair = link_pair(result, candidate)
    return [judged(pair, decision.verdict, annotator, provenance)] if pair.left else []


def _candidate(taxonomy: Taxonomy, result: LinkResult, uri: str) -> Candidate:
    """Return the candidate of a URI; one that the linker does not offer has no score."""
    offered = next((each for each in result.candidates if each.uri == uri), None)
    number = taxonomy.number(uri)
    name = taxonomy.name(number, ENGLISH)
    return offered or Candidate(uri, name, taxonomy.isco_codes[number], 0.0, Evidence(name, ENGLISH, {}))
