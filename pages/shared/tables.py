"""Tables: cells as plain text, figures in one format, nothing where there is no value."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st

from pages.shared.widgets import readable

_HEAD_HEIGHT, _ROW_HEIGHT = 38, 35  # pixels, with the table's frame


def show_table(
    rows: Sequence[Mapping[str, object]] | Mapping[str, Sequence[object]] | pd.DataFrame,
    key: str,
    *,
    formats: Mapping[str, str] | None = None,
    columns: Mapping[str, Any] | None = None,
    height: int | Literal["auto", "content"] = "content",
    nothing: str = "",
) -> None:
    """Draw a table.

    Args:
        rows: The rows, or the values by column.
        key: Key of the table.
        formats: Column -> format of its numbers, such as '%.3f' or 'percent'.
        columns: Column -> its configuration, one of `st.column_config`.
        height: Largest height in pixels, 'content' for all rows, or 'auto' for at most ten.
        nothing: Text of a cell without a value.
    """
    table = readable(rows)
    if isinstance(height, int):
        height = min(height, _HEAD_HEIGHT + _ROW_HEIGHT * max(len(table), 1))
    numbers = {name: st.column_config.NumberColumn(format=form) for name, form in (formats or {}).items()}
    st.dataframe(
        table,
        hide_index=True,
        key=key,
        height=height,
        placeholder=nothing,
        column_config={**numbers, **(columns or {})},
    )
