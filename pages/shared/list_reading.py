"""Layout of an uploaded list of codes and names: detected, unless the user selects it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.io.tables import TEXT_FORMATS, table_format
from jobmatch_core.sheets.code_list_columns import taxonomy_layout
from jobmatch_core.sheets.text_encoding import encoding_name
from jobmatch_core.taxonomy.code_list import REQUIRED, ROLES, CodeListLayout
from jobmatch_core.text.locales import LANGUAGE_NAMES
from pages.shared import uploads
from pages.shared.language import N_, _, language_name
from pages.shared.widgets import errors_shown

_SAMPLE = 100  # rows read to list the columns
_IN_A_ROW = 4  # choices of columns
_SEPARATORS = {
    "": N_("Detect"),
    ",": N_("comma"),
    ";": N_("semicolon"),
    "\t": N_("tab"),
    "|": N_("bar"),
    "^": "^",
    "~": "~",
}
_LABELS = {
    "code": N_("Codes"),
    "name": N_("Names"),
    "alternatives": N_("Other names"),
    "language": N_("Language"),
    "isco": N_("ISCO-08 codes"),
    "parent": N_("Parents"),
    "description": N_("Descriptions"),
    "includes": N_("Inclusions"),
    "excludes": N_("Exclusions"),
    "valid_from": N_("Valid from"),
    "valid_until": N_("Valid until"),
    "kind": N_("Kinds"),
}


@dataclass(frozen=True, slots=True)
class ListReading:
    """Selected parts of a layout; the rest is detected."""

    columns: dict[str, str] = field(default_factory=dict)  # role -> column; empty to detect them
    # these three as for `taxonomy_layout`
    language: str = ""
    encoding: str | None = None
    separator: str = ""

    def layout(self, path: Path) -> CodeListLayout | None:
        """Return the layout of a file; raises as `taxonomy_layout`."""
        return taxonomy_layout(
            path, columns=self.columns, language=self.language, encoding=self.encoding, separator=self.separator
        )


def choose_reading(file: UploadedFile, roles: Sequence[str] = ROLES, *, asks_language: bool = True) -> ListReading:
    """Draw the choices of columns for *roles*, of language, encoding and separator."""
    with st.expander(_("Columns, language and encoding"), icon=":material/table:"), errors_shown():
        st.caption(_("For a list of codes and names, such as SOC or KldB. Anything not selected is detected."))
        first, second, *third = st.columns(3 if asks_language else 2)
        with first:
            encoding = _encoding(file)
        with second:
            separator = st.selectbox(
                _("Separator"),
                list(_SEPARATORS),
                key=f"import_separator_{file.file_id}",
                format_func=lambda sign: _(_SEPARATORS[sign]),
                disabled=table_format(Path(file.name)) != "csv",
            )
        language = ""
        for place in third:
            language = place.selectbox(
                _("Language of the names"),
                ["", *LANGUAGE_NAMES],
                key=f"import_language_{file.file_id}",
                format_func=lambda code: language_name(code) if code else _("Detect"),
                help=_("For lists without a column of languages."),
            )
        return ListReading(_columns(file, encoding, separator, roles), language, encoding, separator)
    return ListReading()


def _encoding(file: UploadedFile) -> str | None:
    fitting = uploads.encodings(file) if table_format(Path(file.name)) in TEXT_FORMATS else []
    chosen = st.selectbox(
        _("Encoding"),
        ["", *fitting],
        key=f"import_encoding_{file.file_id}",
        format_func=lambda name: encoding_name(name) if name else _("Detect"),
        disabled=len(fitting) < 2,
    )
    return chosen or None


def _columns(file: UploadedFile, encoding: str | None, separator: str, roles: Sequence[str]) -> dict[str, str]:
    table = uploads.table(file, uploads.list_layout(file, encoding, separator), _SAMPLE)
    names = [column.name for column in table.columns]
    chosen = {}
    for number, role in enumerate(roles):
        if number % _IN_A_ROW == 0:
            places = st.columns(_IN_A_ROW)
        with places[number % _IN_A_ROW]:
            column = st.selectbox(
                _(_LABELS[role]), names, index=None, key=f"import_column_{role}_{file.file_id}", placeholder=_("Detect")
            )
        if column:
            chosen[role] = column
    if chosen and not set(REQUIRED) <= chosen.keys():
        st.caption(_("Choose the columns of the codes and of the names, or none."))
        return {}
    return chosen
