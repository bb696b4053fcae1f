"""What is shown of a table before it is linked."""

from jobmatch_core.sheets.table_summary import ColumnSummary, summarise_table


def test_each_column_is_summed_up() -> None:
    """Different values only, and empty cells do not count."""
    rows = [{"n": n, "title": title} for n, title in enumerate(["nurse", "", "nurse", None, "cook", " "], 1)]
    summary = summarise_table(rows)
    assert summary.rows == rows
    assert summary.columns == (
        ColumnSummary("n", ("1", "2", "3", "4", "5"), 6, has_text=False),
        ColumnSummary("title", ("nurse", "cook"), 3, has_text=True),
    )
    assert summary.title_column == "title"


def test_an_empty_table() -> None:
    """Has no column."""
    assert (summarise_table([]).columns, summarise_table([]).title_column) == ((), None)
