"""Link results as lossless lines of JSON, unlike the rounded ones of `records`."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, OwnName, Seniority
from jobmatch_core.io.tables import Record

_encode = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps would make an encoder for each line


def to_lines(results: Iterable[LinkResult]) -> bytes:
    """Return results as JSON lines."""
    return "".join(_encode(_record(each)) + "\n" for each in results).encode()


def from_lines(lines: bytes) -> list[LinkResult]:
    """Return the results of JSON lines; raises ValueError, KeyError or TypeError for other lines."""
    return [_result(json.loads(line)) for line in lines.splitlines()]


def candidate_record(candidate: Candidate) -> Record:
    """Return a candidate as JSON."""
    evidence = candidate.evidence
    own = None if evidence.own is None else asdict(evidence.own) | {"on": evidence.own.on.isoformat()}
    return {
        "uri": candidate.uri, "name": candidate.name, "isco": candidate.isco, "probability": candidate.probability,
        "matched": evidence.name, "language": evidence.language, "scores": evidence.scores, "own": own,
        "lexicon": evidence.from_lexicon, "read_as": evidence.read_as,
    }  # fmt: skip


def read_candidate(record: Record) -> Candidate:
    """Return the candidate of its JSON; raises KeyError, TypeError or ValueError for other JSON."""
    own = record["own"]
    accepted = own and OwnName(own["title"], own["uri"], tuple(own["by"]), date.fromisoformat(own["on"]))
    evidence = Evidence(
        record["matched"], record["language"], record["scores"], accepted,
        from_lexicon=record.get("lexicon", False), read_as=record.get("read_as", ""),  # older lists have neither
    )  # fmt: skip
    return Candidate(record["uri"], record["name"], record["isco"], record["probability"], evidence)


def _record(result: LinkResult) -> Record:
    return {
        "title": result.title, "abstained": result.abstained, "group": result.group and asdict(result.group),
        "taxonomy": result.taxonomy, "set_aside": result.set_aside, "seniority": result.seniority,
        "candidates": [candidate_record(each) for each in result.candidates],
    }  # fmt: skip


def _result(record: dict[str, Any]) -> LinkResult:
    return LinkResult(
        record["title"], tuple(map(read_candidate, record["candidates"])), record["abstained"],
        record["group"] and GroupOffer(**record["group"]), record["taxonomy"], tuple(record["set_aside"]),
        Seniority(record.get("seniority", "")),
    )  # fmt: skip
