"""Choice of the queue: policy, languages, shares, and suggestions for an empty queue."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch.services.annotation_desk import Desk, next_pairs
from jobmatch_core.entities import Pair
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import DISAGREE, POLICIES, SECOND_OPINION, UNCERTAIN, QueueSettings
from jobmatch_core.quotas import Quotas
from jobmatch_core.text.locales import LANGUAGE_NAMES
from pages.label_pairs import pair_view
from pages.shared import browser, label_market, market_choice, markets, resources, sign_in
from pages.shared.annotator import given_name
from pages.shared.choices import select
from pages.shared.label_market import Given
from pages.shared.language import N_, _, language_name, numeral, percent, plural
from pages.shared.market_choice import Market
from pages.shared.page_links import page_link
from pages.shared.widgets import finished

_LANGUAGES_KEY = "label_languages"
_COOKIE = "jobmatch_languages"
_QUEUE_KEY, _SHARE_KEY, _CATEGORY_KEY, _GOAL_KEY = "label_queue", "label_share", "label_category", "label_goal"
ADDRESS = {"queue": _QUEUE_KEY, "category": _CATEGORY_KEY}
_OWN_SHARE_KEY = "label_own_share"
_GIVEN = "given"
_DESK_KEY, _REVIEWING_KEY, _SEEN_KEY = "label_desk", "label_reviewing", "label_given_seen"
_LONGEST_QUEUE = 20_000
_DEFAULT_GOAL = 50
_DEFAULT_SHARE = 20
_NEXT = (UNCERTAIN, SECOND_OPINION)  # which together offer all pairs that are left
_OWN_SHARE = N_("Your share of this queue is judged, or others are judging its last pairs now.")


@dataclass(frozen=True, slots=True)
class Queue:
    """Selected queue."""

    market: Market  # marketplace of the pairs
    settings: QueueSettings  # the policy, the share of second opinions, and the quotas
    category: str  # category of projects, '' for all
    languages: tuple[str, ...]  # Two-letter codes allowed on both sides; empty for all
    goal: int  # pairs that the annotator wants to judge per day
    given: Given | None  # pairs chosen by hand, instead of a policy
    reviewing: bool  # whether similarity, rank and model are shown before the verdict


def choose(bar: DeltaGenerator) -> Queue:
    """Draw the choices in a popover in *bar*, labelled with the queue; the browser remembers the languages.

    Raises:
        JobMatchError: a marketplace cannot be made or read.
    """
    manifest = market_choice.selected_marketplace(label_market.MARKET_KEY)
    given = label_market.given(manifest.name)
    names = _policy_names(given)
    with bar, st.popover(names[st.session_state[_QUEUE_KEY]], icon=":material/tune:", key="label_choices"):
        market_choice.select_marketplace(
            "projects",
            key=label_market.MARKET_KEY,
            width="stretch",
            explanation=_("The projects and freelancers to judge."),
        )
        policy = _policy(names)
        quotas = resources.label_store().quotas()
        own_share = _own_share(quotas)
        languages = _languages()
        model = label_market.choose_model()
        market = market_choice.open_market(manifest, model)
        category, share = _category(market), _share(quotas)
        st.session_state.setdefault(_GOAL_KEY, _DEFAULT_GOAL)
        goal = int(
            st.number_input(_("Daily goal, in pairs"), 1, 10_000, step=10, key=_GOAL_KEY, persist_state="session")
        )
        reviewing = st.toggle(
            _("Show similarity, rank and model before the verdict"),
            key=_REVIEWING_KEY,
            persist_state="session",
            help=_(
                "For reviewers. People who see a model's score first tend to agree with it; without this "
                "option it is shown after the verdict."
            ),
        )
    # outside the popover: the browser runs no scripts in a closed one
    browser.save_cookie(_COOKIE, ",".join(sorted(st.session_state.get(_LANGUAGES_KEY, []))))
    if policy == _GIVEN and given is not None:
        return Queue(market, QueueSettings(UNCERTAIN), "", (), goal, given, reviewing)
    settings = QueueSettings(policy, share, quotas=quotas, own_share=own_share)
    return Queue(market, settings, category, languages, goal, None, reviewing)


def desk(queue: Queue, annotator: str) -> Desk:
    """Return this tab's desk for a queue; a new one if any setting has changed.

    Raises:
        JobMatchError: the store, the marketplace or the model cannot be used, or the policy lacks what it needs.
    """
    key = (
        repr(queue.market.manifest),
        queue.market.model,
        queue.settings,
        queue.category,
        queue.languages,
        queue.given,
        annotator,
    )
    held: tuple[object, Desk] | None = st.session_state.get(_DESK_KEY)
    if held is not None:
        if held[0] == key:
            return held[1]
        del st.session_state[_DESK_KEY]
        held[1].close()  # releases its leases
    made = _chosen_desk(queue, queue.given, annotator) if queue.given else _policy_desk(queue, annotator)
    made.open()
    st.session_state[_DESK_KEY] = (key, made)
    return made


def show_missing_model(queue: Queue) -> bool:
    """Draw what to do where the queue compares two models and there is one; return whether that is so."""
    models = [model for model in resources.match_models() if not model.fault]
    if queue.settings.policy != DISAGREE or len(models) > 1:
        return False
    with st.container(border=True, key="label_empty"):
        st.markdown(_(":material/compare_arrows: **This queue compares two models, and there is only one.**"))
        st.write(_("It offers pairs that one model ranks high and the other low. Until there is another model:"))
        label = _("Continue with '{label}'", label=_(POLICIES[UNCERTAIN].label))
        st.button(label, key="label_go_uncertain", type="primary", on_click=_choose, args=(UNCERTAIN,))
        if sign_in.may_see("train_models"):
            page_link("train_models", _("Train another model"))
    return True


def _policy_desk(queue: Queue, annotator: str) -> Desk:
    market, store = queue.market, resources.label_store()
    pool = _pool(queue)

    def propose(without: Sequence[Pair]) -> list[Proposal]:
        return _proposals(queue, annotator, pool, without)

    judgments = queue.settings.quotas.judgments
    return Desk(
        store, annotator, market.manifest.name, propose, partial(pair_view.read_sides, market), judgments=judgments
    )


def _proposals(
    queue: Queue, annotator: str, pool: PairPool | None = None, without: Sequence[Pair] = ()
) -> list[Proposal]:
    # later calls are made in the background, where no pool can be drawn
    return next_pairs(
        resources.label_store(),
        pool or _pool(queue),
        queue.market.manifest.name,
        annotator,
        queue.settings,
        _LONGEST_QUEUE,
        category=queue.category,
        languages=queue.languages,
        without=without,
    )


def _chosen_desk(queue: Queue, given: Given, annotator: str) -> Desk:
    waiting = list(given.proposals)

    def propose(without: Sequence[Pair]) -> list[Proposal]:
        taken = waiting.copy()
        waiting.clear()  # each pair is shown once
        return taken

    store, market = resources.label_store(), queue.market
    return Desk(store, annotator, given.source, propose, partial(pair_view.read_sides, market), chosen=True)


def _pool(queue: Queue) -> PairPool:
    market = queue.market
    models = [market.model]
    if queue.settings.policy == DISAGREE:  # the latest other model, if there is one
        others = (model for model in resources.match_models() if not model.fault and model != market.model)
        models += islice(others, 1)
    finders = [market_choice.open_finder(market, model) for model in models]
    return finished(markets.pooling(market.manifest, *finders), _("Collecting pairs to judge, by project"))


def _policy_names(given: Given | None) -> dict[str, str]:
    names = {policy: _(POLICIES[policy].label) for policy in POLICIES}
    if given is not None:
        names = {_GIVEN: _("Chosen pairs ({n_proposals})", n_proposals=numeral(len(given.proposals)))} | names
        if st.session_state.get(_SEEN_KEY) != given:
            st.session_state[_SEEN_KEY], st.session_state[_QUEUE_KEY] = given, _GIVEN
    if st.session_state.get(_QUEUE_KEY) not in names:
        st.session_state[_QUEUE_KEY] = UNCERTAIN
    return names


def _languages() -> tuple[str, ...]:
    if _LANGUAGES_KEY not in st.session_state:
        codes = browser.read_cookie(_COOKIE).split(",")
        st.session_state[_LANGUAGES_KEY] = [code for code in LANGUAGE_NAMES if code in codes]
    chosen = st.multiselect(
        _("Languages that you read"),
        sorted(LANGUAGE_NAMES, key=language_name),
        key=_LANGUAGES_KEY,
        format_func=language_name,
        placeholder=_("All languages"),
        persist_state="session",
        help=_("Only pairs with both sides in these languages are offered. This browser remembers your choice."),
    )
    return tuple(sorted(chosen))


def _policy(names: dict[str, str]) -> str:
    helps = "\n".join(f"- **{_(policy.label)}**: {_(policy.help)}" for policy in POLICIES.values())
    return st.selectbox(
        _("Queue"),
        list(names),
        key=_QUEUE_KEY,
        format_func=names.__getitem__,
        persist_state="session",
        help=f"{_('Which pairs come first.')}\n{helps}",
    )


def _category(market: Market) -> str:
    # projects and freelancers share the categories of the taxonomy
    names = {"": _("All")} | {facet.value: market.group_name(facet) for facet in market.facets.categories}
    return select(_("Project category"), list(names), _CATEGORY_KEY, format_func=names.__getitem__)


def _own_share(quotas: Quotas) -> bool:
    share = quotas.share(given_name())
    if share is None:
        return False
    return st.toggle(
        _("My queue"),
        key=_OWN_SHARE_KEY,
        persist_state="session",
        help=_(
            "The queue ends after your share, {share} of all judgments. If off, the pairs of others "
            "follow those of your share.",
            share=percent(share),
        ),
    )


def _share(quotas: Quotas) -> float:
    if quotas.judgments > 1:
        st.caption(
            _(
                "Each pair is judged by {judgments} people, who do not see each other's verdicts.",
                judgments=quotas.judgments,
            )
        )
        return 0.0
    st.session_state.setdefault(_SHARE_KEY, _DEFAULT_SHARE)
    percent = st.slider(
        _("Pairs judged by two people, in %"),
        0,
        100,
        step=5,
        key=_SHARE_KEY,
        persist_state="session",
        help=_(
            "This share of all pairs is also shown to a second person, without the first verdict, so "
            "that agreement can be measured. These pairs are mixed in with the others."
        ),
    )
    return percent / 100


def show_empty(queue: Queue, desk: Desk, *, failed: bool) -> None:
    """Draw why the queue is empty, and what to do next.

    Raises:
        JobMatchError: the store, the marketplace or the model cannot be used.
    """
    if failed:
        st.button(_("Try again"), key="label_again", icon=":material/refresh:", type="primary")
        return
    with st.container(border=True, key="label_empty"):
        _reason(queue, desk)
        choices = list(_choices(queue, desk))
        with st.container(horizontal=True):
            # one must not stop at the first that is pressed
            pressed = [
                st.button(label, key=f"label_{key}", type="secondary" if number else "primary", on_click=act)
                for number, (label, key, act) in enumerate(choices)
            ]
        if not choices:
            st.write(
                _(
                    "No other queue of this marketplace has pairs for you now. The menu with the queue's name, "
                    "top right, has other marketplaces; pairs for a second opinion come once others have judged."
                )
            )
    if any(pressed):
        st.rerun()  # the whole page: its queue was chosen outside this fragment


def _choices(queue: Queue, desk: Desk) -> Iterator[tuple[str, str, Callable[[], None]]]:
    # what to do next: label, widget key, action
    if queue.given is not None:
        yield _("Back to the queues"), "no_given", _back
        return
    for applies, label, key, change in (
        (queue.settings.own_share, _("Continue with pairs of others"), "any_share", {_OWN_SHARE_KEY: False}),
        (queue.languages, _("All languages"), "all_languages", {_LANGUAGES_KEY: []}),
        (queue.category, _("All categories"), "all_categories", {_CATEGORY_KEY: ""}),
    ):
        if applies:
            yield label, key, partial(st.session_state.update, change)
    for policy in _NEXT:
        if policy != queue.settings.policy and (count := _left(queue, desk, policy)):
            label = plural(
                "Continue with '{label}', {n} pair",
                "Continue with '{label}', {n} pairs",
                count,
                label=_(POLICIES[policy].label),
            )
            yield label, f"go_{policy}", partial(_choose, policy)


def _left(queue: Queue, desk: Desk, policy: str) -> int:
    # pairs that another queue has for the annotator
    share = 1.0 if policy == SECOND_OPINION else queue.settings.second_share
    settings = replace(queue.settings, policy=policy, second_share=share)
    return len(_proposals(replace(queue, settings=settings), desk.annotator))


def _reason(queue: Queue, desk: Desk) -> None:
    if queue.given is not None:
        count = len(queue.given.proposals)
        through = plural("You have gone through the chosen pair.", "You have gone through all {n} chosen pairs.", count)
        st.markdown(f":material/task_alt: **{through}**")
        st.write(_("'History' lists the judgments."))
        return
    if desk.judged:
        done = plural(
            "All done: you judged {n} pair of this queue.", "All done: you judged {n} pairs of this queue.", desk.judged
        )
        st.markdown(f":material/task_alt: **{done}**")
        st.write(
            _("Your verdicts are saved. 'Agreement' shows how far annotators agree, 'History' lists all judgments.")
        )
    else:
        st.markdown(_(":material/inbox: **This queue is empty.**"))
    st.write(_(_OWN_SHARE if queue.settings.own_share else POLICIES[queue.settings.policy].empty))
    if queue.languages:
        read = ", ".join(language_name(code) for code in queue.languages)
        st.write(_("Only pairs in the languages that you read are offered: {read}.", read=read))


def _choose(policy: str) -> None:
    st.session_state[_QUEUE_KEY] = policy
    if policy == SECOND_OPINION:
        st.session_state[_SHARE_KEY] = 100


def _back() -> None:
    label_market.forget()
    st.session_state[_QUEUE_KEY] = UNCERTAIN
