"""Files of a map: an HTML page, a still picture (PNG or SVG) for a paper, or a table of its points."""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.io.folders import atomic_file
from jobmatch_core.io.tables import Record, write_table, written_format
from jobmatch_core.maps.density import placed
from jobmatch_core.maps.items import FIELDS
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.picture import SHARES, Group, Picture, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PAPER = {"light": ("#ffffff", "#1a1a1a"), "dark": ("#0e1117", "#f2f2f2")}  # background, ink
_INCHES, _DPI = (9.0, 6.2), 200
_SIZE = 8.0  # font size of the labels, in points
_LEGEND_LETTERS = 33
_FEW, _MANY = 500, 5000  # points up to which they are large, and from which they are small
FORMATS = (".png", ".svg")
_TEMPLATES = {"light": "plotly_white", "dark": "plotly_dark"}


def column_name(field: str) -> str:
    """Return the column of a field in a table of points."""
    return field.replace(" ", "_").lower()


def map_rows(latent: LatentMap, ids: Iterable[str] | None = None) -> Iterator[Record]:
    """Yield rows with id, text, the available fields (None where unknown), and the coordinates x and y."""
    items = latent.items
    wanted = None if ids is None else set(ids)
    fields = {name: items.values(name) for name in FIELDS if any(items.values(name))}
    for row, id_ in enumerate(items.ids):
        if wanted is None or id_ in wanted:
            x, y = latent.positions[row].tolist()
            values = {column_name(name): column[row] or None for name, column in fields.items()}
            concept = {"stands_for": items.concepts[row] or None} if items.concepts else {}
            yield {"id": id_, "text": items.texts[row], **concept, **values, "x": x, "y": y}


def save_still(picture: Picture, title: str, path: Path, *, theme: Theme = "light", note: str = "") -> None:
    """Draw a map and write it to a .png or .svg file atomically, with a note such as the quality below it.

    Raises MapError if the ending is another one, or the file cannot be written.
    """
    if path.suffix.lower() not in FORMATS:
        raise MapError(f"A still picture must end in {' or '.join(FORMATS)}, not {path.suffix or 'nothing'}.")
    figure = still_figure(picture, title, theme=theme, note=note)
    try:
        with atomic_file(path) as temporary, warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # a box replaces it
            metadata = {"Date": None} if path.suffix.lower() == ".svg" else None  # for reproducible files
            figure.savefig(temporary, dpi=_DPI, facecolor=figure.get_facecolor(), metadata=metadata)
    except OSError as error:
        raise MapError(f"{path.name} could not be written ({error.strerror or error}).") from error


def still_figure(picture: Picture, title: str, *, theme: Theme = "light", note: str = "") -> "Figure":
    """Draw a map; arguments as for `save_still`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure  # takes a second

    paper, ink = _PAPER[theme]
    figure = Figure(figsize=_INCHES, facecolor=paper)
    FigureCanvasAgg(figure)  # no window, no state shared between threads
    axes = figure.add_axes((0.01, 0.06, 0.7 if picture.field else 0.98, 0.87), facecolor=paper)
    axes.set(
        xticks=(),
        yticks=(),
        xlim=(picture.frame.left, picture.frame.right),
        ylim=(picture.frame.bottom, picture.frame.top),
    )
    axes.spines[:].set_visible(False)
    _draw_points(axes, picture, ink)
    _draw_labels(axes, picture, paper, ink)
    if picture.field:
        legend = axes.legend(
            title=picture.field,
            loc="upper left",
            bbox_to_anchor=(1.01, 1),
            frameon=False,
            fontsize=_SIZE,
            labelcolor=ink,
            markerscale=4,
            handletextpad=0.2,
        )
        legend.get_title().set_color(ink)
    figure.text(0.01, 0.96, _plain(title), color=ink, fontsize=11, va="center")
    figure.text(0.01, 0.025, _plain(note), color=ink, fontsize=7, va="center", alpha=0.8)
    return figure


def _draw_points(axes: "Axes", picture: Picture, ink: str) -> None:
    positions = picture.latent.positions
    _scatter(axes, positions[picture.outside], picture, ink, 0.08)
    for first, *others in picture.lines:
        for row in others:
            axes.plot(*positions[[first, row]].T, color=ink, alpha=0.25, linewidth=0.5)
    for group in picture.groups:
        _scatter(axes, positions[group.rows], picture, group.colour, 0.6, _legend(group))
        if group.density is not None:
            levels = [group.density.level(share) for share in SHARES]
            if levels[0] < levels[1]:
                axes.contour(
                    group.density.xs,
                    group.density.ys,
                    group.density.values,
                    levels=levels,
                    colors=group.colour,
                    linewidths=(0.7, 1.3),
                )


def _scatter(
    axes: "Axes", positions: FloatArray, picture: Picture, colour: str, opacity: float, label: str = ""
) -> None:
    count = len(picture.latent.items)
    axes.scatter(
        positions[:, 0],
        positions[:, 1],
        s=14.0 if count <= _FEW else 4.0 if count <= _MANY else 1.0,
        c=colour,
        alpha=opacity,
        label=label or "_",
        linewidths=0,
        rasterized=count > _MANY,  # else an SVG of 50,000 circles
    )


def _legend(group: Group) -> str:
    count = f" ({len(group.rows):,})"
    room = _LEGEND_LETTERS - len(count)
    return _plain((group.name if len(group.name) <= room else f"{group.name[: room - 1]}…") + count)


def _draw_labels(axes: "Axes", picture: Picture, paper: str, ink: str) -> None:
    from matplotlib.patheffects import withStroke

    box = axes.get_position()
    across, up = (72 * inches for inches in (_INCHES[0] * box.width, _INCHES[1] * box.height))
    units = (_SIZE / across * picture.frame.width, _SIZE / up * picture.frame.height)
    for label in placed(picture.labels, picture.frame, *units):
        axes.text(
            label.x,
            label.y,
            _plain(label.text),
            color=ink,
            fontsize=_SIZE,
            ha="center",
            va="center",
            path_effects=[withStroke(linewidth=2, foreground=paper)],
        )


# escapes the dollar signs of matplotlib's formulas
def _plain(text: str) -> str:
    return text.replace("$", r"\$")


def save_map(picture: Picture, title: str, path: Path, *, theme: Theme = "light", note: str = "") -> None:
    """Write a map to a file atomically.

    The ending decides: .html for a self-contained page, .png and .svg for stills (with the note below), .parquet, .csv,
    .xlsx and .jsonl for the points.

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
        written_format(path)
        write_table(path, map_rows(picture.latent))


def check_ending(path: Path) -> None:
    """Raise a DataFileError, before a map is computed, if it cannot be written to a file with that ending."""
    if path.suffix.lower() not in (*FORMATS, ".html"):
        written_format(path)


def _write_page(picture: Picture, title: str, path: Path, theme: Theme) -> None:
    from jobmatch_core.maps.figure import figure_of  # plotly takes a second

    figure = figure_of(picture, title, theme).update_layout(template=_TEMPLATES[theme])
    try:
        with atomic_file(path) as temporary:
            figure.write_html(temporary, include_plotlyjs=True, config={"scrollZoom": True, "displaylogo": False})
    except OSError as error:
        raise MapError(f"{path.name} could not be written ({error.strerror or error}).") from error
