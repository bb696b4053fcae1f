"""What a page shows and stores: its texts, the table and the panel of links, the current judgments."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch_core.entities import Judgment
from jobmatch_core.errors import LabelStoreError


def texts(app: AppTest) -> str:
    """Return all texts of the page, without the backslashes that escape Markdown."""
    said = [*app.markdown, *app.caption, *app.warning, *app.info, *app.error, *app.success]
    elements = [*said, *app.title, *app.subheader]
    return "\n".join(str(element.value) for element in elements).replace("\\", "")


def link_list(app: AppTest, *titles: str) -> AppTest:
    """Paste titles and press Link."""
    app.query_params["view"] = "many"
    app.run()
    app.text_area(key="many_paste").set_value("\n".join(titles)).run()
    return app.button(key="many_link").click().run()


def table(app: AppTest) -> list[dict[str, object]]:
    """The rows of the table of links."""
    frame = app.dataframe(key="many_table").value
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def options(app: AppTest) -> list[str]:
    """Return the options of the panel's title, without the backslashes that escape Markdown."""
    return [each.label.replace("\\", "") for each in app.button if str(each.key).startswith("pick_")]


def pick(app: AppTest, name: str) -> AppTest:
    """Decide on the panel's title for the option with a name."""
    place = [label.split(" · ")[0] for label in options(app)].index(name) + 1
    return app.button(key=f"pick_{place}").click().run()


def left_to_check(app: AppTest) -> str:
    """Return what the headline of a list says is left to check."""
    return headline(app).split(" · ")[0]


def headline(app: AppTest) -> str:
    """Return the headline of a list: what is left to check, what is decided, and whose list it is."""
    [bar] = app.get("progress")
    return str(bar.proto.text)


def stored_judgments(home: Path) -> list[Judgment]:
    """Return the current judgments of the store, oldest first."""
    with LabelStore.open(home / "jobmatch.db") as store:
        return store.current()[::-1]


def words(judgments: list[Judgment]) -> list[tuple[str, str, str | None]]:
    """Return title, occupation and verdict of each judgment."""
    return [(each.pair.left, each.pair.right, each.verdict) for each in judgments]


def failing(self: LabelStore, judgments: object) -> int:
    """Raise the error of a store that cannot be written."""
    raise LabelStoreError("The label store cannot be written, the disk is full: make room.")
