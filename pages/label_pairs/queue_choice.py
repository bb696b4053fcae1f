"""Choice of the queue: settings, languages that the annotator reads, pairs, and what to do once it is empty."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch.services.annotation_desk import Desk, Sides, next_pairs
from jobmatch_core.entities import Pair
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.pair_pool import PairPool
from jobmatch_core.labelling.queues import (
    BY_CATEGORY,
    DISAGREE,
    HARD_NEGATIVES,
    POLICIES,
    RANDOM,
    SECOND_OPINION,
    UNCERTAIN,
    QueueSettings,
)
from jobmatch_core.quotas import Quotas
from jobmatch_core.text.locales import LANGUAGE_NAMES, language_name
from pages.label_pairs import pair_view
from pages.shared import browser, label_market, markets, resources
from pages.shared.annotator import given_name
from pages.shared.label_market import Given
from pages.shared.market_choice import Market, opened
from pages.shared.widgets import finished

LANGUAGES_KEY = "label_languages"
_COOKIE = "jobmatch_languages"


QUEUE_KEY, SHARE_KEY, CATEGORY_KEY, GOAL_KEY = "label_queue", "label_share", "label_category", "label_goal"
ADDRESS = {"queue": QUEUE_KEY, "category": CATEGORY_KEY}
OWN_SHARE_KEY = "label_own_share"
GIVEN = "given"
_DESK_KEY, _REVIEWING_KEY = "label_desk", "label_reviewing"
_LONGEST_QUEUE = 20_000
_DEFAULT_GOAL = 50
_DEFAULT_SHARE = 20
_NEXT = (UNCERTAIN, RANDOM, SECOND_OPINION)
_WHY = {
    SECOND_OPINION: "No pairs are waiting for a second opinion: nobody else has judged any, or you have judged them "
    "all. You can change their share in the queue's menu.",
    HARD_NEGATIVES: "No pairs are left that the model finds similar although project and freelancer have different "
    "categories.",
    DISAGREE: "No pairs are left that both models rank.",
    RANDOM: "The fair sample of all pairs is judged.",
    BY_CATEGORY: "All pairs of all categories are judged.",
    UNCERTAIN: "All pairs in this queue are judged, or other annotators are judging them now.",
}
_OWN_SHARE = "Your share of this queue is judged, or others are judging its last pairs now."


def choose_languages() -> tuple[str, ...]:
    """Draw the languages; return the codes of those that were chosen, none for all."""
    if LANGUAGES_KEY not in st.session_state:
        codes = browser.read_cookie(_COOKIE).split(",")
        st.session_state[LANGUAGES_KEY] = [code for code in LANGUAGE_NAMES if code in codes]
    chosen = st.multiselect(
        "Languages that you read",
        sorted(LANGUAGE_NAMES, key=language_name),
        key=LANGUAGES_KEY,
        format_func=language_name,
        placeholder="All languages",
        persist_state="session",
        help="Only pairs with both sides in these languages are offered. This browser remembers your choice.",
    )
    return tuple(sorted(chosen))


def store() -> None:
    """Store the languages in the browser. Separate from their choice, because a closed popover's content is not run."""
    browser.save_cookie(_COOKIE, ",".join(sorted(st.session_state.get(LANGUAGES_KEY, []))))


@dataclass(frozen=True, slots=True)
class Queue:
    """Selected settings.

    Attributes:
        market: whose pairs.
        settings: the policy, the share of second opinions, and the quotas.
        category: of projects, '' for all.
        languages: of both sides, as two-letter codes; empty for all.
        goal: pairs a day that the annotator means to judge.
        given: pairs that were chosen by hand, in place of a policy.
        reviewing: whether similarity, rank and model are shown before the verdict.
    """

    market: Market
    settings: QueueSettings
    category: str
    languages: tuple[str, ...]
    goal: int
    given: Given | None
    reviewing: bool


def choose(bar: DeltaGenerator) -> Queue:
    """Draw the choices behind one button in *bar*, which names the queue.

    Raises:
        JobMatchError: a marketplace cannot be made or read.
    """
    manifest = label_market.chosen_marketplace()
    given = label_market.given(manifest.name)
    names = _policy_names(given)
    with bar, st.popover(names[st.session_state[QUEUE_KEY]], icon=":material/tune:", key="label_choices"):
        label_market.choose_marketplace()
        policy = _policy(names)
        quotas = resources.label_store().quotas()
        own_share = _own_share(quotas)
        languages = choose_languages()
        model = label_market.choose_model()
        market = label_market.market(manifest, model)
        category, share, goal = _category(market), _share(quotas), _goal()
        reviewing = _reviewing()
    if policy == GIVEN and given is not None:
        return Queue(market, QueueSettings(UNCERTAIN), "", (), goal, given, reviewing)
    settings = QueueSettings(policy, share, quotas=quotas, own_share=own_share)
    return Queue(market, settings, category, languages, goal, None, reviewing)


def desk(queue: Queue, annotator: str) -> Desk:
    """Return the desk of this tab for a queue, a new one where anything of that has changed.

    Raises:
        JobMatchError: the store, the marketplace or the model cannot be used, or the policy needs what is not there.
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
    if held is not None and held[0] == key:
        return held[1]
    close()
    made = _chosen_desk(queue, queue.given, annotator) if queue.given else _policy_desk(queue, annotator)
    made.open()
    st.session_state[_DESK_KEY] = (key, made)
    return made


def close() -> None:
    """Release the leases of this tab's desk.

    Raises:
        JobMatchError: the store cannot be used.
    """
    held: tuple[object, Desk] | None = st.session_state.pop(_DESK_KEY, None)
    if held is not None:
        held[1].close()


def _policy_desk(queue: Queue, annotator: str) -> Desk:
    market, store = queue.market, resources.label_store()
    pool = _pool(queue)

    def propose(without: Sequence[Pair]) -> list[Proposal]:
        return next_pairs(
            store,
            pool,
            market.manifest.name,
            annotator,
            queue.settings,
            _LONGEST_QUEUE,
            category=queue.category,
            languages=queue.languages,
            without=without,
        )

    judgments = queue.settings.quotas.judgments
    return Desk(store, annotator, market.manifest.name, propose, lambda pair: _read(market, pair), judgments=judgments)


def _chosen_desk(queue: Queue, given: Given, annotator: str) -> Desk:
    waiting = list(given.proposals)

    def propose(without: Sequence[Pair]) -> list[Proposal]:
        taken = waiting.copy()
        waiting.clear()  # each is shown once
        return taken

    store, market = resources.label_store(), queue.market
    return Desk(store, annotator, given.source, propose, lambda pair: _read(market, pair), chosen=True)


def _read(market: Market, pair: Pair) -> Sides | None:
    return pair_view.sides_of(market, pair.left, pair.right)


def _pool(queue: Queue) -> PairPool:
    """Wait for the pairs, under a bar: the profiles are read once, the projects compared with them once a model."""
    market = queue.market
    models = [market.model]
    if queue.settings.policy == DISAGREE and (other := label_market.second_model(market.model)):
        models.append(other)
    finders = [opened(market, model) for model in models]
    return finished(markets.pooling(market.manifest, *finders), "Collecting pairs to judge, by project")


def _policy_names(given: Given | None) -> dict[str, str]:
    """Return what can be chosen, and see to it that one of it is."""
    names = {policy: POLICIES[policy].label for policy in POLICIES}
    if given is not None:
        names = {GIVEN: f"Chosen pairs ({len(given.proposals):,})"} | names
        if st.session_state.get("label_given_seen") != given:
            st.session_state["label_given_seen"], st.session_state[QUEUE_KEY] = given, GIVEN
    if st.session_state.get(QUEUE_KEY) not in names:
        st.session_state[QUEUE_KEY] = UNCERTAIN
    return names


def _policy(names: dict[str, str]) -> str:
    helps = "\n".join(f"- **{policy.label}**: {policy.help}" for policy in POLICIES.values())
    return st.selectbox(
        "Queue",
        list(names),
        key=QUEUE_KEY,
        format_func=names.__getitem__,
        persist_state="session",
        help=f"Which pairs come first.\n{helps}",
    )


def _category(market: Market) -> str:
    names = {"": "All"} | {
        facet.value: market.group_name(facet) for facet in market.facets.categories
    }  # projects and freelancers share the categories of the taxonomy
    if st.session_state.get(CATEGORY_KEY) not in names:
        st.session_state[CATEGORY_KEY] = ""
    return st.selectbox(
        "Project category", list(names), key=CATEGORY_KEY, format_func=names.__getitem__, persist_state="session"
    )


def _own_share(quotas: Quotas) -> bool:
    """Draw the choice of the annotator's share alone, if they have one; return whether it was chosen."""
    share = quotas.share(given_name())
    if share is None:
        return False
    return st.toggle(
        "My queue",
        key=OWN_SHARE_KEY,
        persist_state="session",
        help=f"Only your share, {share:.0%} of all judgments; then the queue ends. Without it, anyone may take the "
        "next: pairs of your share come first, and then those of others.",
    )


def _share(quotas: Quotas) -> float:
    if quotas.judgments > 1:
        st.caption(f"Each pair is judged by {quotas.judgments} people, who do not see each other's verdicts.")
        return 0.0
    st.session_state.setdefault(SHARE_KEY, _DEFAULT_SHARE)
    percent = st.slider(
        "Pairs judged by two people, in %",
        0,
        100,
        step=5,
        key=SHARE_KEY,
        persist_state="session",
        help="This share of all pairs is also shown to a second person, without the first verdict, so that "
        "agreement can be measured. These pairs are mixed in with the others.",
    )
    return percent / 100


def _goal() -> int:
    st.session_state.setdefault(GOAL_KEY, _DEFAULT_GOAL)
    return int(st.number_input("Daily goal, in pairs", 1, 10_000, step=10, key=GOAL_KEY, persist_state="session"))


def _reviewing() -> bool:
    return st.toggle(
        "Show similarity, rank and model before the verdict",
        key=_REVIEWING_KEY,
        persist_state="session",
        help="For reviewers. People who see a model's score first tend to agree with it; without this option it is "
        "shown after the verdict.",
    )


def show(queue: Queue, desk: Desk, *, failed: bool) -> None:
    """Draw why the queue is empty."""
    if failed:
        st.button("Try again", key="label_again", icon=":material/refresh:", type="primary")
        return
    with st.container(border=True, key="label_empty"):
        _head(queue, desk)
        with st.container(horizontal=True):
            if queue.given is not None:
                st.button("Back to the queues", key="label_no_given", type="primary", on_click=_back)
                return
            if queue.settings.own_share:
                st.button("Continue with pairs of others", key="label_any_share", type="primary", on_click=_any_share)
            if queue.languages:
                st.button("All languages", key="label_all_languages", type="primary", on_click=_all_languages)
            if queue.category:
                st.button("All categories", key="label_all_categories", type="primary", on_click=_all_categories)
            for policy in _NEXT:
                if policy != queue.settings.policy:
                    st.button(
                        f"Switch to '{POLICIES[policy].label}'",
                        key=f"label_go_{policy}",
                        on_click=_choose,
                        args=(policy,),
                    )


def _head(queue: Queue, desk: Desk) -> None:
    if queue.given is not None:
        st.markdown(f":material/task_alt: **You have gone through the {len(queue.given.proposals):,} chosen pairs.**")
        st.write("'History' lists their judgments.")
        return
    if desk.judged:
        st.markdown(f":material/task_alt: **All done: you judged {desk.judged:,} pairs of this queue.**")
        st.write("Your verdicts are saved. 'Agreement' shows how far annotators agree, 'History' lists all judgments.")
    else:
        st.markdown(":material/inbox: **This queue is empty.**")
    st.write(_OWN_SHARE if queue.settings.own_share else _WHY[queue.settings.policy])
    if queue.languages:
        read = ", ".join(language_name(code) for code in queue.languages)
        st.write(f"Only pairs in the languages that you read are offered: {read}.")


def _choose(policy: str) -> None:
    st.session_state[QUEUE_KEY] = policy
    if policy == SECOND_OPINION:
        st.session_state[SHARE_KEY] = 100


def _all_categories() -> None:
    st.session_state[CATEGORY_KEY] = ""


def _any_share() -> None:
    st.session_state[OWN_SHARE_KEY] = False


def _all_languages() -> None:
    st.session_state[LANGUAGES_KEY] = []


def _back() -> None:
    label_market.forget()
    st.session_state[QUEUE_KEY] = UNCERTAIN
