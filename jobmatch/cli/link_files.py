"""Linking of files for `jobmatch link`: one file into another, or a large table into a folder of parts."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from jobmatch.cli.output import print_json, print_line, print_warning, progress_bar
from jobmatch.cli.sheets import layout_note, other_sheets
from jobmatch_core.engines import LOCAL, opened_engine
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import claimed
from jobmatch_core.io.table_parts import PART_ROWS, CsvLayout, local_path, local_sample, table_files
from jobmatch_core.io.tables import FORMATS
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.link_job import BatchLinker, link_parts
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.sheets.garbled_titles import GarbledTitles
from jobmatch_core.sheets.table_layout import TableLayout, garbled_titles_in, guess_layout


@dataclass(frozen=True, slots=True)
class FileJob:
    """Input, output and options of linking a file."""

    file: str  # a file, or a folder or a URL of parts
    out: str  # a file, or a folder or a URL for parts
    column: str | None  # the column with the titles; None to detect it
    encoding: str | None  # text encoding of CSV; None to detect it
    header_row: int | None  # the row of the column names; None to detect it
    sheet: str | None  # the sheet of a workbook; None to choose the one with the titles
    separator: str  # separator of CSV; '' to detect it
    engine: str  # `local`, `dask` or a scheduler's address
    workers: int  # processes; 0 for one per core
    resume: bool  # resume an interrupted run

    @property
    def has_parts(self) -> bool:
        """True if the output is a folder of parts."""
        if "://" in self.out:
            return True
        path = Path(self.out)
        return path.is_dir() or not path.suffix or self.out.endswith(("/", os.sep))

    def check(self) -> None:
        """Refuse an output that does not fit the input and the engine; raises SettingsError."""
        if not self.out.strip():
            raise SettingsError("--out is empty; give a file or a folder.")
        ending = Path(self.out).suffix.removeprefix(".").lower()
        if "://" in self.out and ending in FORMATS:
            raise SettingsError(
                f"{self.out} is a URL of a file, but parts are written to a folder; give the URL of a folder."
            )
        if not self.has_parts and ("://" in self.file or Path(self.file).is_dir() or self.engine != LOCAL):
            raise SettingsError("Addresses, folders and --engine need a folder as output: --out FOLDER.")

    def layout(self, taxonomy: str) -> tuple[TableLayout, GarbledTitles]:
        """Return the layout of the input and its titles with garbled characters; of parts, from the first rows.

        Raises:
            DataFileError: as `guess_layout` and `table_files`.
            TaxonomyError: there is no such taxonomy.
        """
        if not self.has_parts:
            return self._guess_layout(Path(self.file), taxonomy, None)
        with local_sample(table_files(self.file)[0]) as sample:
            return self._guess_layout(sample, taxonomy, PART_ROWS)

    def _guess_layout(self, table: Path, taxonomy: str, most_rows: int | None) -> tuple[TableLayout, GarbledTitles]:
        layout = guess_layout(
            table,
            encoding=self.encoding,
            header_row=self.header_row,
            column=self.column,
            sheet=self.sheet,
            separator=self.separator,
            taxonomy=taxonomy,
        )
        return layout, garbled_titles_in(table, layout, most_rows)


def link_table(spec: LinkerSpec, job: FileJob, *, json: bool) -> None:
    """Link a table and print a summary; raises JobMatchError as `link_file` and `link_parts`."""
    job.check()
    layout, garbled = job.layout(spec.taxonomy)
    if garbled:
        print_warning(garbled.message("link it again"))
    with progress_bar("Building the index (only once)", hidden=json) as progress:
        linker = spec.open(progress)
    # started before the claim, since workers are copies of this process and must not copy its claim
    with opened_engine(job.engine, job.workers) as engine, _claimed(job.out):
        batch_linker = BatchLinker(spec, layout.column or "")
        with progress_bar("Linking", hidden=json) as progress:
            if job.has_parts:
                csv = CsvLayout(layout.encoding, layout.header_row, layout.separator)
                report = link_parts(
                    batch_linker, job.file, job.out, layout=csv, engine=engine, resume=job.resume, progress=progress
                )
                counts = asdict(report)
            else:
                counts = {
                    "rows": link_file(
                        linker,
                        Path(job.file),
                        Path(job.out),
                        layout=layout,
                        languages=spec.languages,
                        show=spec.show,
                        top=spec.top,
                        resume=job.resume,
                        code_form=spec.code_form,
                        progress=progress,
                        context=spec.context,
                        other_codes=spec.other_codes,
                        links=partial(engine.map, batch_linker.link_records) if job.workers != 1 else None,
                    )
                }
    summary = {"taxonomy": spec.taxonomy, **counts, "out": job.out, **asdict(layout), "damaged": garbled.count}
    if not layout.separator:  # it was detected
        del summary["separator"]
    print_json(summary) if json else _print_summary(summary, layout)


@contextmanager
def _claimed(out: str) -> Iterator[None]:
    # a remote output cannot be locked
    path = local_path(out)
    if path is None:
        yield
        return
    with claimed(path):
        yield


def _print_summary(summary: dict[str, object], layout: TableLayout) -> None:
    parts = f" in {summary['parts']:,} parts, {summary['linked']:,} of them in this run" if "parts" in summary else ""
    print_line(f"Linked {summary['rows']:,} rows to {summary['taxonomy']}{parts}: {summary['out']}")
    print_line(layout_note(layout))
    if layout.other_sheets:
        print_line(other_sheets(layout.other_sheets))
