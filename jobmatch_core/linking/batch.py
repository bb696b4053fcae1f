"""Linking of a whole file: one output row per input row, in order, with bounded memory; resumable.

Links are first written to part files beside the output. In the end the source is read again and joined with them, so
that its columns keep their types. The output appears when it is complete.
"""

import json
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from jobmatch_core.entities import LinkResult, Progress, no_progress
from jobmatch_core.errors import DataFileError, LinkingError
from jobmatch_core.io.folders import flush, write_text_whole
from jobmatch_core.io.tables import (
    Record,
    cell_text,
    listed,
    no_column,
    write_table,
    written_format,
)
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.coding import CodeForm
from jobmatch_core.linking.context import NO_COLUMNS, ContextColumns, Titled
from jobmatch_core.linking.link_job import LINK_SCHEMA, linked_once
from jobmatch_core.linking.link_rows import beside
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.other_codes import OtherCodes, digest_of, with_other_codes
from jobmatch_core.sheets.table_layout import PLAIN_LAYOUT, TableLayout
from jobmatch_core.text.locales import ENGLISH

PART_ROWS = 2000  # an interruption loses at most one part; repeated titles in a part are linked once
Links = Callable[[Iterable[Sequence[Titled]]], Iterator[list[Record]]]  # lists of titles -> columns of their links


@dataclass(frozen=True, slots=True)
class _Job:
    """Identity of a job; only an equal job resumes its parts."""

    source: str
    size: int
    modified: int
    column: str
    taxonomy: str
    taxonomy_hash: str
    system: str
    languages: tuple[str, ...]
    show: str
    top: int
    part_rows: int
    encoding: str
    header_row: int
    format: str
    sheet: str | None
    separator: str
    code_form: CodeForm
    context: ContextColumns
    other_codes: str

    @property
    def layout(self) -> TableLayout:
        """Layout of the source."""
        return TableLayout(self.encoding, self.header_row, self.column, self.sheet, separator=self.separator)


def link_file(
    linker: Linker,
    source: Path,
    out: Path,
    *,
    layout: TableLayout = PLAIN_LAYOUT,
    languages: Collection[str] = (),
    show: str = ENGLISH,
    top: int = 5,
    resume: bool = False,
    code_form: CodeForm = CodeForm.SHORT,
    links: Links | None = None,
    context: ContextColumns = NO_COLUMNS,
    other_codes: OtherCodes = (),
    progress: Progress = no_progress,
) -> int:
    """Link the titles in a column of a table; write the table with the columns of the links added.

    Args:
        source: a table, as for `read_table`.
        out: output file, in the format of its extension; an existing file is replaced.
        layout: layout of the source; its column of titles may be None if the source has only one column.
        languages: match only names in these languages; all if empty.
        show: language of the names in the output.
        top: maximum number of candidates.
        resume: continue an interrupted run of the same job.
        code_form: form of the codes above unit groups.
        links: links lists of titles, such as in other processes; *linker* does by default.
        context: columns with what is known beside the titles; the output says in `link_context` what they speak for.
        other_codes: codes of another classification for occupations and groups, see `link_also_code`.
        progress: called with rows done and rows in total.

    Returns:
        Number of rows written.

    Raises:
        DataFileError: the source cannot be read, or has no such column.
        LinkingError: the output is the source or cannot be written, or the existing parts belong to another job.
    """
    written_format(out)
    column = _title_column(source, layout.column, layout.column_names(source))
    context.check(source, layout.column_names(source))
    stat = source.stat()
    if out.exists() and out.samefile(source):
        raise LinkingError(f"{out.name} is the file to be linked; give the output another name.")
    manifest = linker.taxonomy.manifest
    job = _Job(
        str(source.resolve()),
        stat.st_size,
        stat.st_mtime_ns,
        column,
        manifest.id,
        manifest.source_hash,
        linker.state,
        tuple(sorted(languages)),
        show,
        top,
        PART_ROWS,
        layout.encoding,
        layout.header_row,
        str(LINK_SCHEMA),
        layout.sheet,
        layout.separator,
        code_form,
        context,
        digest_of(other_codes),
    )
    try:
        parts = _prepare(out, job, resume=resume)
        _link_parts(links or partial(_in_process, linker, job, other_codes), source, parts, job, progress)
        whole = parts / out.name
        count = write_table(whole, _joined(source, parts, job), LINK_SCHEMA)
        flush(whole)
        whole.replace(out)
        shutil.rmtree(parts)
    except OSError as error:
        raise LinkingError(
            f"{out.name} could not be written ({error.strerror or error}); fix that and run again with --resume."
        ) from error
    return count


def _title_column(source: Path, column: str | None, columns: Sequence[str]) -> str:
    if column is None and len(columns) == 1:
        return columns[0]
    if column is None:
        raise DataFileError(source, f"name the column of titles; it has {listed(columns)}")
    if column not in columns:
        raise no_column(source, column, columns)
    return column


def _prepare(out: Path, job: _Job, *, resume: bool) -> Path:
    parts = out.with_name(out.name + ".parts")
    described = parts / "job.json"
    text = json_text(asdict(job))
    if resume and described.exists() and described.read_text("utf-8") != text:
        raise LinkingError(
            f"{parts.name} was left by another job (another file, column, taxonomy or option); run without --resume "
            "to start over."
        )
    if not resume:
        shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True, exist_ok=True)
    described.write_text(text, "utf-8")
    return parts


def _link_parts(links: Links, source: Path, parts: Path, job: _Job, progress: Progress) -> None:
    sizes = [len(batch) for batch in _batches(source, job)]
    missing = [number for number, rows in enumerate(sizes) if _read_part(_part(parts, number), rows) is None]
    wanted = set(missing)
    titles = (
        [job.context.titled(cell_text(row.get(job.column), source), row) for row in batch]
        for number, batch in enumerate(_batches(source, job))
        if number in wanted
    )
    done = sum(sizes) - sum(sizes[number] for number in missing)
    if done:
        progress(done, sum(sizes))
    for number, records in zip(missing, links(titles), strict=True):
        lines = (json_text(record, ensure_ascii=False) for record in records)
        write_text_whole(_part(parts, number), "\n".join(lines))
        done += sizes[number]
        progress(done, sum(sizes))


def _part(parts: Path, number: int) -> Path:
    return parts / f"{number:07}.jsonl"


def _batches(source: Path, job: _Job) -> Iterator[list[Record]]:
    return job.layout.read(source, PART_ROWS)


def _in_process(
    linker: Linker, job: _Job, other_codes: OtherCodes, lists: Iterable[Sequence[Titled]]
) -> Iterator[list[Record]]:
    def link(titles: Sequence[Titled]) -> list[LinkResult]:
        results = linker.link_all(titles, languages=job.languages, show=job.show, top=job.top)
        return with_other_codes(results, other_codes)

    return (linked_once(link, titles, job.code_form) for titles in lists)


def _read_part(part: Path, rows: int) -> list[Record] | None:
    """Return a part's links; None if it is missing or damaged."""
    try:
        links = [json.loads(line) for line in part.read_text("utf-8").split("\n")]
    except (OSError, ValueError):
        return None
    whole = len(links) == rows and all(isinstance(link, dict) and "link_uri" in link for link in links)
    return links if whole else None


def _joined(source: Path, parts: Path, job: _Job) -> Iterator[Record]:
    for number, batch in enumerate(_batches(source, job)):
        links = _read_part(_part(parts, number), len(batch))
        if links is None:
            raise LinkingError(f"{source.name} was changed while it was linked; run again without --resume.")
        for row, link in zip(batch, links, strict=True):
            yield beside(row, link)
