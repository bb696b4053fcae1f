"""Step 1 of a training: the current labels, and a frozen snapshot of them."""

import streamlit as st

from db.tallies import Counts
from jobmatch.services.background_call import Background
from jobmatch_core.entities import PairKind
from jobmatch_core.errors import JobMatchError
from jobmatch_core.judgment_origin import ORIGIN_WORDS, Origin
from jobmatch_core.labelling.labels import LabelTally, tallies_by_source
from jobmatch_core.labelling.snapshot import JUDGMENTS_FILE, SnapshotManifest, Snapshots, StoredSnapshot, open_snapshot
from jobmatch_core.settings import Settings
from pages.shared import resources
from pages.shared.cache import cached
from pages.shared.choices import select
from pages.shared.downloads import download
from pages.shared.language import N_, _, numeral, plural
from pages.shared.moments import moment
from pages.shared.page_links import page_link
from pages.shared.widgets import error_box, finished, plain
from pages.train_models.words import LINKING, TOWERS

SNAPSHOT_KEY = "train_snapshot"
_HISTORY_ALONE = "no-labels"
_FROZEN_KEY = "train_frozen"  # name of the snapshot just frozen, or the error
_PAIRS = {TOWERS: PairKind.PROJECT_FREELANCER, LINKING: PairKind.TITLE_OCCUPATION}
_JUDGED_ON = {TOWERS: "label_pairs", LINKING: "link_titles"}  # page
_NOBODY = {
    TOWERS: N_(
        "Nobody has judged a pair of a project and a freelancer yet. Judge some first. Or train on the marketplace's "
        "history alone."
    ),
    LINKING: N_("Nobody has judged a link of a title and an occupation yet. Judge some first."),
}
_VERDICTS = {
    "positive": N_("fits"),
    "negative": N_("does not fit"),
    "unsure": N_("not sure"),
    "skip": N_("skipped"),
}


def show(kind: str) -> str | None:
    """Draw the step; return the selected snapshot's name, '' for the marketplace's history only, None for nothing.

    Raises:
        JobMatchError: the label store cannot be read.
    """
    st.markdown(_("**1 · Snapshot** of the labels"))
    now = resources.label_store().counts(_PAIRS[kind])
    stored = Snapshots(Settings.from_environment()).all()
    _judged(kind, now, stored)
    if now.total:
        st.button(
            _("Freeze current labels"),
            key="train_freeze",
            icon=":material/ac_unit:",
            type="secondary" if stored else "primary",
            on_click=_freeze,
            width="stretch",
            help=_(
                "A training reads a frozen snapshot, never the live labels, so that it can be repeated. "
                "Judging can continue."
            ),
        )
    result = st.session_state.pop(_FROZEN_KEY, None)
    if isinstance(result, JobMatchError):
        error_box(result)
    elif result:
        st.success(_("Frozen. Next: train."), icon=":material/check_circle:")
    return _choice(kind, stored)


def _judged(kind: str, now: Counts, stored: list[StoredSnapshot]) -> None:
    if not now.total:
        st.info(_(_NOBODY[kind]), icon=":material/rule:")
        page_link(_JUDGED_ON[kind])
        return
    latest = next((snapshot.manifest for snapshot in stored if snapshot.manifest), None)
    new = now.total - latest.kinds.get(_PAIRS[kind].value, 0) if latest else now.total
    if latest is None:
        st.caption(
            plural("{n} judgment so far, not frozen yet.", "{n} judgments so far, none of them frozen yet.", now.total)
        )
    elif new > 0:
        st.caption(
            plural("{n} new judgment since the latest snapshot.", "{n} new judgments since the latest snapshot.", new)
        )
    else:
        st.caption(_("No new judgments since the latest snapshot."))


def _freeze() -> None:
    try:
        with resources.label_store().all_current() as current:
            frozen = Snapshots(Settings.from_environment()).freeze_current(current)
    except JobMatchError as error:
        st.session_state[_FROZEN_KEY] = error
        return
    st.session_state[_FROZEN_KEY] = frozen.name
    st.session_state[SNAPSHOT_KEY] = frozen.name


def _choice(kind: str, stored: list[StoredSnapshot]) -> str | None:
    usable = {
        snapshot.name: snapshot.manifest
        for snapshot in stored
        if snapshot.manifest and snapshot.manifest.kinds.get(_PAIRS[kind].value)
    }
    for snapshot in stored:
        if snapshot.fault:
            st.caption(f":material/broken_image: {plain(snapshot.fault, limit=300)}")
    names = [*usable, *([_HISTORY_ALONE] if kind == TOWERS else [])]
    if not names:
        return None
    chosen = select(_("Train on"), names, SNAPSHOT_KEY, format_func=lambda name: _title(name, usable.get(name)))
    if chosen == _HISTORY_ALONE:
        st.caption(_("The interactions recorded in the marketplace; no labels."))
        return ""
    tallies = finished(label_tallies(chosen, kind), _("Reading the snapshot")).values()
    total, positive = sum(tally.total for tally in tallies), sum(tally.positive for tally in tallies)
    st.markdown(
        plural(
            "**{n} label**: {positive} fit, {negative} do not.",
            "**{n} labels**: {positive} fit, {negative} do not.",
            total,
            positive=numeral(positive),
            negative=numeral(total - positive),
        )
    )
    _contents(chosen, usable[chosen])
    return chosen


def _title(name: str, manifest: SnapshotManifest | None) -> str:
    return moment(manifest.created) if manifest else _("The marketplace's history alone")


@cached(lambda snapshot, kind: (snapshot, kind), most=20)
def label_tallies(snapshot: str, kind: str) -> "Background[dict[str, LabelTally]]":
    """Return a snapshot's numbers of labels for a kind of training by marketplace or taxonomy, most labels first."""
    settings = Settings.from_environment()
    return Background(
        lambda progress: tallies_by_source(open_snapshot(snapshot, settings).snapshot.labels, _PAIRS[kind])
    )


def _contents(name: str, manifest: SnapshotManifest) -> None:
    with st.expander(_("Contents"), icon=":material/inventory_2:"):
        st.caption(
            plural(
                "{n} judgment of all kinds of pairs. Judgments of one pair make one label; pairs that were skipped, "
                "not sure or in dispute have none.",
                "{n} judgments of all kinds of pairs. Judgments of one pair make one label; pairs that were skipped, "
                "not sure or in dispute have none.",
                manifest.judgments,
            )
        )
        tables = {
            _("Verdict"): {_(_VERDICTS.get(key, key)): n for key, n in manifest.verdicts.items()},
            _("Pair"): {_(kind): n for kind, n in manifest.kinds.items()},
            _("Annotator"): manifest.annotators,
            _("Chosen by"): manifest.policies,
            _("Settled"): {_(how): n for how, n in manifest.resolutions.items()},
            _("Origin"): {_(ORIGIN_WORDS[Origin(key)]): n for key, n in manifest.origins.items()},
        }
        for what, counts in tables.items():
            listed = " · ".join(f"{plain(key, limit=60)} {numeral(number)}" for key, number in counts.items() if number)
            st.markdown(f"**{what}**: {listed or _('none')}")
        st.caption(_("SHA-256 of the judgments, which identifies the snapshot in every model trained on it:"))
        st.code(manifest.sha256, language=None, wrap_lines=True)
        path = Snapshots(Settings.from_environment()).folder(name) / JUDGMENTS_FILE
        download(_("Download the judgments"), path.read_bytes, f"{name}.jsonl", "train_download_snapshot")
