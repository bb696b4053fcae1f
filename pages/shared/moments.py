"""Moments as people read them."""

from datetime import UTC, datetime

from pages.shared.language import day
from pages.shared.widgets import plain


def moment(text: str) -> str:
    """Return an ISO 8601 time as a date and time in UTC; any other text unchanged."""
    try:
        at = datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        return plain(text, limit=40)
    return f"{day(at, padded=True)}, {at:%H:%M} UTC"
