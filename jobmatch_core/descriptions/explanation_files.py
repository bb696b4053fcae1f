"""Files of an explanation: CSV of the sentences, and a self-contained HTML page with escaped texts and no script."""

import io
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.explanation_answer import answered_sentences
from jobmatch_core.descriptions.posting_skills import PostingSkill
from jobmatch_core.io.tables import write_csv_rows

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem; color: #1d2730; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .25rem .5rem; text-align: start; vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { height: .5rem; background: #1f7383; border-radius: .25rem; min-width: 1px; }
.note { color: #5b6770; font-size: .9rem; }
"""
_DARKEST = 0.45  # opacity of the darkest shade, so that text stays readable


def explanation_csv(explanation: "Explanation", view: AttentionView) -> str:
    """Return the sentences with their figures as CSV; a leading `'` neutralises spreadsheet formulas."""
    file = io.StringIO()
    rows = [
        {
            "number": number,
            "sentence": sentence.text,
            "form": sentence.form.value,
            "about": sentence.role.value,
            "attention": sentence.weight,
            "effect": sentence.shift,
            "occupations_changed": sentence.occupations_changed,
        }
        for number, sentence in enumerate(answered_sentences(explanation, view), 1)
    ]
    write_csv_rows(file, [{name: "" if value is None else value for name, value in row.items()} for row in rows])
    return file.getvalue()


def explanation_html(
    explanation: "Explanation",
    view: AttentionView,
    occupations: Sequence[tuple[str, float]],
    left_out: Sequence[int],
    skills: Sequence[PostingSkill] = (),
) -> str:
    """Return a complete HTML page, with the probable occupations without the sentences *left_out* (numbers).

    *skills* are listed with the numbers of their sentences.
    """
    weights = explanation.weights(view)
    shades = explanation.shifts if weights is None else weights
    if shades is None:
        raise ValueError("the explanation has neither attention nor effects")
    agreement = explanation.agreement_words(view)
    title = escape(explanation.posting.title or "Posting without a title")
    rows = "".join(f"<li>{escape(name)} <span class=note>{share:.2f}</span></li>" for name, share in occupations)
    note = f"<p>Rank correlation of attention and effect: {agreement}</p>" if agreement else ""
    without = f" without the sentences {', '.join(str(place + 1) for place in left_out)}" if left_out else ""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>"
        f"<body><h1>{title}</h1><p class=note>Read by {escape(explanation.model)}, shaded by "
        f"{'effect' if weights is None else 'attention'}. Effect: how far the posting's vector moves without the "
        f"sentence, 0 to 2.</p><h2>Occupations{without}</h2><ol>{rows}</ol>{_skill_list(skills)}{note}"
        "<h2>Sentences</h2><table><thead><tr>"
        "<th>#</th><th>About</th><th>Sentence</th><th>Attention</th><th>Effect</th></tr></thead><tbody>"
        + "".join(
            _row(
                explanation,
                place,
                float(shades[place]),
                float(max(shades.max(), 1e-9)),
                weights is not None,
                place in left_out,
            )
            for place in range(len(shades))
        )
        + "</tbody></table></body></html>"
    )


def _skill_list(skills: Sequence[PostingSkill]) -> str:
    if not skills:
        return ""
    rows = "".join(
        f"<li>{escape(skill.fact.name)} <span class=note>sentence {', '.join(str(n + 1) for n in skill.sentences)}"
        f"{'' if skill.probability is None else f', by meaning {skill.probability:.2f}'}</span></li>"
        for skill in skills
    )
    return f"<h2>Skills</h2><ul>{rows}</ul>"


def _row(explanation: "Explanation", place: int, shade: float, most: float, has_attention: bool, is_out: bool) -> str:
    segment, share = explanation.description.segments[place], max(shade, 0.0) / most
    text = escape(segment.content)
    effect = "" if explanation.shifts is None else f"{float(explanation.shifts[place]):.3f}"
    return (
        f"<tr><td class=number>{place + 1}</td><td>{escape(explanation.roles[place].value)}</td>"
        f'<td dir="auto" style="background: rgba(31, 115, 131, {_DARKEST * share:.2f})">'
        f"{f'<s>{text}</s>' if is_out else text}</td>"
        f"<td class=number>{f'{shade:.3f}' if has_attention else ''}"
        f'<div class=bar style="width: {100 * share:.0f}%"></div></td>'
        f"<td class=number>{effect}</td></tr>"
    )
