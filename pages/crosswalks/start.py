"""Begin a crosswalk from an uploaded list or an SSSOM file, or open a stored one."""

from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch.services.background_call import Background
from jobmatch.services.crosswalk_desk import begin_crosswalk
from jobmatch.services.linking import linking_service
from jobmatch_core.crosswalks.source_list import SOURCE_ROLES
from jobmatch_core.crosswalks.sssom import is_sssom
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore, StoredCrosswalk
from jobmatch_core.entities import Progress
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.ownership import UNOWNED, Act
from jobmatch_core.io.tables import ENDINGS
from jobmatch_core.text.locales import LANGUAGE_NAMES
from pages.shared import sign_in
from pages.shared.cache import cached
from pages.shared.choices import select
from pages.shared.language import N_, _, language_name
from pages.shared.list_reading import ListReading, choose_reading
from pages.shared.moments import moment
from pages.shared.taxonomy_choice import name_of, select_taxonomy
from pages.shared.uploads import on_disk
from pages.shared.widgets import confirm, dialog, error_box, errors_deferred, finished, plain

CROSSWALK_KEY = "crosswalk_id"  # of the open crosswalk; '' for none
_JOB_KEY, _OPEN_KEY = "crosswalk_job", "crosswalk_open"
_STORE = "crosswalks"


def store() -> CrosswalkStore:
    """Open the store with the viewer's permissions."""
    return CrosswalkStore.open(allowed=sign_in.allowed(_STORE))


def opened(crosswalk_id: str) -> StoredCrosswalk:
    """Return a crosswalk with the decisions of all tabs; raises CrosswalkError if it cannot be opened."""
    stored: StoredCrosswalk | None = st.session_state.get(_OPEN_KEY)
    if stored is None or stored.id != crosswalk_id:
        stored = st.session_state[_OPEN_KEY] = store().load(crosswalk_id)
    stored.refresh()
    return stored


def put_away() -> None:
    """Close the open crosswalk, which stays stored."""
    st.session_state[CROSSWALK_KEY] = ""
    st.session_state.pop(_OPEN_KEY, None)


def show() -> None:
    """Draw the form and the stored crosswalks."""
    st.title(_("Crosswalks"), anchor=False)
    st.caption(
        _(
            "Map your own list of codes to a taxonomy: mappings are proposed with their relations, and "
            "you review them by key. Two codes rarely mean the same: a code may also be narrower or "
            "broader than an occupation."
        )
    )
    if sign_in.may("judge"):
        _form()
    else:
        st.caption(sign_in.needed_for("judge"))
    _shelf()


def _form() -> None:
    with st.container(border=True):
        left, right = st.columns(2)
        file = left.file_uploader(
            _("A table of codes and names, or a crosswalk in SSSOM"),
            type=[*ENDINGS],
            key="crosswalk_file",
            help=_(
                "Columns of codes, names and parents are detected. Mappings in an SSSOM file are taken as they are."
            ),
        )
        with right:
            taxonomy = select_taxonomy()
            languages = ["", *sorted(LANGUAGE_NAMES, key=language_name)]
            language = select(
                _("Language of the names"),
                languages,
                "crosswalk_language",
                format_func=lambda code: language_name(code) if code else _("Detect"),
            )
        reading, button = ListReading(), _("Propose mappings")
        if file is not None and _holds_mappings(file):
            button = _("Review these mappings")
        elif file is not None:
            reading = choose_reading(file, SOURCE_ROLES, asks_language=False)
        if st.button(button, key="crosswalk_start", type="primary", disabled=file is None) and file:
            st.session_state[_JOB_KEY] = _begin(file, taxonomy.id, language, reading)
        _running()


@cached(lambda file: file.file_id, most=20)
def _holds_mappings(file: UploadedFile) -> bool:
    with on_disk([file]) as folder:
        return is_sssom(folder / file.name)


def _begin(file: UploadedFile, taxonomy: str, language: str, reading: ListReading) -> "Background[str]":
    crosswalks, linking = store(), linking_service()

    def begun(progress: Progress) -> str:
        with on_disk([file]) as folder:
            path = next(Path(folder).iterdir())
            return begin_crosswalk(
                path,
                crosswalks,
                taxonomy,
                linking,
                language,
                columns=reading.columns,
                encoding=reading.encoding,
                separator=reading.separator,
                progress=progress,
            )

    return Background(begun)


def _running() -> None:
    # the work continues while the user looks elsewhere
    job: Background[str] | None = st.session_state.get(_JOB_KEY)
    if job is None:
        return
    try:
        st.session_state[CROSSWALK_KEY] = finished(job, _("Proposing mappings"))
    except JobMatchError as error:
        del st.session_state[_JOB_KEY]
        error_box(error)
    else:
        del st.session_state[_JOB_KEY]
        st.rerun()


def _shelf() -> None:
    listed = store().listed()
    if not listed:
        st.caption(_("There is no crosswalk here yet. Those that you begin are stored until somebody deletes them."))
        return
    st.markdown(_("**Crosswalks**"))
    for crosswalk_id, card in listed:
        name, facts, remove = st.columns([5, 5, 2], vertical_alignment="center")
        name.button(
            plain(card.name, limit=80),
            key=f"open_{crosswalk_id}",
            icon=":material/compare_arrows:",
            type="tertiary",
            on_click=st.session_state.update,
            args=({CROSSWALK_KEY: crosswalk_id},),
        )
        facts.caption(
            _(
                "to {taxonomy} · begun {created}",
                taxonomy=plain(name_of(card.taxonomy)),
                created=moment(card.created),
            )
        )
        may_delete = sign_in.allowed(_STORE)(Act.DELETE, UNOWNED)
        if may_delete and remove.button(_("Delete"), key=f"delete_{crosswalk_id}", type="tertiary"):
            _confirm(crosswalk_id, card)


@dialog(N_("Delete this crosswalk?"))
def _confirm(crosswalk_id: str, card: CrosswalkCard) -> None:
    st.markdown(
        _(
            "**{name}** will be deleted for everybody, with all decisions on it. This cannot be undone; "
            "download it first to keep them.",
            name=plain(card.name),
        )
    )
    confirm(_("Delete"), "crosswalk_delete", _delete, crosswalk_id)


def _delete(crosswalk_id: str) -> None:
    with errors_deferred():
        store().remove(crosswalk_id)
