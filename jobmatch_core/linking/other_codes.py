"""Codes of another classification beside links, by a crosswalk to the linked occupations and unit groups."""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from jobmatch_core.entities import LinkResult, OtherCode
from jobmatch_core.io.tables import Record

OtherCodes = tuple[tuple[str, OtherCode], ...]  # (URI of an occupation or a group, code), best first


def with_other_codes(results: Iterable[LinkResult], codes: OtherCodes) -> list[LinkResult]:
    """Return links with the codes of what they are linked to."""
    by_uri: dict[str, list[OtherCode]] = {}
    for uri, code in codes:
        by_uri.setdefault(uri, []).append(code)
    return [replace(result, also=tuple(by_uri.get(_linked_uri(result), ()))) for result in results]


def digest_of(codes: OtherCodes) -> str:
    """Return the SHA-256 of codes, '' without any."""
    return sha256(repr(codes).encode()).hexdigest() if codes else ""


def _linked_uri(result: LinkResult) -> str:
    if result.best:
        return result.best.uri
    return result.group.uri if result.level and result.group else ""


def other_code_columns(also: tuple[OtherCode, ...]) -> Record:
    """Return the columns of a link's other codes: those of the best relation, several of them with `; ` between."""
    best = [other for other in also if other.relation == also[0].relation]
    return {
        "link_also_code": "; ".join(other.code for other in best),
        "link_also_name": "; ".join(other.name for other in best),
        "link_also_relation": best[0].relation if best else "",
    }
