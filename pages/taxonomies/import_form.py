"""Section 'Import': a taxonomy from uploaded files of ESCO, or from one table of any other."""

from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch.services.background_call import Background
from jobmatch.services.home_services import home_services
from jobmatch_core.entities import Progress
from jobmatch_core.errors import DataFileError, JobMatchError
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Manifest, TaxonomyStore
from jobmatch_core.taxonomy.readers import COLUMNS, READERS, expected_sources, is_recognised
from pages.shared import resources
from pages.shared.downloads import csv_button
from pages.shared.language import _, plural
from pages.shared.list_reading import ListReading, choose_reading
from pages.shared.page_links import page_link
from pages.shared.tables import show_table
from pages.shared.uploads import on_disk
from pages.shared.widgets import error_box, errors_shown, finished, open_linker, plain, taxonomy_name
from pages.taxonomies import browser

_JOB_KEY, _DONE_KEY = "import_job", "import_done"
_NOTE_LIMIT = 2000
_SAMPLE = (
    ("nurse", "en", "nurse", "registered nurse|staff nurse", "2221", "Cares for patients."),
    ("nurse", "de", "Krankenpfleger", "Krankenschwester|Pflegefachfrau", "2221", ""),
    ("barista", "en", "barista", "coffee maker", "5132", "Makes and serves coffee."),
    ("barista", "it", "barista", "addetto al bar", "5132", ""),
)


def show() -> None:
    """Draw the form, the running import or its result, and the help."""
    if _DONE_KEY in st.session_state:
        _done()
        return
    form, help_ = st.columns([3, 2], gap="large")
    with form:
        status = st.container()
        _form()
        with status:
            _running()
    with help_:
        _help()
    _sample()


def _form() -> None:
    files = st.file_uploader(
        _("ESCO's CSV files, all at once, or one table of your own"),
        type=sorted({ending for reader in READERS.values() for ending in reader.endings}),
        accept_multiple_files=True,
        key="import_files",
    )
    if not files:
        return
    name, version = st.columns(2)
    given_name = name.text_input(
        _("Name (optional)"), key="import_name", placeholder=_("ESCO, or the file's name")
    ).strip()
    given_version = version.text_input(_("Version (ESCO needs one)"), key="import_version", placeholder="1.2.1").strip()
    reading = choose_reading(files[0]) if len(files) == 1 and _may_be_table(files[0]) else ListReading()
    replace = st.checkbox(_("Replace an installed taxonomy of this name and version"), key="import_replace")
    if st.button(_("Import"), key="import_start", type="primary"):
        st.session_state[_JOB_KEY] = _start(list(files), given_name, given_version, replace, reading)


def _may_be_table(file: UploadedFile) -> bool:
    endings = [f".{ending}" for reader in READERS.values() if reader.is_table for ending in reader.endings]
    return str(file.name).lower().endswith(tuple(endings))


def _start(
    files: list[UploadedFile], name: str, version: str, replace: bool, reading: ListReading
) -> "Background[Manifest]":
    store = TaxonomyStore.open(Settings.from_environment())

    def imported(progress: Progress) -> Manifest:
        with on_disk(files) as folder:
            source = _source(folder, files)
            return store.import_from(
                source,
                name=name or None,
                version=version or None,
                replace=replace,
                layout=reading.layout(source),
                progress=progress,
            )

    return Background(imported)


def _source(folder: Path, files: list[UploadedFile]) -> Path:
    if is_recognised(folder):
        return folder
    if len(files) > 1:
        raise DataFileError(
            files[0].name,
            _(
                "no taxonomy is recognised in these {n_files} files; upload {sources}",
                n_files=len(files),
                sources=expected_sources(),
            ),
        )
    return folder / str(files[0].name)


def _running() -> None:
    # the import continues while the user looks elsewhere
    job: Background[Manifest] | None = st.session_state.get(_JOB_KEY)
    if job is None:
        return
    try:
        manifest = finished(job, _("Reading files"))
    except JobMatchError as error:
        error_box(error)
    else:
        st.session_state[_DONE_KEY] = manifest
    resources.installed.clear()
    del st.session_state[_JOB_KEY]
    if _DONE_KEY in st.session_state:
        st.rerun()


def _done() -> None:
    manifest: Manifest = st.session_state[_DONE_KEY]
    n_occupations, n_languages = manifest.counts["occupations"], len(manifest.languages)
    st.success(
        _(
            "Imported **{taxonomy}**: {occupations}, with names in {languages}.",
            taxonomy=plain(taxonomy_name(manifest)),
            occupations=plural("{n} occupation", "{n} occupations", n_occupations),
            languages=plural("{n} language", "{n} languages", n_languages),
        ),
        icon=":material/check_circle:",
    )
    for note in manifest.notes:
        st.info(plain(note, limit=_NOTE_LIMIT), icon=":material/info:")
    with errors_shown():
        open_linker(manifest)
        home_services().searching.opening(SearchKind.OCCUPATIONS, manifest.id)  # ready before the first search
        page_link(
            "link_titles",
            _("Next: link titles to {taxonomy}", taxonomy=plain(taxonomy_name(manifest))),
            {"taxonomy": manifest.id},
        )
    with st.container(horizontal=True):
        st.button(
            _("Browse"),
            key="import_browse",
            icon=":material/account_tree:",
            on_click=browser.open_in,
            args=(manifest.id,),
        )
        st.button(_("Import another"), key="import_another", icon=":material/upload:", on_click=_forget)


def _forget() -> None:
    del st.session_state[_DONE_KEY]


def _help() -> None:
    st.markdown(
        _(
            "**ESCO**: download the CSV files of version 1.2.1 from the [ESCO "
            "portal](https://esco.ec.europa.eu/en/use-esco/download), in the languages you need, and "
            "upload `occupations_xx.csv`, `ISCOGroups_xx.csv`, `skills_xx.csv` and "
            "`occupationSkillRelations_en.csv`. Only the first is needed. To import a whole folder, use "
            "`jobmatch taxonomy import FOLDER`."
        )
    )
    st.markdown(
        _(
            "**Any other taxonomy**: a list of codes and names, such as SOC or KldB, as CSV, Excel, "
            "Parquet or JSON. Its columns are detected, or chosen below the upload. Or a CSV like the "
            "one below."
        )
    )


def _sample() -> None:
    st.markdown(
        _(
            "**Your own CSV**: one row for each occupation and language. Separate alternative names with "
            "`|`; the parent is another id or an ISCO-08 code."
        )
    )
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in _SAMPLE]
    show_table(rows, "import_sample")
    csv_button(lambda: rows, "taxonomy_template.csv", "import_template", _("A template to fill in"))
