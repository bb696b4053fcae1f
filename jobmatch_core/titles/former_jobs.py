"""Former jobs: `teacher, formerly nurse` is a teacher's title, and `formerly nurse` is set aside.

The phrases are in `noise_words.toml`, by language.
"""

from jobmatch_core.text.folding import TextPieces, fold
from jobmatch_core.titles.noise_words import former_phrases
from jobmatch_core.titles.title_parts import TitleParts


def take_out_former_jobs(title: TitleParts) -> None:
    """Set aside what somebody did before the job of an earlier part, or of the same: `teacher, formerly nurse`."""
    parts: list[str] = []
    for part in title.parts:
        now, former = former_job_apart(part)
        if former and title.names_work(" ".join([*parts, now])):
            title.aside.append(former)
            parts += [now] if fold(now) else []
        else:
            parts.append(part)
    title.parts = parts


def former_job_apart(part: str) -> tuple[str, str]:
    """Return a part of a title before and from a phrase such as `formerly` that a job follows; from is '' without one.

    Both are as typed.
    """
    if not _first_words().intersection(fold(part).split()):
        return part, ""
    pieces = TextPieces.of(part.replace("-", " "))
    for places in pieces.named(former_phrases(begins_part=True)):
        is_anywhere = tuple(" ".join(pieces.folded[place] for place in places).split()) in former_phrases()
        if (is_anywhere or places.start == 0) and places.stop < len(pieces.spans):
            start = pieces.spans[places.start][0]
            return part[:start].strip(), part[start:].strip()
    return part, ""


def _first_words() -> frozenset[str]:
    return frozenset(phrase[0] for phrase in former_phrases(begins_part=True))
