"""Clipped words spelt out: `asst mgr` as `assistant manager`, from `clippings.csv`.

Some clippings mean one thing as the head of a title and another before other words: a `lab tech` is a technician,
`tech support` is technical.
"""

from functools import cache

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings.reading import read_table

_AFTER_A_HEAD = frozenset(("", "and", "at", "for", "in", "of", "to", "with", "i", "ii", "iii", "iv"))
_BEFORE_A_FIELD = frozenset(("of", "vp"))  # `head of eng` leads engineering


def unclipped(form: str) -> str:
    """Return a folded form with its clippings spelt out."""
    words = form.split()
    spelt: list[str] = []
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        is_head = (after in _AFTER_A_HEAD or after.isdecimal()) and before not in _BEFORE_A_FIELD
        spelt.append(_clippings().get((word, is_head)) or word)
    return " ".join(spelt)


# (folded clipping, whether it is a head) -> folded word; '' where it is no clipping
@cache
def _clippings() -> dict[tuple[str, bool], str]:
    return {
        (fold(row["clipping"]), column == "as_head"): fold(row[column])
        for row in read_table("clippings.csv")
        for column in ("as_head", "before_others")
    }
