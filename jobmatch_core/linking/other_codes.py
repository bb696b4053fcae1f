"""Codes of another classification beside links, by a crosswalk to the linked occupations and unit groups."""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from jobmatch_core.entities import LinkResult, OtherCode
from jobmatch_core.io.tables import Record

OtherCodes = tuple[tuple[str, OtherCode], ...]  # (URI of an occupation or a group, code), best first


def with_other_codes(results: Iterable[LinkResult], codes: OtherCodes) -> list[LinkResult]:
    """Return links with the codes of what they are linked to."""
    by_uri = codes_by_uri(codes)
    return [replace(result, also=by_uri.get(_linked_uri(result), ())) for result in results]


def codes_by_uri(codes: OtherCodes) -> dict[str, tuple[OtherCode, ...]]:
    """Return the codes of each occupation and group, best first."""
    by_uri: dict[str, list[OtherCode]] = {}
    for uri, code in codes:
        by_uri.setdefault(uri, []).append(code)
    return {uri: tuple(others) for uri, others in by_uri.items()}


def digest_of(codes: OtherCodes) -> str:
    """Return the SHA-256 of codes, '' without any."""
    return sha256(repr(codes).encode()).hexdigest() if codes else ""


def _linked_uri(result: LinkResult) -> str:
    if result.best:
        return result.best.uri
    return result.group.uri if result.level and result.group else ""


def other_code_columns(also: tuple[OtherCode, ...], prefix: str = "link_") -> Record:
    """Return the columns of other codes: those of the best relation, with `; ` between; None for missing values."""
    best = [other for other in also if other.relation == also[0].relation]
    return {
        f"{prefix}also_code": "; ".join(other.code for other in best) or None,
        f"{prefix}also_name": "; ".join(other.name for other in best) or None,
        f"{prefix}also_relation": best[0].relation if best else None,
    }
