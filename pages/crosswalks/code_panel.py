"""Panel of one source code: its candidates and their relations, picked by key, and the decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import streamlit as st

from jobmatch.services.crosswalk_desk import reviewed_candidates
from jobmatch.services.occupation_search import find_occupations
from jobmatch_core.crosswalks.mapping import PREDICTED, SENTENCES
from jobmatch_core.crosswalks.review import CodeDecision, Target, with_target
from jobmatch_core.crosswalks.store import StoredCrosswalk
from jobmatch_core.linking import Linker
from jobmatch_core.text.locales import ENGLISH
from pages.shared import browser, sign_in
from pages.shared.annotator import given_name, shown, with_name
from pages.shared.language import _, capital, numeral
from pages.shared.text_limits import cut
from pages.shared.widgets import errors_deferred, group_trail, plain

CODE_KEY = "crosswalk_code"  # the code that the panel shows
SEARCH_KEY = "crosswalk_search"
_MAX_COMMENT = 500  # characters
_DRAFT_KEY, _COMMENT_KEY, _UNDO_KEY = "crosswalk_draft", "crosswalk_comment", "crosswalk_undo"
_WITH_KEYS, _HITS = 9, 5  # candidates that a digit picks; those that a search finds
_KEYS = dict(zip(PREDICTED, "ENBO", strict=True))  # C and R are the browser's


@dataclass
class _Draft:
    # what would be stored for a code
    of: tuple[str, str, str]  # crosswalk, code, reviewer
    targets: dict[str, Target]
    focus: str = ""  # URI of the candidate that a relation's key is for
    words: str | None = None  # the search that the candidates are listed for; None before they are
    more: bool = False  # whether candidates that are hardly probable are listed, too
    names: dict[str, str] = field(default_factory=dict)  # of the candidates, by URI; they stay where they are


def after(codes: Sequence[str], current: str) -> str:
    """Return the code below the current one in the table, or the first one."""
    place = codes.index(current) + 1
    return codes[place % len(codes)]


def show(stored: StoredCrosswalk, linker: Linker, code: str, following: str, conflicts: Sequence[str]) -> None:
    """Draw the panel.

    Args:
        stored: The open crosswalk.
        linker: Linker of the target taxonomy.
        code: The source code.
        following: The code that is shown after a decision.
        conflicts: What contradicts itself in the code's mappings.
    """
    language = stored.card.language if stored.card.language in linker.taxonomy.manifest.languages else ENGLISH
    draft = _draft(stored, code)
    with st.container(key="panel_title", gap="xsmall"):
        _heading(stored, code, conflicts)
        _others(stored, code)
    with st.container(key="panel_options", height="stretch", gap="xsmall"):
        with st.container(key=SEARCH_KEY):
            words = st.text_input(
                _("Another concept"),
                key=f"search_{stored.id}_{code}",
                placeholder=_("Search for another concept"),
                icon=":material/search:",
                label_visibility="collapsed",
            ).strip()
        if draft.words != words:
            _list_candidates(stored, linker, draft, words, language)
        if not draft.names:
            st.caption(_("No concept matches these words.") if words else _("The taxonomy has no similar name."))
        for place, (uri, name) in enumerate(draft.names.items(), 1):
            _candidate(stored, linker, draft, place, uri, name, language)
        if not draft.more and draft.names:
            st.button(
                _("More candidates"), key="more", type="tertiary", on_click=_list_more, args=(draft,), shortcut="M"
            )
    if sign_in.may("judge"):
        _verdicts(stored, linker, draft, code, following, language)
    else:
        st.caption(sign_in.needed_for("judge"))


def _draft(stored: StoredCrosswalk, code: str) -> _Draft:
    of = stored.id, code, given_name()
    draft: _Draft | None = st.session_state.get(_DRAFT_KEY)
    if draft is None or draft.of != of:
        targets = stored.review.draft(code, given_name())
        draft = st.session_state[_DRAFT_KEY] = _Draft(of, targets, next(iter(targets), ""))
        own = [decision.comment for decision in stored.review.decisions(code) if decision.by == given_name()]
        st.session_state[_COMMENT_KEY] = next(iter(own), "")
    return draft


def _list_candidates(stored: StoredCrosswalk, linker: Linker, draft: _Draft, words: str, language: str) -> None:
    # what is searched for, what is drafted, then the candidates
    taxonomy = linker.taxonomy
    hits = find_occupations(words, linker, None, show=language, limit=_HITS) if words else []
    found = reviewed_candidates(stored.review, draft.of[1], linker)
    concepts = found.concepts[:_WITH_KEYS] if draft.more else found.worth_reading
    names = {hit.uri: hit.name for hit in hits}
    for uri, name in (
        *((uri, target.name) for uri, target in draft.targets.items()),
        *((taxonomy.uris[concept], taxonomy.name(concept, language)) for concept in concepts.tolist()),
    ):
        names.setdefault(uri, name)
    draft.words, draft.names = words, dict(list(names.items())[:_WITH_KEYS])
    if words or draft.focus not in names:
        draft.focus = next(iter(names), "")


def _heading(stored: StoredCrosswalk, code: str, conflicts: Sequence[str]) -> None:
    source = stored.review.codes[code]
    parent = stored.review.codes.get(source.parent)
    above = _(" · in {code} {name}", code=plain(parent.code), name=plain(parent.name, limit=60)) if parent else ""
    st.caption(f"{plain(code)} · {_(stored.review.state(code))}{above}")
    st.markdown(f"**{plain(source.name, limit=200)}**")
    if source.description:
        st.caption(plain(source.description, limit=300))
    for text in conflicts:
        st.warning(plain(text, limit=600), icon=":material/warning:")


def _candidate(
    stored: StoredCrosswalk, linker: Linker, draft: _Draft, place: int, uri: str, name: str, language: str
) -> None:
    target = draft.targets.get(uri)
    label = f"{f'**{_(target.relation)}** · ' if target else ''}{plain(name, limit=120)}"
    if sign_in.may("judge"):
        st.button(
            label,
            key=f"pick_{place}",
            type="primary" if target and uri == draft.focus else "secondary",
            icon=":material/check:" if target else None,
            width="stretch",
            on_click=_pick,
            args=(draft, uri),
            shortcut=str(place) if place <= _WITH_KEYS else None,
        )
    else:
        st.markdown(label)
    code = draft.of[1]
    proposed = next((item for item in stored.review.mappings(code) if item.target == uri and item.probability), None)
    facts = []
    if linker.taxonomy.has_concept(uri):
        occupation = linker.taxonomy.occupation(uri, language)
        facts.append(group_trail(occupation.isco_path[-1:]))
        description = occupation.description
    else:
        facts.append(_("not in this taxonomy"))
        description = ""
    if proposed and proposed.probability:
        facts.append(
            _(
                "proposed as {relation}, probability {probability}",
                relation=_(proposed.relation),
                probability=numeral(proposed.probability, 2),
            )
        )
    st.caption(" · ".join(filter(None, facts)))
    if uri == draft.focus and description:
        st.caption(plain(description, limit=240))


def _others(stored: StoredCrosswalk, code: str) -> None:
    # only to those who have decided themselves, so that a second review is not led
    decisions = stored.review.decisions(code)
    if given_name() not in [decision.by for decision in decisions]:
        return
    for decision in decisions:
        if decision.by != given_name():
            words = _listed(decision.targets or {})
            comment = f" ({plain(decision.comment)})" if decision.comment else ""
            st.caption(
                _(
                    "{name} decided: {words}{comment}",
                    name=plain(shown(decision.by), limit=40),
                    words=words,
                    comment=comment,
                )
            )


def _listed(targets: Mapping[str, Target]) -> str:
    words = [f"{_(SENTENCES[target.relation])} {plain(target.name, limit=80)}" for target in targets.values()]
    return "; ".join(words) or _("no concept")


def _verdicts(stored: StoredCrosswalk, linker: Linker, draft: _Draft, code: str, following: str, language: str) -> None:
    with st.container(key="verdicts", gap="xsmall"):
        with st.container(horizontal=True, gap="xsmall", key="crosswalk_relations"):
            chosen = draft.targets.get(draft.focus)
            for relation, key in _KEYS.items():
                st.button(
                    capital(_(relation)),
                    key=f"relation_{relation}",
                    type="primary" if chosen and chosen.relation == relation else "secondary",
                    on_click=_relate,
                    args=(draft, relation),
                    disabled=not draft.focus,
                    shortcut=key,
                    help=_("The code {sentence} the marked concept", sentence=_(SENTENCES[relation])),
                )
        st.text_input(_("Why (optional)"), key=_COMMENT_KEY, on_change=cut, args=(_COMMENT_KEY, _MAX_COMMENT))
        left, right = st.columns([5, 3], gap="xsmall")
        left.button(
            _("Confirm and next"),
            key="accept",
            type="primary",
            icon=":material/check:",
            width="stretch",
            on_click=with_name,
            args=(_decide, stored, code, dict(draft.targets), following),
            disabled=not draft.targets,
            shortcut="Enter",
            help=f"{code}: {_listed(draft.targets)}",
        )
        right.button(
            _("No concept"),
            key="none_of_these",
            width="stretch",
            on_click=with_name,
            args=(_decide, stored, code, {}, following),
            shortcut="0",
        )
        first, second, third, fourth = st.columns(4, gap="xsmall")
        with first:
            undo_button(stored)
        second.button(
            _("Remove"),
            key="remove",
            width="stretch",
            on_click=_remove,
            args=(draft,),
            disabled=draft.focus not in draft.targets,
            shortcut="X",
            help=_("Removes the marked concept"),
        )
        third.button(
            _("Group"),
            key="group",
            width="stretch",
            on_click=_list_group,
            args=(stored, draft, linker, language),
            disabled=not draft.focus,
            shortcut="G",
            help=_("Lists the unit group of the marked concept, for codes that are broader than several of them"),
        )
        fourth.button(
            _("Skip"),
            key="skip",
            type="tertiary",
            width="stretch",
            on_click=st.session_state.update,
            args=({CODE_KEY: following},),
            shortcut="S",
        )
    browser.announce(f"{code} {stored.review.codes[code].name}: {_listed(draft.targets)}")


def undo_button(stored: StoredCrosswalk) -> None:
    """Draw the button that takes back the last decision of this session."""
    done: list[tuple[CodeDecision, CodeDecision]] = st.session_state.get(f"{_UNDO_KEY}_{stored.id}", [])
    st.button(
        _("Undo"),
        key="undo",
        width="stretch",
        on_click=_undo,
        args=(stored,),
        disabled=not done,
        shortcut="U",
        help=_("Takes back your last decision"),
    )


def _pick(draft: _Draft, uri: str) -> None:
    draft.focus = uri
    draft.targets = with_target(draft.targets, uri, draft.names[uri])


def _list_more(draft: _Draft) -> None:
    draft.more, draft.words = True, None  # they are listed anew


def _list_group(stored: StoredCrosswalk, draft: _Draft, linker: Linker, language: str) -> None:
    taxonomy = linker.taxonomy
    group = taxonomy.isco_codes[taxonomy.number(draft.focus)] if taxonomy.has_concept(draft.focus) else ""
    concepts = [taxonomy.number(uri) for uri in taxonomy.occupations_in(group) if group]
    ordered = reviewed_candidates(stored.review, draft.of[1], linker).ordered(concepts)
    members = {taxonomy.uris[concept]: taxonomy.name(concept, language) for concept in ordered}
    drafted = {uri: target.name for uri, target in draft.targets.items()}
    draft.names = {draft.focus: draft.names[draft.focus]} | drafted | members


def _relate(draft: _Draft, relation: str) -> None:
    draft.targets[draft.focus] = Target(draft.names[draft.focus], relation)


def _remove(draft: _Draft) -> None:
    draft.targets.pop(draft.focus, None)


def _decide(stored: StoredCrosswalk, code: str, targets: dict[str, Target], following: str) -> None:
    with errors_deferred():
        reviewer = given_name()
        own = [decision for decision in stored.review.decisions(code) if decision.by == reviewer]
        now = datetime.now(UTC).isoformat(timespec="seconds")
        comment = " ".join(str(st.session_state.get(_COMMENT_KEY) or "").split())
        decision = CodeDecision(code, reviewer, now, targets, comment)
        stored.decide(decision)
        before = next(iter(own), CodeDecision(code, reviewer, now, None))
        st.session_state.setdefault(f"{_UNDO_KEY}_{stored.id}", []).append((decision, before))
        st.session_state[CODE_KEY] = following
        st.session_state.pop(_DRAFT_KEY, None)


def _undo(stored: StoredCrosswalk) -> None:
    with errors_deferred():
        decision, before = st.session_state[f"{_UNDO_KEY}_{stored.id}"].pop()
        stored.refresh()
        if decision not in stored.review.decisions(decision.code):
            st.toast(_("Nothing was undone: this code was decided in another tab."), icon=":material/info:")
            return
        stored.decide(before)
        st.session_state[CODE_KEY] = decision.code
        st.session_state.pop(_DRAFT_KEY, None)
        st.toast(_("Undone: the decision on {code}.", code=plain(decision.code)), icon=":material/undo:")
