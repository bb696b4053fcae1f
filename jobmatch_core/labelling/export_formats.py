"""Formats of exported judgments: lossless files (`label_files.FILE_FORMATS`) and folders for other tools (`TOOLS`)."""

from collections.abc import Callable, Iterable
from pathlib import Path

from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.errors import SettingsError
from jobmatch_core.labelling.annotation_lines import write_doccano, write_prodigy
from jobmatch_core.labelling.annotation_tools import write_argilla, write_label_studio
from jobmatch_core.labelling.exports import ExportItem, PairTexts, export_items
from jobmatch_core.labelling.label_files import FILE_FORMATS, write_labels

# name -> writes a folder with pairs of one kind and returns their number
TOOLS: dict[str, Callable[[Path, PairKind, Iterable[ExportItem]], int]] = {
    "argilla": write_argilla,
    "label-studio": write_label_studio,
    "prodigy": write_prodigy,
    "doccano": write_doccano,
}


def export_formats() -> list[str]:
    """Return the names of all formats, files first."""
    return [*FILE_FORMATS, *TOOLS]


def export_format(out: Path, wanted: str | None = None) -> str:
    """Return the format to write: *wanted*, else by the file's ending.

    Raises SettingsError if the format is unknown, missing, or contradicts the ending.
    """
    ending = out.suffix.lower().removeprefix(".")
    by_ending = ending if ending in FILE_FORMATS else None
    if wanted is not None and wanted not in export_formats():
        raise SettingsError(f"There is no format {wanted!r}; choose one of {', '.join(export_formats())}.")
    chosen = wanted or by_ending
    if chosen is None:
        files = " or ".join(f"{out.name}.{ending}" for ending in FILE_FORMATS)
        raise SettingsError(f"Name the file {files}, or choose a --format: {', '.join(export_formats())}.")
    if by_ending != (chosen if chosen in FILE_FORMATS else None):
        what = f"a file that ends in .{chosen}" if chosen in FILE_FORMATS else "a folder"
        raise SettingsError(f"The format {chosen} needs {what}, but the name is {out.name}; rename it.")
    return chosen


def export_labels(
    out: Path, chosen: str, kind: PairKind | None, judgments: Iterable[Judgment], texts: Callable[[Pair], PairTexts]
) -> int:
    """Write judgments to a file, or pairs with their texts for another tool; return their number.

    Args:
        out: the file, or the tool's folder.
        chosen: result of `export_format`.
        kind: kind of pair; None for all (files only).
        judgments: the whole history in the order of recording.
        texts: returns a pair's texts, KeyError if unknown.

    Raises:
        SettingsError: a tool was chosen without a kind of pair.
        LabellingError: the file or folder cannot be written, or the texts of a pair are unknown.
    """
    if chosen in FILE_FORMATS:
        return write_labels(out, (judgment for judgment in judgments if kind in (None, judgment.pair.kind)))
    if kind is None:
        raise SettingsError(f"The format {chosen} needs a --kind: {' or '.join(PairKind)}.")
    return TOOLS[chosen](out, kind, export_items(kind, judgments, texts))
