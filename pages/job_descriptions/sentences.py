"""A posting's sentences, shaded by attention or effect; a click leaves a sentence out.

The component's script inserts texts as text, never as HTML; its own HTML, style and script are constants.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.segments import SentenceRole
from pages.job_descriptions import model_choice
from pages.job_descriptions.posting_choice import OUT_KEY, restore_all, show_example_note
from pages.shared.choices import select_segment
from pages.shared.language import N_, _, numeral, plural, translated
from pages.shared.widgets import plain

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

ROLE_SIGNS = {SentenceRole.REQUIREMENT: "◆", SentenceRole.TASK: "▶", SentenceRole.OFFER: "✚", SentenceRole.OTHER: "○"}
ATTENTION, EFFECT = N_("attention"), N_("effect")
SHADINGS = {EFFECT: N_("What decides"), ATTENTION: N_("Where the model looks")}
_SHADE_KEY, _COMPONENT_KEY = "describe_shade", "describe_sentences"
_SHORT = 60  # letters of a sentence in a list
_CSS = """
#sentences { container-type: inline-size; }
.row { display: grid; grid-template-columns: 6.6rem 1fr 4rem; gap: .6rem; width: 100%; border: 0;
  padding: .22rem .3rem; background: transparent; color: var(--st-text-color); font: inherit;
  font-size: .93rem; line-height: 1.4; text-align: start; cursor: pointer; border-radius: .35rem; align-items: start; }
.row:hover { outline: 1px solid var(--st-border-color); }
.row:focus-visible { outline: 2px solid var(--st-primary-color); }
.role { font-size: .78rem; opacity: .8; white-space: nowrap; padding-top: .1rem; }
.text { border-radius: .25rem; padding: 0 .3rem; overflow-wrap: anywhere; }
.heading .text { font-weight: 600; }
.weight { font-size: .78rem; padding-top: .35rem; }
.bar { height: .5rem; border-radius: .25rem; background: var(--st-primary-color); min-width: 1px; }
.out .text { text-decoration: line-through; background: transparent !important; opacity: .6; }
.out .bar { background: transparent; border: 1px dashed var(--st-text-color); }
@container (max-width: 34rem) {
  .row { grid-template: "role weight" auto "text text" auto / 1fr 4rem; gap: .1rem .6rem; padding: .4rem .1rem; }
  .role { grid-area: role; }
  .weight { grid-area: weight; }
  .text { grid-area: text; font-size: 1rem; }
}
"""
_JS = """
export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const list = parentElement.querySelector("#sentences");
  list.setAttribute("aria-label", data.label);
  list.replaceChildren(...data.rows.map((row) => {
    const line = document.createElement("button");
    line.className = "row" + (row.out ? " out" : "") + (row.heading ? " heading" : "");
    line.setAttribute("aria-pressed", String(row.out));
    line.title = row.hint;
    const cell = (name, text) => {
      const span = document.createElement("span");
      span.className = name;
      span.textContent = text;
      line.append(span);
      return span;
    };
    cell("role", row.role);
    const text = cell("text", row.text);
    text.dir = "auto";
    text.style.background = `color-mix(in srgb, var(--st-primary-color) ${row.shade}%, transparent)`;
    const weight = cell("weight", row.out ? data.leftOut : "");
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", row.value);
    bar.style.width = `${row.share}%`;
    weight.append(bar);
    line.onclick = () => setTriggerValue("toggled", row.number);
    return line;
  }));
}
"""
_sentences = st.components.v2.component(
    "jobmatch_sentences", html='<div id="sentences" role="group"></div>', css=_CSS, js=_JS
)
_DARKEST = 42  # per cent of the accent colour behind a text, so that it stays readable in both themes


@dataclass(frozen=True, slots=True)
class PostingView:
    """Selected view of a posting."""

    view: AttentionView  # layer and head of the attention
    shaded_by: str  # `ATTENTION` or `EFFECT`
    left_out: tuple[int, ...]  # numbers of the sentences left out, from 0


def show(explanation: "Explanation") -> PostingView:
    """Draw the sentences with the choice of their shading; a click on one leaves it out."""
    description = explanation.description
    n_sentences = len(description.segments)
    view = model_choice.chosen_view(description.attention)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{plain(explanation.posting.title) or _('Posting without a title')}**", width="content")
        show_example_note()
    if not n_sentences:
        st.info(
            _("The description has no sentences, so only the title is used. Add text above."),
            icon=":material/short_text:",
        )
        return PostingView(view, EFFECT, ())
    shaded_by = _choose_shading(explanation)
    left_out = tuple(sorted({place for place in st.session_state.get(OUT_KEY, ()) if 0 <= place < n_sentences}))
    rows = _rows(explanation, shaded_by, view, left_out)
    labels = {"label": _("Sentences"), "leftOut": _("left out")}
    _sentences(data={"rows": rows, **labels}, key=_COMPONENT_KEY, on_toggled_change=_toggle)
    _say_left_out(len(left_out))
    if n_sentences == 1:
        st.info(
            _("This posting has only one sentence, so there is nothing to compare it with. Add more of its text."),
            icon=":material/short_text:",
        )
    elif (agreement := explanation.agreement(view)) is not None:
        correlation = agreement_text(explanation, view)
        st.caption(_("{looks} Rank correlation {correlation}.", looks=_looks(agreement), correlation=correlation))
    return PostingView(view, shaded_by, left_out)


def values(explanation: "Explanation", shaded_by: str, view: AttentionView) -> Sequence[float]:
    """Return each sentence's attention or effect; empty if the model has none."""
    weights = explanation.weights(view) if shaded_by == ATTENTION else explanation.shifts
    return [] if weights is None else [float(weight) for weight in weights]


def agreement_text(explanation: "Explanation", view: AttentionView) -> str:
    """Return the rank correlation of attention and effect with the number of sentences; '' without one of both."""
    weights, agreement = explanation.weights(view), explanation.agreement(view)
    if weights is None or explanation.shifts is None:
        return ""
    if agreement is not None:
        return f"{numeral(agreement, 2)} (n = {len(weights)})"
    from jobmatch_core.descriptions.explanation import FEWEST_RANKED  # torch takes seconds

    if len(weights) < FEWEST_RANKED:
        return _("too few sentences for a rank correlation (n = {n})", n=len(weights))
    return _("no rank correlation, all are equal (n = {n})", n=len(weights))


def short(text: str, number: int) -> str:
    """Return a sentence's label for lists: its number and first letters."""
    return f"{number + 1} · {text if len(text) <= _SHORT else text[:_SHORT].rstrip() + '…'}"


def _choose_shading(explanation: "Explanation") -> str:
    if explanation.description.attention is None:
        st.caption(_("This model has no attention. Darker sentences decide more."))
        return EFFECT
    if explanation.shifts is None:
        st.caption(_("The model looks more at darker sentences."))
        return ATTENTION
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            _("Shade by"),
            width="content",
            help=_(
                "What decides: how much the reading of the posting changes without the sentence. Where the "
                "model looks: the sentence's share of the model's attention."
            ),
        )
        return select_segment(_("Shade by"), translated(SHADINGS), _SHADE_KEY)


def _looks(agreement: float) -> str:
    if agreement >= 0.5:
        return _("The model looks at the sentences that decide.")
    if agreement >= 0.2:
        return _("The model looks at some of the sentences that decide.")
    return _("The model does not look at the sentences that decide.")


def _rows(
    explanation: "Explanation", shaded_by: str, view: AttentionView, left_out: Sequence[int]
) -> list[dict[str, object]]:
    numbers = values(explanation, shaded_by, view)
    most = max(numbers) or 1.0
    return [
        {
            "number": place,
            "text": segment.content,
            "heading": segment.kind == "heading",
            "role": f"{ROLE_SIGNS[role]} {_(role)}",
            "value": f"{_(shaded_by)} {numeral(number, 3)}",
            "share": round(100 * max(number, 0.0) / most),
            "shade": round(_DARKEST * max(number, 0.0) / most),
            "out": place in left_out,
            "hint": f"{_(shaded_by)} {numeral(number, 3)}{_effect(explanation, place)}",
        }
        for place, (segment, role, number) in enumerate(
            zip(explanation.description.segments, explanation.roles, numbers, strict=True)
        )
    ]


def _effect(explanation: "Explanation", place: int) -> str:
    if explanation.shifts is None or explanation.changed is None:
        return ""
    return _(
        "; effect {shift}; without it {changed} of the 5 nearest occupations are different",
        shift=numeral(explanation.shifts[place], 3),
        changed=explanation.changed[place],
    )


def _say_left_out(count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not count:
            st.caption(_("Click a sentence to leave it out; the answer follows."))
            return
        st.markdown(
            plural("The answer is without **{n} sentence**.", "The answer is without **{n} sentences**.", count),
            width="content",
        )
        st.button(_("Restore"), key="describe_put_back", icon=":material/undo:", type="tertiary", on_click=restore_all)


def _toggle() -> None:
    number = st.session_state[_COMPONENT_KEY].toggled
    if isinstance(number, int):
        st.session_state[OUT_KEY] = sorted(set(st.session_state.get(OUT_KEY, ())) ^ {number})
