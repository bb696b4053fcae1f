"""Moments as people read them."""

from datetime import UTC, datetime

from pages.shared.widgets import plain


def moment(text: str) -> str:
    """Return an ISO 8601 time as a date and time in UTC; any other text unchanged."""
    try:
        return f"{datetime.fromisoformat(text).astimezone(UTC):%d %b %Y, %H:%M} UTC"
    except ValueError:
        return plain(text, limit=40)
