"""What tests of lists ask of the page 'Link titles' and do there."""

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.observed import table


def picker(app: AppTest) -> Any:
    """Return the select box of occupations, which several selected titles have."""
    return next(each for each in app.selectbox if each.label == "Occupation")


def kept_rows(app: AppTest) -> list[dict[str, Any]]:
    """Return the rows of the open list as written to files."""
    return list(app.session_state["many_open"].review.to_rows())


def select(app: AppTest, *rows: int) -> AppTest:
    """Select rows of the table of links."""
    app.session_state["many_table"] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return app.run()


def keys(app: AppTest) -> set[str]:
    """Return the keys of all buttons."""
    return {str(each.key) for each in app.button}


def statuses(app: AppTest) -> dict[object, object]:
    """Return the status of each title of the table."""
    return {row["Title"]: row["Status"] for row in table(app)}
