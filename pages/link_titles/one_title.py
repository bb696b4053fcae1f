"""View 'One title': the title, its candidates, and the evidence for each."""

from dataclasses import replace

import streamlit as st

from jobmatch.services.asking import Asking, after_answer, answer_judgments, ask
from jobmatch_core.entities import Candidate, GroupOffer, LinkResult
from jobmatch_core.judged_title import OwnName
from jobmatch_core.labelling.judging import decided, link_pair, link_provenance
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import choice_for, offered_group
from jobmatch_core.linking.link_words import confidence_word
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.questions.question import NONE_OF_THESE
from jobmatch_core.questions.wording import wording
from jobmatch_core.text.folding import visible
from jobmatch_core.titles.cleaning import MAX_TITLE_LENGTH
from pages.link_titles import occupation_choice, question_box
from pages.link_titles.occupation_choice import Choosing
from pages.shared import judging, occupation_view, resources, sign_in
from pages.shared.annotator import given_name, with_name
from pages.shared.annotator import shown as named
from pages.shared.browser import announce
from pages.shared.language import _, capital, language_name, numeral
from pages.shared.link_texts import acceptance, job_text, no_occupation_text, reason_text
from pages.shared.occupation_view import VERDICTS
from pages.shared.widgets import plain

TITLE_KEY = "title"
_POLICY = "link-titles"  # stored with the judgments given here
_PICKED_KEY = "picked"
_ANSWER_KEY = "answer"  # id of the question that was answered last, and the option


def show(linker: Linker, options: ListOptions) -> None:
    """Draw the input and the answer."""
    examples = resources.example_titles(linker)
    if TITLE_KEY not in st.session_state:
        st.session_state[TITLE_KEY] = examples[0] if examples else ""
    title = st.text_input(
        _("Job title in any language"),
        key=TITLE_KEY,
        placeholder=_("Type a job title and press Enter"),
        icon=":material/search:",
        persist_state="session",
    )
    _examples(examples)
    if not title.strip():
        st.info(_("Type a job title above and press Enter, or click one of the examples."), icon=":material/edit:")
        return
    linker = linker.with_precision_if_fitted(options.precision)
    asking = ask(linker, title, show=options.show, languages=options.languages)
    given, asking = _after_answer(linker, asking, options.show)
    result = asking.shown(options.top)
    with st.container():  # keeps the cards in their places, whatever stands above them
        _remarks(title, result)
        judging.show_unsaved()
        if linked := offered_group(result):
            _unit_group(linked, result, linker.version)
        elif result.no_occupation:
            _no_occupation(result, result.no_occupation, linker.version)
        elif not result.candidates:
            _nothing(result, linker.taxonomy.manifest.languages)
            _search_instead(title, linker.taxonomy.id)
        elif result.abstained:
            _abstained(result)
        _question(linker, asking, given, options.show)
        if result.abstained and result.candidates:
            st.caption(_("Best guesses, please check:"))
    _cards(linker, result, options)
    _rejected(linker, result)
    _pick_another(linker, result, options)
    announce(_spoken(result))


def _spoken(result: LinkResult) -> str:
    if group := offered_group(result):
        return _(
            "{title}: unit group {code} {name}, probability {probability}. None of its occupations alone "
            "is sure enough.",
            title=visible(result.title),
            code=group.code,
            name=visible(group.name),
            probability=numeral(group.probability, 2),
        )
    if result.best is None:
        return _(
            "{title}: no confident match, {reason}.", title=visible(result.title), reason=reason_text(result.reason)
        )
    return _(
        "{title}: {name}, probability {probability}.",
        title=visible(result.title),
        name=visible(result.best.name),
        probability=numeral(result.best.probability, 2),
    )


def _after_answer(linker: Linker, asking: Asking, show: str) -> tuple[int | None, Asking]:
    # the answer that was given to the question on this title, and the link after it
    question, given = asking.question, st.session_state.get(_ANSWER_KEY)
    if question is None or given is None or given[0] != question.id:
        return None, asking
    return given[1], replace(asking, result=after_answer(linker, asking, question.id, given[1], show))


def _question(linker: Linker, asking: Asking, given: int | None, show: str) -> None:
    question = asking.question
    if question is None:
        return
    if given is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            said = wording(question.language).none if given == NONE_OF_THESE else question.options[given].text
            st.caption(_("Answered: “{said}”", said=plain(said)), width="content")
            st.button(
                _("Change"), key="change_answer", type="tertiary", on_click=st.session_state.pop, args=(_ANSWER_KEY,)
            )
        return

    def answered(option: int) -> None:
        st.session_state[_ANSWER_KEY] = (question.id, option)
        if sign_in.may("judge") and option != NONE_OF_THESE:
            with_name(_record, linker, asking, option, show)

    question_box.show(question, "question", answered)


def _record(linker: Linker, asking: Asking, option: int, show: str) -> None:
    # one person's answer, which no later link of the title takes as accepted
    if asking.question is not None:
        after = after_answer(linker, asking, asking.question.id, option, show)
        judging.save(answer_judgments(linker, asking, after, option, given_name()))


def _examples(examples: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if examples:
            st.caption(_("Try:"), width="content")
        for number, example in enumerate(examples):
            st.button(
                plain(example),
                key=f"example_{number}",
                type="tertiary",
                on_click=st.session_state.update,
                args=({TITLE_KEY: example},),
            )


def _remarks(title: str, result: LinkResult) -> None:
    if result.seniority:
        st.caption(_("Seniority: {seniority}", seniority=_(result.seniority)))
    if result.jobs:
        st.caption(_("Names several jobs: {jobs}", jobs=", ".join(plain(job_text(job)) for job in result.jobs)))
    if result.set_aside:
        pieces = ", ".join(plain(piece, limit=100) for piece in result.set_aside)
        st.caption(_("Ignored: {pieces}", pieces=pieces))
    if len(title) > MAX_TITLE_LENGTH:
        st.caption(_("Only the first {max_title_length} characters were used.", max_title_length=MAX_TITLE_LENGTH))


def _unit_group(group: GroupOffer, result: LinkResult, model: str) -> None:
    pair = link_pair(result, group)
    earlier = judging.judged_before([pair])
    with st.container(border=True, key="unit_group", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"#### {plain(group.code)} {plain(group.name)}", width="stretch")
            st.progress(
                min(group.probability, 1.0),
                text=_(
                    "Probability {probability} · **{confidence}**",
                    probability=numeral(group.probability, 2),
                    confidence=_(confidence_word(group.probability)),
                ),
                width=occupation_view.PROBABILITY_WIDTH,
            )
            provenance = link_provenance(result, group, policy=_POLICY, model=model)
            judging.verdicts(pair, provenance, VERDICTS, earlier, key="judge_group", width="content")
        unsure = (
            _("none of its occupations alone is sure enough; choose one below, or accept the group")
            if sign_in.may("judge")
            else _("none of its occupations alone is sure enough")
        )
        why = acceptance(group.own, named) if group.own else unsure
        st.caption(_("ISCO-08 unit group. {why}.", why=plain(capital(why))))
        judging.show_others(pair, earlier)


def _no_occupation(result: LinkResult, own: OwnName, model: str) -> None:
    pair = link_pair(result, None)
    earlier = judging.judged_before([pair])
    with st.container(border=True, key="no_occupation", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(capital(no_occupation_text(own, named))), width="stretch")
            provenance = link_provenance(result, None, policy=_POLICY, model=model)
            judging.verdicts(pair, provenance, VERDICTS, earlier, key="judge_none", width="content")
        judging.show_others(pair, earlier)


def _abstained(result: LinkResult) -> None:
    text = _("**No confident match.** {reason}.", reason=capital(reason_text(result.reason)))
    if result.group:
        group = result.group
        text += _(
            " It most likely belongs to the ISCO group **{code} {name}** (probability {probability}).",
            code=plain(group.code),
            name=plain(group.name),
            probability=numeral(group.probability, 2),
        )
    st.warning(text, icon=":material/help:")
    _search_instead(result.title, result.taxonomy)


def _nothing(result: LinkResult, languages: tuple[str, ...]) -> None:
    names = ", ".join(sorted(language_name(code) for code in languages))
    st.warning(
        _(
            "**Nothing found** for “{title}”: {reason}. This taxonomy has names in {names}. Try another "
            "spelling, or another taxonomy at the top.",
            title=plain(result.title, limit=80),
            reason=reason_text(result.reason),
            names=names,
        ),
        icon=":material/search_off:",
    )


def _search_instead(title: str, taxonomy_id: str) -> None:
    st.page_link(
        "pages/search/search.py",
        label=_("Search by a description of the work instead"),
        icon=":material/search:",
        query_params={"query": title[:MAX_TITLE_LENGTH], "in": "occupations", "taxonomy": taxonomy_id},
    )


def _cards(linker: Linker, result: LinkResult, options: ListOptions) -> None:
    uris = {candidate.uri for candidate in result.candidates}
    picked = [candidate for candidate in _picked(result.title) if candidate.uri not in uris]
    shown = [*result.candidates, *picked]
    choices = [choice_for(result, candidate) for candidate in shown]
    pairs = [link_pair(result, choice) for choice in choices]
    earlier = judging.judged_before(pairs)
    group = offered_group(result)
    outside = [candidate for candidate in result.candidates if group and not candidate.isco.startswith(group.code)]
    for rank, (candidate, choice, pair) in enumerate(zip(shown, choices, pairs, strict=True), 1):
        if outside and candidate is outside[0]:
            st.caption(_("Occupations of other unit groups:"))
        if candidate not in picked or pair in earlier:
            guess = result.abstained or (group is not None and not candidate.isco.startswith(group.code))
            occupation_view.show_candidate(
                candidate,
                rank,
                linker.taxonomy,
                options.show,
                guess=guess,
                pair=pair,
                earlier=earlier,
                provenance=link_provenance(result, choice, policy=_POLICY, model=linker.version),
            )


def _rejected(linker: Linker, result: LinkResult) -> None:
    if not result.rejected:
        return
    st.caption(_("Not offered for this title, because it was rejected:"))
    pairs = [link_pair(result, choice) for choice in result.rejected]
    earlier = judging.judged_before(pairs)
    for number, (choice, pair) in enumerate(zip(result.rejected, pairs, strict=True), 1):
        with st.container(border=True, key=f"rejected_{number}", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(
                    _(":gray[{name} ISCO {isco}]", name=plain(choice.name), isco=plain(choice.isco) or _("unknown")),
                    width="stretch",
                )
                provenance = link_provenance(result, choice, policy=_POLICY, model=linker.version)
                judging.verdicts(pair, provenance, VERDICTS, earlier, key=f"reject_{number}", width="content")
            judging.show_others(pair, earlier)


def _pick_another(linker: Linker, result: LinkResult, options: ListOptions) -> None:
    if not sign_in.may("judge"):
        return
    another = st.expander(_("Pick another occupation"), key="pick_another", icon=":material/edit:", on_change="rerun")
    if not another.open:
        return
    with another:
        hits = occupation_choice.search(linker, f"pick_{result.title}", options.show)
        if not hits:
            st.caption(
                _("Search by any name in any language. The occupation you pick is linked to this title from now on.")
            )
            return
        listed = {candidate.uri for candidate in (*result.candidates, *_picked(result.title))}
        others = [hit for hit in hits if hit.uri not in listed]
        if not others:
            st.caption(_("All search hits are listed above."))
            return
        choosing = occupation_choice.choose(others, (), "picked")
        st.button(
            _("This is right"),
            key="pick_right",
            type="primary",
            icon=":material/check:",
            on_click=with_name,
            args=(_pick, result, choosing, linker.version),
        )


def _pick(result: LinkResult, choosing: Choosing, model: str) -> None:
    candidate = choosing.now()
    if not isinstance(candidate, Candidate):
        return
    st.session_state[_PICKED_KEY] = (result.title, [*_picked(result.title), candidate])
    if judging.save(decided(result, choice_for(result, candidate), given_name(), policy=_POLICY, model=model)):
        st.toast(_("Saved: right."), icon=":material/check:")


def _picked(title: str) -> list[Candidate]:
    picked_title, picked = st.session_state.get(_PICKED_KEY, ("", []))
    return picked if picked_title == title else []
