"""The user's titles for the map: the list linked on 'Link titles', or a file."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from jobmatch_core.linking.review import Review
from jobmatch_core.maps.items import Items
from jobmatch_core.maps.table_items import MOST_ROWS, items_of_rows
from jobmatch_core.settings import UPLOAD_LIMIT_MB
from jobmatch_core.sheets.table_process import table_apart
from jobmatch_core.taxonomy import BUNDLED_ID
from pages.shared import resources, uploads
from pages.shared.uploads import on_disk

_LINKED = "linked titles"


def choose(review: Review | None) -> tuple[str, str, Callable[[], Items], str] | None:
    """Draw the choice; None while there are no titles, and then what to do.

    Raises:
        JobMatchError: the file is damaged.
    """
    linked = review is not None and len(review.results) > 0
    file = st.file_uploader(
        f"A table with titles, up to {UPLOAD_LIMIT_MB} MB and {MOST_ROWS:,} rows",
        type=["csv", "tsv", "txt", "xlsx", "parquet", "jsonl", "ndjson"], key="map_upload",
    )  # fmt: skip
    installed = {each.id: each for each in resources.installed()}
    if file is not None:
        columns = uploads.columns(file, "utf-8-sig")
        guess = next((number for number, name in enumerate(columns) if name.strip().lower() == "title"), 0)
        column = st.selectbox("Column with titles", columns, index=guess, key=f"map_column_{file.file_id}")
        taxonomy = resources.taxonomy(BUNDLED_ID)

        def read() -> Items:
            with on_disk([file]) as folder:
                path = folder / file.name
                table = table_apart(path, encoding="utf-8-sig", header_row=1, most_rows=MOST_ROWS + 1)
                return items_of_rows(path, table.rows, taxonomy, column=column)

        return repr(("file", file.file_id, column)), f"{file.name}: titles", read, file.name
    if linked and review is not None and review.options.taxonomy in installed:
        taxonomy = resources.taxonomy(review.options.taxonomy)
        rows = list(review.to_rows())
        digest = hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()  # decisions change rows
        key = repr(("linked", review.options.taxonomy, digest))
        reader: Callable[[], Items] = lambda: items_of_rows(Path(_LINKED), rows, taxonomy, column=review.column)  # noqa: E731
        return key, f"{len(rows):,} titles linked to {review.options.taxonomy}", reader, _LINKED
    st.info(
        "This map shows your own titles, coloured by the confidence of their links. Upload a linked file or any "
        "table with a column of titles, or link a list on 'Link titles' and come back.",
        icon=":material/upload_file:",
    )
    st.page_link("pages/link_titles/link_titles.py", label="Link titles", icon=":material/link:")
    return None
