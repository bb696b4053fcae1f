"""Colours of groups on maps, as far as possible for the colour-blind; fixed for ISCO major groups."""

from collections.abc import Sequence

from jobmatch_core.maps.items import CONFIDENCE, LABEL, MAJOR
from jobmatch_core.maps.market_items import FITS, FITS_NOT

OTHERS = "#8a949b"
# Okabe and Ito (2008) and more that stay apart from them
MAJOR_GROUPS = {
    "1": "#0072B2",
    "2": "#56B4E9",
    "3": "#009E73",
    "4": "#F0E442",
    "5": "#E69F00",
    "6": "#8C9A3A",
    "7": "#D55E00",
    "8": "#CC79A7",
    "9": "#8C564B",
    "0": "#999999",
}
_PALETTE = "#0072B2 #E69F00 #009E73 #CC79A7 #56B4E9 #D55E00 #8C9A3A #7B4FA3 #8C564B #F0E442 #17A2A2 #C0392B".split()
CONFIDENCES = {
    "confirmed": "#009E73",
    "sure": "#0072B2",
    "likely": "#56B4E9",
    "unsure": "#E69F00",
    "to check": "#999999",
}
LABELS = {FITS: "#0072B2", FITS_NOT: "#D55E00"}
MOST = len(_PALETTE)


def colours(field: str, values: Sequence[str]) -> dict[str, str]:
    """Return a colour for each of at most `MOST` values of a field."""
    if field == MAJOR:
        return {value: MAJOR_GROUPS.get(value[:1], OTHERS) for value in values}
    fixed = {CONFIDENCE: CONFIDENCES, LABEL: LABELS}.get(field, {})
    free = [colour for colour in _PALETTE if colour not in fixed.values()]
    rest = [value for value in values if value not in fixed]
    return {value: fixed[value] for value in values if value in fixed} | dict(zip(rest, free, strict=False))
