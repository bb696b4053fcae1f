"""Input of a list of titles: pasted, or a file with its encoding, sheet, header and column of titles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import ENDINGS, Record, cell_text
from jobmatch_core.linking.context import NO_COLUMNS, ContextColumns
from jobmatch_core.sheets.garbled_titles import garbled_titles
from jobmatch_core.sheets.table_layout import ColumnSummary, TableSummary
from jobmatch_core.taxonomy import Manifest
from jobmatch_core.taxonomy.title_language import count_languages
from pages.link_titles import other_codes
from pages.shared import browser, taxonomy_choice, uploads
from pages.shared.cache import cached
from pages.shared.language import _, language_name, numeral, plural
from pages.shared.widgets import about, errors_shown, plain, readable, taxonomy_name, taxonomy_title

_MAX_ROWS = 100_000  # about 500 MB of links; longer lists belong on the command line
_MOST_READ = 2000  # titles whose language is looked at
_TITLES_A_SECOND, _SHORT_SECONDS = 300, 5  # linked to a full ESCO on two cores; a wait that need not be announced
_FEWEST, _LEAST_SHARE = 3, 0.05  # titles of a language, and their share of the list, that a notice needs
_N_SHOWN = 5  # rows of a file
_COLUMN_WIDTH = 180
UPLOAD_KEY, PASTE_KEY = "many_upload", "many_paste"
_EXAMPLE = """Krankenschwester
Senior Software Engineer (m/w/d) - Leeds
infirmière
camarero
Head of Vibes
Kfz-Mechatroniker
pielęgniarka
Account Executive II
truck driver
cuoco"""


def _choose(
    file: UploadedFile, taxonomy: str
) -> tuple[TableSummary, ColumnSummary, ContextColumns, str, DeltaGenerator] | None:
    # also returns the crosswalk's id and the place of the button, above the first rows
    with errors_shown():
        table = uploads.table(file, uploads.choose_layout(file, "many", taxonomy), _MAX_ROWS + 1, taxonomy)
        if not table.rows:
            raise DataFileError(file.name, _("the file has no rows below its header"))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = _column_name(file, table)
            place = st.container(horizontal=True, width="content", vertical_alignment="center")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            context = _context(file, table, name)
            crosswalk = other_codes.choose(taxonomy)
        column = _column(table, name)
        return (table, column, context, crosswalk, place) if column else None
    return None


def _column_name(file: UploadedFile, table: TableSummary) -> str | None:
    columns = {column.name: column for column in table.columns}
    names = tuple(columns)
    guess = names.index(table.title_column) if table.title_column else None
    return st.selectbox(
        _("Column with job titles"),
        names,
        index=guess,
        key=f"many_column_{file.file_id}_{hash(names)}",
        placeholder=_("No column looks like job titles; choose one"),
        width="stretch",
    )


def _context(file: UploadedFile, table: TableSummary, title_column: str | None) -> ContextColumns:
    names = [column.name for column in table.columns if column.name != title_column]
    if not names:
        return NO_COLUMNS
    chosen = st.multiselect(
        _("Columns that say more about the job (optional)"),
        names,
        key=f"many_context_{file.file_id}_{hash(tuple(names))}",
        placeholder=_("Such as the employer's industry, the department or the duties"),
        help=_("English texts beside the title, such as the employer's industry, move its link; unknown words do not."),
    )
    return ContextColumns.of({name: name for name in chosen})


def _column(table: TableSummary, name: str | None) -> ColumnSummary | None:
    _first_rows(table, name)
    if name is None:
        return None
    columns = {column.name: column for column in table.columns}
    if not columns[name].has_text:
        st.warning(
            _("{name} contains numbers, dates, codes or addresses rather than job titles.", name=plain(name)),
            icon=":material/pin:",
        )
    if columns[name].garbled:
        st.warning(plain(columns[name].garbled.message()), icon=":material/broken_image:")
    return columns[name]


def _first_rows(table: TableSummary, chosen: str | None) -> None:
    numbers = pd.Index(table.numbers[:_N_SHOWN], name=_("Row"))
    rows = [{name: cell_text(cell) for name, cell in row.items()} for row in table.rows[:_N_SHOWN]]
    shown = sorted((column.name for column in table.columns), key=lambda name: name != chosen)
    st.caption(
        _("The first {n_rows} of {all} rows:", n_rows=len(rows), all=numeral(len(table.rows)))
        if len(table.rows) > 1
        else _("The only row:")
    )
    st.dataframe(
        readable(pd.DataFrame(rows, numbers, shown)),
        key="many_examples",
        height="content",
        alt=_("The first rows of the file"),
        column_config={
            name: st.column_config.TextColumn(f"✓ {name}" if name == chosen else name, width=_COLUMN_WIDTH)
            for name in shown
        },
    )


@dataclass(frozen=True, slots=True)
class TitleList:
    """List of titles."""

    rows: Sequence[Record]  # rows of the file, or one for each pasted title
    column: str
    numbers: Sequence[int]  # number of each row in its file, or of each pasted line
    name: str = ""  # name of the file without its ending; '' for pasted titles
    context: ContextColumns = NO_COLUMNS
    crosswalk: str = ""  # id of the crosswalk whose codes stand beside the answers; '' for none


def show(manifest: Manifest) -> TitleList | None:
    """Draw the input; return the list when the user presses Link.

    Args:
        manifest: The taxonomy, whose words detect the column of titles.
    """
    file = st.file_uploader(
        _("A table with a column of job titles, up to {max_rows} rows", max_rows=numeral(_MAX_ROWS)),
        type=list(ENDINGS),
        key=UPLOAD_KEY,
        help=_("The links are added to the right of the file's columns."),
    )
    return _uploaded(manifest, file) if file else _pasted(manifest)


def _pasted(manifest: Manifest) -> TitleList | None:
    text = st.text_area(
        _("Or job titles, one per line"),
        key=PASTE_KEY,
        height=220,
        placeholder=_("Paste a column of a spreadsheet here, or type titles in any language"),
        persist_state="session",
    )
    browser.send_changes(PASTE_KEY)
    titles = {number: line.strip() for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    if garbled := garbled_titles(titles.items()):
        st.warning(plain(garbled.message("copy the titles again")), icon=":material/broken_image:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pressed = _link_button(len(titles))
        if not titles:
            st.button(_("Try an example"), key="many_example", type="tertiary", on_click=_paste_example)
        st.space("stretch")
        crosswalk = other_codes.choose(manifest.id)
    if not pressed:
        _missing_languages(manifest, tuple(titles.values()))  # below the button, which does not wait for the languages
        return None
    rows = [{"title": title} for title in titles.values()]
    return _within_limit(TitleList(rows, "title", list(titles), crosswalk=crosswalk))


def _paste_example() -> None:
    st.session_state[PASTE_KEY] = _EXAMPLE


def _uploaded(manifest: Manifest, file: UploadedFile) -> TitleList | None:
    chosen = _choose(file, manifest.id)
    if chosen is None:
        return None
    table, column, context, crosswalk, place = chosen
    with place:
        pressed = _link_button(column.n_filled, sure=column.has_text)
    if not pressed:
        if column.has_text:
            _missing_languages(manifest, tuple(cell_text(row.get(column.name)) for row in table.rows))
        return None
    return _within_limit(TitleList(table.rows, column.name, table.numbers, Path(file.name).stem, context, crosswalk))


def _missing_languages(manifest: Manifest, titles: tuple[str, ...]) -> None:
    """Say which languages of the titles the taxonomy has no names in, and offer one that has."""
    read = tuple(filter(None, titles))[:_MOST_READ]
    counts = {
        language: count
        for language, count in _languages(read).most_common()
        if language and language not in manifest.languages and count >= max(_FEWEST, _LEAST_SHARE * len(read))
    }
    if not counts:
        return
    looks = ", ".join(
        _("{count} look {language}", count=numeral(count), language=language_name(language))
        for language, count in counts.items()
    )
    several = _("these languages") if len(counts) > 1 else language_name(next(iter(counts)))
    looks = (
        _("Of the first {n} titles, {looks};", n=numeral(len(read)), looks=looks)
        if len(read) == _MOST_READ
        else _("Of these titles, {looks};", looks=looks)
    )
    missing = _(
        "{taxonomy} has no names of its own in {languages}.",
        taxonomy=plain(taxonomy_name(manifest)),
        languages=several,
    )
    better = taxonomy_choice.with_languages(manifest, set(counts))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            f"{looks} {missing}",
            icon=":material/translate:",
        )
        if better:
            st.button(
                _("Use {taxonomy_title}", taxonomy_title=plain(taxonomy_title(better))),
                key="use_taxonomy",
                on_click=st.session_state.update,
                args=({taxonomy_choice.TAXONOMY_KEY: better.id},),
            )


@cached(lambda titles: hash(titles), most=20)
def _languages(titles: tuple[str, ...]) -> Counter[str]:
    return count_languages(titles)


def _link_button(n_titles: int, *, sure: bool = True) -> bool:
    label = plural("Link {n} title", "Link {n} titles", n_titles) if n_titles else _("Link")
    pressed = st.button(label, key="many_link", type="primary" if sure else "secondary", disabled=not n_titles)
    if (seconds := n_titles / _TITLES_A_SECOND) > _SHORT_SECONDS:
        st.caption(_("{duration}, with ESCO on two cores", duration=about(seconds)), width="content")
    return pressed


def _within_limit(titles: TitleList) -> TitleList | None:
    if len(titles.rows) > _MAX_ROWS:
        st.error(
            _(
                "The list has more than {max_rows} titles, the limit of this page. Split it, or use the command "
                "line: jobmatch link",
                max_rows=numeral(_MAX_ROWS),
            ),
            icon=":material/error:",
        )
        return None
    return titles
