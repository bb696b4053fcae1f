"""Step 1 of a training: the current labels, and a frozen snapshot of them."""

import streamlit as st

from db.tallies import Counts
from jobmatch_core.entities import PairKind
from jobmatch_core.errors import JobMatchError
from jobmatch_core.judgment_origin import ORIGIN_WORDS, Origin, origin_words
from jobmatch_core.labelling.snapshot import JUDGMENTS_FILE, SnapshotManifest, Snapshots, StoredSnapshot
from jobmatch_core.settings import Settings
from pages.shared import resources
from pages.shared.choices import select
from pages.shared.widgets import error_box, plain
from pages.train_models.words import LINKING, TOWERS, count, moment

SNAPSHOT_KEY = "train_snapshot"
_HISTORY_ALONE = "no-labels"
_FROZEN_KEY = "train_frozen"  # name of the snapshot just frozen, or the error
_PAIRS = {TOWERS: PairKind.PROJECT_FREELANCER, LINKING: PairKind.TITLE_OCCUPATION}
_JUDGED_ON = {
    TOWERS: ("pages/label_pairs/label_pairs.py", "Label pairs", ":material/rule:"),
    LINKING: ("pages/link_titles/link_titles.py", "Link titles", ":material/link:"),
}
_WHAT = {TOWERS: "pair of a project and a freelancer", LINKING: "link of a title and an occupation"}
_VERDICTS = {"positive": "fits", "negative": "does not fit", "unsure": "not sure", "skip": "skipped"}


def show(kind: str) -> str | None:
    """Draw the step; return the selected snapshot's name, '' for the marketplace's history only, None for nothing.

    Raises:
        JobMatchError: the label store cannot be read.
    """
    st.markdown("**1 · Snapshot** of the labels")
    now = resources.label_store().counts(_PAIRS[kind])
    stored = Snapshots(Settings.from_environment()).all()
    _judged(kind, now)
    st.button(
        "Freeze current labels",
        key="train_freeze",
        icon=":material/ac_unit:",
        disabled=not now.total,
        type="primary" if now.total and not stored else "secondary",
        on_click=_freeze,
        width="stretch",
        help="A training reads a frozen snapshot, never the live labels, so that it can be repeated. Judging can "
        "continue.",
    )
    result = st.session_state.pop(_FROZEN_KEY, None)
    if isinstance(result, JobMatchError):
        error_box(result)
    elif result:
        st.success("Frozen. Next: train.", icon=":material/check_circle:")
    return _choice(kind, stored)


def _judged(kind: str, now: Counts) -> None:
    page, name, icon = _JUDGED_ON[kind]
    if now.total:
        st.caption(
            f"{count(now.total, 'judgment')} in use, each of a {_WHAT[kind]}: {origin_words(now.by_origin)}. Models "
            "are trained on judgments that somebody looked at, and measured only on these."
        )
        return
    alone = " Or train only on the marketplace's history: choose it below." if kind == TOWERS else ""
    st.info(f"Nobody has judged a {_WHAT[kind]} yet. Judge some first.{alone}", icon=":material/rule:")
    st.page_link(page, label=name, icon=icon)


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
    chosen = select("Train on", names, SNAPSHOT_KEY, format_func=lambda name: _title(name, usable.get(name), kind))
    if chosen == _HISTORY_ALONE:
        st.caption("The interactions recorded in the marketplace; no labels.")
        return ""
    _contents(chosen, usable[chosen])
    return chosen


def _title(name: str, manifest: SnapshotManifest | None, kind: str) -> str:
    if manifest is None:
        return "The marketplace's history only"
    return f"{moment(manifest.created)} · {count(manifest.kinds.get(_PAIRS[kind].value, 0), 'judgment')}"


def _contents(name: str, manifest: SnapshotManifest) -> None:
    classes = manifest.classes
    st.caption(
        f"In total {count(classes['positive'] + classes['negative'], 'label')}, of all pair types: "
        f"{classes['positive']:,} fit, {classes['negative']:,} do not; "
        f"{count(len(manifest.annotators), 'annotator')}."
    )
    with st.expander("Contents", icon=":material/inventory_2:"):
        tables = {
            "Verdict": {_VERDICTS.get(key, key): n for key, n in manifest.verdicts.items()},
            "Pair": manifest.kinds,
            "Annotator": manifest.annotators,
            "Chosen by": manifest.policies,
            "Settled": manifest.resolutions,
            "Origin": {ORIGIN_WORDS[Origin(key)]: n for key, n in manifest.origins.items()},
        }
        for what, counts in tables.items():
            listed = " · ".join(f"{plain(key, limit=60)} {number:,}" for key, number in counts.items() if number)
            st.markdown(f"**{what}**: {listed or 'none'}")
        st.caption("SHA-256 of the judgments, which identifies the snapshot in every model trained on it:")
        st.code(manifest.sha256, language=None, wrap_lines=True)
        path = Snapshots(Settings.from_environment()).folder(name) / JUDGMENTS_FILE
        st.download_button(
            "Download the judgments",
            path.read_bytes,
            file_name=f"{name}.jsonl",
            mime="application/jsonl",
            key="train_download_snapshot",
            icon=":material/download:",
            on_click="ignore",
        )
