"""Panel of the review desk: one title with what decides about it, or several titles, and the verdicts."""

from collections.abc import Mapping, Sequence

import streamlit as st

from jobmatch.services.asking import after_answer, ask
from jobmatch_core.entities import Candidate, GroupOffer, LinkResult
from jobmatch_core.labelling.judging import link_pair
from jobmatch_core.linking import Linker
from jobmatch_core.linking.context import all_context_words
from jobmatch_core.linking.decisions import Choice, choice_for, enough_group, offered, offered_group
from jobmatch_core.linking.review import Review, shown_name
from jobmatch_core.linking.title_pieces import PieceKind, title_pieces
from pages.link_titles import list_decisions, occupation_choice, question_box, review_table
from pages.shared import browser, judging, sign_in
from pages.shared.annotator import shown as named
from pages.shared.annotator import with_name
from pages.shared.language import _, numeral, plural
from pages.shared.link_texts import matched_text, no_occupation_text, reason_text, rejected_text
from pages.shared.widgets import group_trail, open_own_linker, plain, without_isolates

_NAMED = 5  # selected titles listed in the panel
_WITH_KEYS = 9  # options that a digit picks
_CLOSE = 0.1  # difference of two probabilities between which the descriptions of both decide
_PIECE_MARKS = {PieceKind.READ: "**{}**", PieceKind.IGNORED: ":gray[{}]", PieceKind.UNKNOWN: ":orange[**{}**]"}
SEARCH_KEY = "panel_search"  # of the container around the search box

_Alike = Mapping[int, Sequence[int]]  # rows with the same title, by the first of them


def show(review: Review, linker: Linker, alike: _Alike, numbers: Sequence[int]) -> None:
    """Draw the panel of the selected titles, which are given by the first row of each."""
    if not numbers:
        st.caption(
            _("Select a row to decide on it.") if sign_in.may("judge") else _("Select a row to see its occupations.")
        )
        if sign_in.may("judge"):
            _undo_button(review)  # of the decision that may have emptied the table
    elif len(numbers) == 1:
        _one(review, linker, alike, numbers[0])
    else:
        _several(review, linker, numbers)
    if not sign_in.may("judge"):
        st.caption(sign_in.needed_for("judge"))


def _one(review: Review, linker: Linker, alike: _Alike, number: int) -> None:
    result, show_in = review.results[number], review.options.show
    with st.container(key="panel_title", gap="xsmall"):
        _heading(review, alike, number)
    with st.container(key="panel_options", height="stretch", gap="xsmall"):
        with st.container(key=SEARCH_KEY):
            hits = occupation_choice.search(linker, f"other_{number}", show_in)
        if not review.is_decided(number) and not hits:
            _question(review, linker, number)
        linked = offered_group(result)
        proposed: list[Choice] = [*([linked] if linked else []), *result.candidates]
        options = occupation_choice.merged(hits, proposed, review.counted(number))
        if not options:
            st.caption(_("The taxonomy has no similar name. Search for an occupation above."))
        _options(review, linker, number, options)
    if sign_in.may("judge"):
        best_hit = hits[0] if hits else None
        group = enough_group(result, lambda code: linker.taxonomy.group_name(code, show_in), best_hit)
        _verdicts(review, number, next(iter(options.values()), None), group, linker.version)


def _heading(review: Review, alike: _Alike, number: int) -> None:
    result, others = review.results[number], len(alike[number]) - 1
    more = _(" and {others} more with this title", others=numeral(others)) if others else ""
    status, reason = _(review.status(number)), review.reason(number)
    st.caption(
        _(
            "Row {row}{more} · {status}",
            row=numeral(review.row_number(number)),
            more=more,
            status=f"{status}: {reason_text(reason)}" if reason else status,
        )
    )
    st.markdown(_marked(result) or f"**{_('(empty)')}**")
    if notes := [*_spellings(review, alike[number]), *_notes(result)]:
        st.caption(" · ".join(notes))
    if review.is_decided(number) and sign_in.may("judge"):
        st.button(
            _("Clear the decision"),
            key="clear_decision",
            icon=":material/backspace:",
            type="tertiary",
            on_click=list_decisions.clear,
            args=(review, number),
            shortcut="X",
            help=_("The title is undecided again in this list, and your judgments of it are withdrawn"),
        )


def _question(review: Review, linker: Linker, number: int) -> None:
    # an answer that settles the title decides on it, like a click on what it settles it as
    result, options = review.results[number], review.options
    if result.level or not sign_in.may("judge"):
        return
    if result.rejected:  # is not asked about
        linker = open_own_linker(linker.taxonomy.manifest, groups=options.groups)
    linker = linker.with_precision_if_fitted(options.precision)
    asking = ask(linker, result.title, show=options.show, languages=options.languages)
    question = asking.question
    if question is None:
        return

    def answered(option: int) -> None:
        after = after_answer(linker, asking, question.id, option, options.show)
        choice = after.best or after.group
        if after.level and choice is not None:
            chosen = choice_for(result, choice) if isinstance(choice, Candidate) else choice
            with_name(list_decisions.decide_one, review, number, chosen, linker.version)
        else:
            st.toast(_("Still open after this answer; choose below."), icon=":material/help:")

    question_box.show(question, "panel_question", answered, folded=True)  # the candidates stay in sight


def _spellings(review: Review, numbers: Sequence[int]) -> list[str]:
    others = review.spellings(numbers)[1:]
    if not others:
        return []
    return [
        plural(
            "also for {n} spelling: {others}",
            "also for {n} spellings: {others}",
            len(others),
            others=plain(", ".join(others), limit=100),
        )
    ]


def _marked(result: LinkResult) -> str:
    title = " ".join(result.title.split())
    if len(title) > 200:
        return f"**{plain(title, limit=200)}**"
    pieces = ((piece.text, _PIECE_MARKS[piece.kind].format(plain(piece.text))) for piece in title_pieces(result))
    line = "".join(
        f"{' ' * text[:1].isspace()}{marked}{' ' * text[-1:].isspace()}" if text.strip() else " "
        for text, marked in pieces
    )
    return without_isolates(line.strip())


def _notes(result: LinkResult) -> list[str]:
    notes = []
    if result.unknown:
        notes.append(_("unknown: {words}", words=plain(", ".join(result.unknown), limit=100)))
    if result.set_aside:
        notes.append(_("ignored: {words}", words=plain(", ".join(result.set_aside), limit=100)))
    if result.seniority:
        notes.append(_("seniority: {seniority}", seniority=_(result.seniority)))
    if result.coded and not result.level:
        coded = result.coded
        notes.append(_("partly coded: {code} {name}", code=coded.code, name=plain(coded.name, limit=100)))
    if result.context:
        notes.append(plain(all_context_words(result.context), limit=400))
    if result.no_occupation:
        notes.append(plain(no_occupation_text(result.no_occupation, named), limit=400))
    elif rejected := rejected_text(result.rejected, named):
        notes.append(plain(rejected, limit=400))
    return notes


def _options(review: Review, linker: Linker, number: int, options: Mapping[occupation_choice.Identity, Choice]) -> None:
    result, may_judge = review.results[number], sign_in.may("judge")
    labels = occupation_choice.labelled(options)
    pairs = {level_and_uri: link_pair(result, choice) for level_and_uri, choice in options.items()}
    earlier = judging.judged_before(list(pairs.values()))
    first, *others = [*(choice.probability for choice in options.values()), 0.0]
    for place, (level_and_uri, choice) in enumerate(options.items(), 1):
        if may_judge:
            st.button(
                plain(labels[level_and_uri]),
                key=f"pick_{place}",
                width="stretch",
                on_click=with_name,
                args=(list_decisions.decide_one, review, number, choice, linker.version),
                shortcut=str(place) if place <= _WITH_KEYS else None,
            )
        else:
            st.markdown(f"**{plain(labels[level_and_uri])}**")
        close = place == 2 and first >= _CLOSE and first - others[0] < _CLOSE
        _describe(choice, linker, review.options.show, described=place == 1 or close)
        judging.show_earlier(earlier.get(pairs[level_and_uri], []))


def _describe(choice: Choice, linker: Linker, language: str, *, described: bool) -> None:
    if isinstance(choice, GroupOffer):
        st.caption(_("ISCO {group}", group=group_trail(linker.taxonomy.isco_path(choice.code, language))))
        return
    occupation, evidence = linker.taxonomy.occupation(choice.uri, language), choice.evidence
    name, where = plain(evidence.name, limit=100), plain(matched_text(evidence, named))
    found = (
        _("Matched “{name}”, {where}", name=name, where=where)
        if choice.probability
        else _("Found as “{name}”, {where}", name=name, where=where)
    )
    path = [group for group in occupation.isco_path[-1:] if group.name != choice.name]  # in ISCO-08 they are the same
    above = f"{plain(path[0].name, limit=60)} · " if path else ""
    st.caption(f"{above}{found}")
    if described and occupation.description:
        st.caption(plain(occupation.description, limit=160))


def _verdicts(review: Review, number: int, first: Choice | None, group: GroupOffer | None, model: str) -> None:
    # always the same buttons in the same places
    with st.container(key="verdicts", gap="xsmall"):
        left, right = st.columns(2, gap="xsmall")
        left.button(
            _("This is right"),
            key="accept",
            type="primary",
            icon=":material/check:",
            width="stretch",
            on_click=with_name,
            args=(list_decisions.decide_one, review, number, first, model),
            disabled=first is None,
            shortcut="A",
            help=_("Accepts {name}, the first of the list", name=plain(first.name, limit=100)) if first else None,
        )
        right.button(
            _("None of these"),
            key="none_of_these",
            icon=":material/block:",
            width="stretch",
            on_click=with_name,
            args=(list_decisions.decide_one, review, number, None, model),
            shortcut="N",
        )
        left, right = st.columns([5, 3], gap="xsmall")
        left.button(
            _("Group {code} is enough", code=group.code) if group else _("The group is enough"),
            key="group_enough",
            width="stretch",
            on_click=with_name,
            args=(list_decisions.decide_one, review, number, group, model),
            disabled=group is None,
            shortcut="G",
            help=_("Unit group {code} {name}", code=group.code, name=plain(group.name, limit=100)) if group else None,
        )
        with right:
            _undo_button(review)
        left, right = st.columns(2, gap="xsmall")
        left.button(
            _("Back"),
            key="back",
            icon=":material/arrow_upward:",
            type="tertiary",
            width="stretch",
            on_click=review_table.step,
            args=(-1,),
            shortcut="B",
            help=_("Shows the title above"),
        )
        right.button(
            _("Skip"),
            key="skip",
            icon=":material/arrow_downward:",
            type="tertiary",
            width="stretch",
            on_click=review_table.step,
            args=(1,),
            shortcut="S",
            help=_("Shows the title below, without a decision on this one"),
        )


def _undo_button(review: Review) -> None:
    st.button(
        _("Undo"),
        key="undo",
        width="stretch",
        on_click=list_decisions.undo,
        args=(review,),
        disabled=not review.can_undo,
        shortcut="U",
        help=_("Withdraws the last decision"),
    )


def _several(review: Review, linker: Linker, numbers: Sequence[int]) -> None:
    with st.container(key="panel_options", height="stretch", gap="xsmall"):
        st.markdown(_("**{n_numbers} titles selected**", n_numbers=numeral(len(numbers))))
        for number in numbers[:_NAMED]:
            name = plain(shown_name(review, number), limit=60) or _("nothing found")
            st.caption(f"{plain(review.results[number].title, limit=60) or _('(empty)')} → {name}")
        if len(numbers) > _NAMED:
            st.caption(_("and {n_numbers} more", n_numbers=numeral(len(numbers) - _NAMED)))
        if not sign_in.may("judge"):
            return
        key = f"several_{hash(tuple(numbers))}"
        with st.container(key=SEARCH_KEY):
            hits = occupation_choice.search(linker, f"other_{key}", review.options.show)
        proposed = occupation_choice.most_proposed([review.results[number] for number in numbers])
        choosing = occupation_choice.choose(hits, proposed, f"pick_{key}", empty=_("Or another one for all"))
        browser.leave_selects()
    shown = {number: review.counted(number) or offered(review.results[number]) for number in numbers}
    right = {number: choice for number, choice in shown.items() if choice}
    label = _("These {n_right} are right", n_right=numeral(len(right)))
    if choosing.drawn:
        label = _(
            "All {n_numbers} are {name}", n_numbers=numeral(len(numbers)), name=plain(choosing.drawn.name, limit=60)
        )
    with st.container(key="verdicts", gap="xsmall"):
        st.button(
            label,
            key="accept",
            type="primary",
            icon=":material/check:",
            width="stretch",
            on_click=with_name,
            args=(list_decisions.decide_right, review, right, numbers, choosing, linker.version),
            disabled=not (right or choosing.drawn),
            shortcut="A",
        )
        left, last = st.columns(2, gap="xsmall")
        left.button(
            _("None for all {n_numbers}", n_numbers=numeral(len(numbers))),
            key="none_of_these",
            icon=":material/block:",
            width="stretch",
            on_click=with_name,
            args=(list_decisions.decide_several, review, dict.fromkeys(numbers), linker.version),
            shortcut="N",
        )
        with last:
            _undo_button(review)
