"""Form of a coded sample: the uploaded table, its columns of titles, codes and languages, and the taxonomy."""

from collections.abc import Sequence
from itertools import chain

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch.services.linking import linking_service
from jobmatch.services.production_rate import FEWEST_TITLES, CodedSample, coded_sample
from jobmatch_core.benchmarks.production.coded_titles import CodedColumns, code_column
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import ENDINGS
from jobmatch_core.settings import UPLOAD_LIMIT_MB
from jobmatch_core.sheets.table_layout import TableSummary
from jobmatch_core.taxonomy import Manifest
from pages.shared import uploads
from pages.shared.language import _, numeral
from pages.shared.tables import show_table
from pages.shared.taxonomy_choice import select_taxonomy
from pages.shared.widgets import errors_shown

_MAX_ROWS = 10_000  # some minutes of work; larger samples belong on the command line
_N_SHOWN = 5  # values of a column
_EXAMPLE = """title;isco;language
Krankenschwester;2221;de
truck driver;8332;en
infirmière;2221;fr"""


def show() -> CodedSample | None:
    """Draw the form; return the sample when the user presses Measure."""
    manifest = select_taxonomy(width=400)
    file = st.file_uploader(
        _(
            "A table of job titles that people coded: CSV, Excel, Parquet or JSON, up to "
            "{upload_limit_mb} MB and {max_rows} rows",
            upload_limit_mb=UPLOAD_LIMIT_MB,
            max_rows=numeral(_MAX_ROWS),
        ),
        type=list(ENDINGS),
        key="rate_upload",
    )
    if file is None:
        _explain()
        return None
    with errors_shown():
        return _sample(file, manifest)
    return None


def _explain() -> None:
    st.markdown(
        _(
            "**How many of your titles can be coded automatically?** Upload a sample of at least "
            "{fewest_titles} titles with their ISCO-08 codes of one to four digits; several hundred "
            "titles give narrow intervals. The columns may have any names and any order:",
            fewest_titles=FEWEST_TITLES,
        )
    )
    st.code(_EXAMPLE, language=None, wrap_lines=True)
    st.caption(
        _(
            "A column of languages gives figures by language, one of a second coder's codes shows how "
            "far people agree. A cell may have several right codes, separated by | or ;. The file is not "
            "stored, and nothing is trained on it. On the command line:"
        )
    )
    st.code("jobmatch evaluate production-rate FILE --code isco", language=None, wrap_lines=True)


def _sample(file: UploadedFile, manifest: Manifest) -> CodedSample | None:
    table = uploads.table(file, uploads.choose_layout(file, "rate", manifest.id), _MAX_ROWS + 1, manifest.id)
    if not table.rows:
        raise DataFileError(file.name, _("the file has no rows below its header"))
    if len(table.rows) > _MAX_ROWS:
        raise DataFileError(
            file.name,
            _(
                "it has more than {max_rows} rows, the limit of this page; leave out some, or use the command line",
                max_rows=numeral(_MAX_ROWS),
            ),
        )
    columns = _columns(file, table, manifest)
    values = {column.name: _filled(column.examples) for column in table.columns}
    st.caption(_("The first {n_shown} distinct values of each column:", n_shown=_N_SHOWN))
    show_table(values, "rate_examples")
    if not st.button(
        _("Measure"), key="rate_start", type="primary", icon=":material/play_arrow:", disabled=columns is None
    ):
        return None
    return coded_sample(linking_service(), table.rows, columns, manifest.id, file.name) if columns else None


def _columns(file: UploadedFile, table: TableSummary, manifest: Manifest) -> CodedColumns | None:
    names = [column.name for column in table.columns]
    key = f"{file.file_id}_{hash(tuple(names))}"
    guess = code_column(table.rows, linking_service().taxonomy(manifest.id))
    first, second = st.columns(2), st.columns(2)
    title, code, second_code, language = (
        place.selectbox(
            label,
            names,
            index=names.index(guess) if guess in names else None,
            key=f"rate_{what}_{key}",
            placeholder=placeholder,
        )
        for place, (label, what, guess, placeholder) in zip(
            chain(first, second),
            (
                (
                    _("Column with job titles"),
                    "title",
                    table.title_column,
                    _("No column looks like job titles; choose one"),
                ),
                (_("Column with ISCO-08 codes"), "code", guess, _("No column looks like ISCO-08 codes; choose one")),
                (_("Column with a second coder's codes"), "second", None, _("None")),
                (_("Column with languages"), "language", None, _("None")),
            ),
            strict=True,
        )
    )
    return CodedColumns(title, code, second_code or "", language or "") if title and code else None


def _filled(examples: Sequence[str]) -> list[str]:
    return [*examples, *[""] * (_N_SHOWN - len(examples))]
