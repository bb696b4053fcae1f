"""Words for stored judgments: verdicts, queues, times."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from jobmatch_core.entities import Judgment, PairKind, Verdict
from jobmatch_core.labelling.exports import ANSWERS
from jobmatch_core.labelling.queues import POLICIES

ICONS = {
    Verdict.POSITIVE: ":material/thumb_up:",
    Verdict.NEGATIVE: ":material/thumb_down:",
    Verdict.UNSURE: ":material/question_mark:",
    Verdict.SKIP: ":material/skip_next:",
}
_COLOURS = {Verdict.POSITIVE: "blue", Verdict.NEGATIVE: "orange", Verdict.UNSURE: "violet", Verdict.SKIP: "gray"}
KINDS = {
    PairKind.PROJECT_FREELANCER: "Projects and freelancers",
    PairKind.TITLE_OCCUPATION: "Titles and occupations",
    PairKind.TITLE_TITLE: "Titles and titles",
}


def verdict_word(verdict: Verdict | None, kind: PairKind = PairKind.PROJECT_FREELANCER) -> str:
    """Return a verdict in words, such as 'fits'; 'withdrawn' for None."""
    if verdict is None:
        return "withdrawn"
    return "skipped" if verdict is Verdict.SKIP else ANSWERS[kind][verdict]


def verdict_badge(judgment: Judgment) -> str:
    """Return a verdict as a badge in Markdown."""
    word = verdict_word(judgment.verdict, judgment.pair.kind)
    if judgment.verdict is None:
        return f":gray-badge[:material/undo: {word}]"
    return f":{_COLOURS[judgment.verdict]}-badge[{ICONS[judgment.verdict]} {word}]"


def policy_name(policy: str) -> str:
    """Return the name of a queue, or of the page that a pair came from."""
    return POLICIES[policy].label if policy in POLICIES else policy.replace("-", " ") or "unknown"


def zone() -> ZoneInfo:
    """Return the browser's time zone, UTC if unknown."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def when(at: datetime) -> str:
    """Return a time in the browser's time zone in words."""
    local, today = at.astimezone(zone()), datetime.now(UTC).astimezone(zone()).date()
    day = "today" if local.date() == today else f"{local.day} {local:%b %Y}"
    return f"{day}, {local:%H:%M}"
