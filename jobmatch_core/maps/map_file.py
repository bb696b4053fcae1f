"""Files of a map: a page of HTML, a still picture, or its points as a table."""

from pathlib import Path

from jobmatch_core.errors import MapError
from jobmatch_core.io.folders import file_written_whole
from jobmatch_core.io.tables import table_format, write_table
from jobmatch_core.maps.map_table import map_rows
from jobmatch_core.maps.picture import Picture, Theme
from jobmatch_core.maps.still import FORMATS, save_still

_TEMPLATES = {"light": "plotly_white", "dark": "plotly_dark"}


def save_map(picture: Picture, title: str, path: Path, *, theme: Theme = "light", note: str = "") -> None:
    """Write a map to a file, completely or not at all.

    Args:
        picture: picture to draw.
        title: text above it.
        path: .html is a page that needs nothing from elsewhere, .png and .svg are stills, .parquet, .csv, .xlsx and
            .jsonl hold the points.
        theme: theme of a picture.
        note: text below a still.

    Raises:
        MapError: a picture cannot be written.
        DataFileError: the ending is none of these, or a table cannot be written.
    """
    ending = path.suffix.lower()
    if ending in FORMATS:
        save_still(picture, title, path, theme=theme, note=note)
    elif ending == ".html":
        _write_page(picture, title, path, theme)
    else:
        table_format(path)
        write_table(path, map_rows(picture.latent))


def check_ending(path: Path) -> None:
    """Raise a DataFileError where a map cannot be written to a file with that ending, before it is made."""
    if path.suffix.lower() not in (*FORMATS, ".html"):
        table_format(path)


def _write_page(picture: Picture, title: str, path: Path, theme: Theme) -> None:
    from jobmatch_core.maps.figure import figure_of  # plotly takes a second

    figure = figure_of(picture, title, theme).update_layout(template=_TEMPLATES[theme])
    try:
        with file_written_whole(path) as temporary:
            figure.write_html(temporary, include_plotlyjs=True, config={"scrollZoom": True, "displaylogo": False})
    except OSError as error:
        raise MapError(f"{path.name} could not be written ({error.strerror or error}).") from error
