"""File of a posting's skills: CSV, a row for each skill and sentence."""

import io
from collections.abc import Sequence

from jobmatch_core.descriptions.posting_skills import PostingSkill
from jobmatch_core.descriptions.segments import Segment
from jobmatch_core.io.tables import write_csv_rows

_COLUMNS = ("skill", "uri", "kind", "found_by", "probability", "words", "sentence_number", "sentence")


def posting_skills_csv(skills: Sequence[PostingSkill], sentences: Sequence[Segment]) -> str:
    """Return the skills of sentences as CSV, '' without any; a leading `'` neutralises spreadsheet formulas."""
    rows = [
        dict(
            zip(
                _COLUMNS,
                (
                    skill.fact.name,
                    skill.fact.uri,
                    skill.fact.kind,
                    "name" if skill.probability is None else "meaning",
                    "" if skill.probability is None else round(skill.probability, 4),
                    "; ".join(skill.fact.mentions),
                    number + 1,
                    sentences[number].content,
                ),
                strict=True,
            )
        )
        for skill in skills
        for number in skill.sentences
    ]
    if not rows:
        return ""
    file = io.StringIO()
    write_csv_rows(file, rows)
    return file.getvalue()
