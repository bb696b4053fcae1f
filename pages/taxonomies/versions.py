"""Section 'Versions': what changed between two versions of a taxonomy, and the decisions carried over to the later."""

import streamlit as st

from jobmatch.services.carry_over import CarryOverPlan, plan_carry_over, record_carry_over
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Manifest, TaxonomyStore
from jobmatch_core.taxonomy.versions import Change, VersionChanges, compare_versions
from pages.shared import resources, sign_in
from pages.shared.cache import cached
from pages.shared.choices import select
from pages.shared.downloads import csv_button
from pages.shared.language import N_, _, numeral, plural
from pages.shared.tables import show_table
from pages.shared.widgets import errors_deferred, plain, show_deferred_error, taxonomy_name

BEFORE_KEY, AFTER_KEY = "versions_before", "versions_after"
_RESULT_KEY = "versions_result"
_HEIGHT = 420
_TOUCHED_SHOWN = 200


def show() -> None:
    """Draw the section.

    Raises:
        TaxonomyError: a taxonomy is damaged, or the two are not versions of one.
        LabelStoreError: the judgments cannot be read.
    """
    show_deferred_error()
    if message := st.session_state.pop(_RESULT_KEY, ""):
        st.success(message, icon=":material/check_circle:")
    families: dict[str, list[Manifest]] = {}
    for manifest in resources.installed():
        families.setdefault(manifest.name, []).append(manifest)
    several = {manifest.id: manifest for family in families.values() if len(family) > 1 for manifest in family}
    if not several:
        st.info(
            _(
                "Two versions of one taxonomy are compared here, such as ESCO 1.0.3 and 1.2.1. Import "
                "another version first; the earlier one stays."
            ),
            icon=":material/info:",
        )
        return
    before, after = _choice(several)
    changes = _compared(before, after)
    counted = [_("**{unchanged}** unchanged", unchanged=numeral(changes.unchanged))]
    counted += [f"**{numeral(number)}** {change.value}" for change, number in changes.counts.items() if number]
    st.markdown(_("Occupations: {counted}", counted=" · ".join(counted)))
    _table(changes)
    _decisions(before, after, changes)


def _choice(several: dict[str, Manifest]) -> tuple[Manifest, Manifest]:
    ids = sorted(several)
    left, right = st.columns(2)
    with left:
        before = select(_("From"), ids, BEFORE_KEY, default=ids[0], format_func=lambda id_: taxonomy_name(several[id_]))
    others = [id_ for id_ in ids if id_ != before and several[id_].name == several[before].name]
    with right:
        after = select(
            _("To"), others, AFTER_KEY, default=others[-1], format_func=lambda id_: taxonomy_name(several[id_])
        )
    return several[before], several[after]


@cached(lambda before, after: (before, after), most=4, spinner=N_("Comparing the versions …"))
def _compared(before: Manifest, after: Manifest) -> VersionChanges:
    store = TaxonomyStore.open()
    return compare_versions(store.load(before.id), store.load(after.id))


def _table(changes: VersionChanges) -> None:
    rows = [
        {_("Change"): _(change.change), _("Before"): change.then, _("After"): change.now}
        for change in changes.changes
        if change.change is not Change.ADDED
    ]
    if rows:
        show_table(rows, "versions_changes", height=_HEIGHT)
    if changes.changes:
        csv_button(
            lambda: (change.record for change in changes.changes),
            f"{changes.before}-to-{changes.after}.csv",
            "versions_csv",
            _("All changes with URIs and codes, also the occupations that were added."),
        )


def _decisions(before: Manifest, after: Manifest, changes: VersionChanges) -> None:
    if not Settings.from_environment().may_have_labels:
        return
    plan = plan_carry_over(resources.label_store(), changes)
    judgments = plan.judgments
    names = plain(taxonomy_name(before)), plain(taxonomy_name(after))
    st.markdown(_("### Decisions on titles"))
    counted = (
        (len(judgments.as_before), _("on occupations that {name} also has", name=names[1])),
        (len(judgments.to_successors), _("on occupations whose name another one has taken")),
        (len(judgments.left), _("on occupations that were removed, to be decided again")),
        (judgments.already, _("already carried over")),
        (judgments.decided_anew, _("decided anew for {name}", name=names[1])),
    )
    facts = [f"**{numeral(number)}** {what}" for number, what in counted if number]
    if not facts:
        st.caption(_("Nobody has decided on titles of {name} yet, so there is nothing to carry over.", name=names[0]))
        return
    st.markdown(_("Decisions with {name}: {facts}", name=names[0], facts=" · ".join(facts)))
    _touched(plan)
    if plan.new and sign_in.may("administer"):
        st.button(
            _("Carry over {decisions}", decisions=_decisions_counted(len(plan.new))),
            key="versions_carry_over",
            type="primary",
            icon=":material/move_down:",
            on_click=_carry_over,
            args=(changes,),
            help=_("They count for {after} as well; those of {before} stay.", after=names[1], before=names[0]),
        )


def _touched(plan: CarryOverPlan) -> None:
    touched = plan.touched
    if not touched:
        return
    with st.expander(
        _("{decisions} on occupations that changed", decisions=_decisions_counted(len(touched))),
        key="versions_touched",
    ):
        st.caption(_("Look at them again: a new name or code may mean other work."))
        rows = [
            {
                _("Title"): judgment.pair.left,
                _("Change"): _(change.change),
                _("Before"): change.then,
                _("After"): change.now,
            }
            for judgment, change in touched[:_TOUCHED_SHOWN]
        ]
        show_table(rows, "versions_touched_rows", height="auto")
        if len(touched) > _TOUCHED_SHOWN:
            st.caption(
                _(
                    "The first {touched_shown} are listed; `jobmatch labels carry-over --json` has all.",
                    touched_shown=numeral(_TOUCHED_SHOWN),
                )
            )


def _carry_over(changes: VersionChanges) -> None:
    if not sign_in.may("administer"):  # the role may have changed since the page was drawn
        return
    with errors_deferred():
        store = resources.label_store()
        recorded = record_carry_over(store, plan_carry_over(store, changes))
        st.session_state[_RESULT_KEY] = _("Carried over {decisions}.", decisions=_decisions_counted(recorded))


def _decisions_counted(number: int) -> str:
    return plural("{n} decision", "{n} decisions", number)
