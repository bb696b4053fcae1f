"""SSSOM 1.0: crosswalks as TSV with a block of metadata, written and read without loss.

Specification: https://mapping-commons.github.io/sssom/spec-formats-tsv. Paper: Matentzoglu et al. (2022), A Simple
Standard for Sharing Ontological Mappings. SKOS points the other way: a source that is narrower than its target
`skos:broadMatch`es it. The state of a mapping is an extension that other tools leave out.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Table
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from jobmatch_core.crosswalks.curies import (
    SOURCE,
    TARGET,
    VOCABULARIES,
    code_of,
    expanded,
    has_unknown_prefix,
    prefixes_of,
    shortened,
    uri_of,
)
from jobmatch_core.crosswalks.mapping import (
    BROADER,
    CLOSE,
    EXACT,
    NARROWER,
    NONE,
    PROPOSED,
    SOURCE_BASE,
    STATES,
    TARGET_BASE,
    Mapping,
    MappingSet,
)
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_cells import neutralise
from jobmatch_core.io.tables import write_csv_rows
from jobmatch_core.io.text_files import read_text

PREDICATES = MappingProxyType(
    {EXACT: "skos:exactMatch", NARROWER: "skos:broadMatch", BROADER: "skos:narrowMatch", CLOSE: "skos:closeMatch"}
)
_RELATIONS = {predicate: relation for relation, predicate in PREDICATES.items()} | {
    "skos:relatedMatch": CLOSE,
    "owl:equivalentClass": EXACT,
}
_ANY, _NOT, NOT_FOUND = "skos:mappingRelation", "Not", "sssom:NoTermFound"
MANDATORY = ("subject_id", "predicate_id", "object_id", "mapping_justification")
COLUMNS = tuple(
    (
        "subject_id subject_label predicate_id predicate_modifier object_id object_label mapping_justification "
        "confidence reviewer_label license mapping_tool mapping_tool_version mapping_date comment jobmatch_state"
    ).split()
)
STATE = "jobmatch_state"
_STATE_URI = "https://w3id.org/sssom/jobmatch_state"
_PROPAGATED = ("mapping_tool", "mapping_tool_version", "mapping_date")  # of the set, for rows without a value
_MARK = "#"
_ESCAPED, _ESCAPE = re.compile(r"[|\\]"), re.compile(r"\\(.)", re.DOTALL)
_LISTED = re.compile(r"(?:\\.|[^|\\])+", re.DOTALL)  # the values of a list, without the bars between them


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a crosswalk."""

    line: int  # line of the file; 0 for the whole file
    text: str  # what is wrong, and what to do


@dataclass(frozen=True, slots=True)
class SssomFile:
    """What a file holds; rows with a problem are left out of the mappings."""

    mappings: MappingSet  # the crosswalk
    lines: tuple[int, ...]  # line of each mapping
    problems: tuple[Problem, ...]  # missing and unknown values


def sssom_text(mappings: MappingSet) -> str:
    """Return a crosswalk as SSSOM TSV."""
    prefixes = prefixes_of(mappings)
    out = io.StringIO()
    out.writelines(f"{_MARK}{line}\n" for line in _metadata(mappings, prefixes))
    table = io.StringIO()
    rows = (map(_guarded, _cells(item, mappings, prefixes)) for item in mappings.mappings)
    records = (dict(zip(COLUMNS, row, strict=True)) for row in rows)
    if not write_csv_rows(table, records, delimiter="\t", quote_all=False):  # sssom-py does not take quotes away
        table.write("\t".join(COLUMNS) + "\n")
    out.write(table.getvalue().replace("\r\n", "\n"))
    return out.getvalue()


def _metadata(mappings: MappingSet, prefixes: Table[str, str]) -> Iterator[str]:
    yield "curie_map:"
    yield from (f"  {name}: {json.dumps(start)}" for name, start in prefixes.items())
    values = {
        "mapping_set_id": mappings.id,
        "mapping_set_title": mappings.title,
        "license": mappings.licence,
        "subject_source_version": mappings.source_version,
        "object_source_version": mappings.target_version,
    }
    yield from (f"{name}: {json.dumps(value)}" for name, value in values.items() if value)
    yield "extension_definitions:"
    yield f"- slot_name: {STATE}"
    yield f"  property: {_STATE_URI}"


def _cells(item: Mapping, of: MappingSet, prefixes: Table[str, str]) -> tuple[str, ...]:
    judged_none = item.relation == NONE and item.target
    return (
        shortened(uri_of(item.source, of.source_base), prefixes),
        item.source_name,
        PREDICATES.get(item.relation, _ANY),
        _NOT if judged_none else "",
        shortened(uri_of(item.target, of.target_base), prefixes) if item.target else NOT_FOUND,
        item.target_name,
        item.justification,
        "" if item.probability is None else repr(float(item.probability)),
        "|".join(_ESCAPED.sub(r"\\\g<0>", name) for name in (item.reviewer, item.second_reviewer) if name),
        item.licence,
        item.tool,
        item.version,
        item.date,
        " ".join(item.comment.split()),
        item.state,
    )


def _guarded(cell: str) -> str:
    # The table's writer puts an apostrophe before what a spreadsheet reads as a formula, and `_unguarded` takes one
    # away; a cell that already looks like that gets one more.
    return f"'{cell}" if cell.startswith("'") and _is_formula(cell.lstrip("'")) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _is_formula(cell.lstrip("'")) else cell


def _is_formula(cell: str) -> bool:
    return neutralise(cell) != cell


def is_sssom(path: Path) -> bool:
    """Return whether a file is a table of mappings, by the first line below its metadata."""
    with path.open(encoding="utf-8", errors="replace") as file:
        header = next((line for line in file if not line.startswith(_MARK)), "")
    return "subject_id" in header.split("\t")


def read_sssom(path: Path) -> SssomFile:
    """Read an SSSOM TSV, also of other tools.

    Raises DataFileError if the file cannot be read, or has no header with the mandatory columns.
    """
    try:
        text = read_text(path, "utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataFileError(path, "this is not UTF-8 text; save the file as UTF-8 and try again") from error
    except OSError as error:
        raise DataFileError(path, f"the file cannot be read ({error.strerror or error})") from error
    head, body = _parted(text)
    metadata, prefixes = _read_metadata(head)
    rows = csv.DictReader(io.StringIO(body, newline=""), delimiter="\t", restval="")
    try:
        records = [(rows.line_num + len(head), row) for row in rows]
    except csv.Error as error:
        raise DataFileError(path, f"the table cannot be read ({error})", line=len(head) + rows.line_num) from error
    if missing := [column for column in MANDATORY if column not in (rows.fieldnames or ())]:
        raise DataFileError(
            path,
            f"the column {missing[0]} is missing; SSSOM needs {', '.join(MANDATORY)}, separated by tabs",
            line=len(head) + 1,
        )
    return _collected(records, metadata, prefixes)


def _collected(
    records: Iterable[tuple[int, dict[str, str]]], metadata: Table[str, str], prefixes: Table[str, str]
) -> SssomFile:
    problems = [
        Problem(0, f"The metadata lack {name} ({meaning}); add a line `#{name}: ...` at the top.")
        for name, meaning in (("mapping_set_id", "the address of this crosswalk"), ("license", "its licence"))
        if not metadata.get(name)
    ]
    base = prefixes.get(SOURCE) or _commonest_base(records, prefixes) or SOURCE_BASE
    target_base = prefixes.get(TARGET) or TARGET_BASE
    mappings: list[Mapping] = []
    lines: list[int] = []
    for line, record in records:
        row = {name: _unguarded(cell or "") for name, cell in record.items() if isinstance(name, str)}
        if row_problems := list(_row_problems(line, row, prefixes)):
            problems += row_problems
            continue
        defaults = {name: metadata.get(name, "") for name in _PROPAGATED}
        mappings.append(
            _mapping(defaults | {name: cell for name, cell in row.items() if cell}, prefixes, base, target_base)
        )
        lines.append(line)
    whole = MappingSet(
        tuple(mappings),
        id=metadata.get("mapping_set_id", ""),
        licence=metadata.get("license", ""),
        title=metadata.get("mapping_set_title", ""),
        source_base=base,
        source_version=metadata.get("subject_source_version", ""),
        target_version=metadata.get("object_source_version", ""),
        target_base=target_base,
    )
    return SssomFile(whole, tuple(lines), tuple(problems))


def _row_problems(line: int, row: Table[str, str], prefixes: Table[str, str]) -> Iterator[Problem]:
    for column in MANDATORY:
        if not row.get(column):
            yield Problem(line, f"The mandatory field {column} is empty.")
    for column in ("subject_id", "object_id"):
        if row.get(column) and has_unknown_prefix(row[column], prefixes):
            yield Problem(line, f"{row[column]!r} in {column} has a prefix that curie_map does not declare.")
    predicate = row.get("predicate_id", "")
    if predicate and _shown_predicate(predicate, prefixes) not in (*_RELATIONS, _ANY):
        yield Problem(line, f"{predicate!r} is no relation; use one of {', '.join(PREDICATES.values())}.")
    if _number(row.get("confidence", "")) is _WRONG:
        yield Problem(line, f"The confidence {row['confidence']!r} is no number from 0 to 1.")
    if row.get(STATE) and row[STATE] not in STATES:
        yield Problem(line, f"{row[STATE]!r} is no state; use one of {', '.join(STATES)}.")


_WRONG = -1.0


def _number(cell: str) -> float | None:
    if not cell:
        return None
    try:
        number = float(cell)
    except ValueError:
        return _WRONG
    return number if 0 <= number <= 1 else _WRONG


def _mapping(row: Table[str, str], prefixes: Table[str, str], base: str, target_base: str) -> Mapping:
    target = expanded(row["object_id"], prefixes)
    not_found = target == expanded(NOT_FOUND, VOCABULARIES)
    relation = _RELATIONS.get(_shown_predicate(row["predicate_id"], prefixes), NONE)
    reviewers = [_ESCAPE.sub(r"\1", name) for name in _LISTED.findall(row.get("reviewer_label", "")) if name]
    return Mapping(
        source=code_of(expanded(row["subject_id"], prefixes), base),
        target="" if not_found else code_of(target, target_base),
        relation=NONE if not_found or row.get("predicate_modifier") == _NOT else relation,
        source_name=row.get("subject_label", ""),
        target_name=row.get("object_label", ""),
        probability=_number(row.get("confidence", "")),
        justification=row["mapping_justification"],
        state=row.get(STATE) or PROPOSED,
        reviewer=next(iter(reviewers), ""),
        second_reviewer=next(iter(reviewers[1:]), ""),
        date=row.get("mapping_date", ""),
        tool=row.get("mapping_tool", ""),
        version=row.get("mapping_tool_version", ""),
        licence=row.get("license", ""),
        comment=row.get("comment", ""),
    )


def _shown_predicate(predicate: str, prefixes: Table[str, str]) -> str:
    return shortened(expanded(predicate, prefixes), {**VOCABULARIES, "owl": "http://www.w3.org/2002/07/owl#"})


def _commonest_base(records: Iterable[tuple[int, dict[str, str]]], prefixes: Table[str, str]) -> str:
    used = [(record.get("subject_id") or "").partition(":")[0] for _, record in records]
    return prefixes.get(max(set(used), key=used.count), "") if used else ""


def _parted(text: str) -> tuple[list[str], str]:
    lines = text.split("\n")
    n_head = next((place for place, line in enumerate(lines) if not line.startswith(_MARK)), len(lines))
    head = [line.removeprefix(_MARK) for line in lines[:n_head]]
    margin = all(line.startswith(" ") or not line for line in head)  # as sssom-py writes it
    return [line[int(margin) :] for line in head], "\n".join(lines[n_head:])


def _read_metadata(head: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    # the part of YAML that such blocks use: `name: value`, and the table of prefixes, indented
    metadata: dict[str, str] = {}
    prefixes = dict(VOCABULARIES)
    section = ""
    for line in head:
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or name.lstrip().startswith("- "):
            continue
        if not line[0].isspace():
            section = name.strip()
            metadata[section] = _scalar(value)
        elif section == "curie_map":
            prefixes[name.strip()] = _scalar(value)
    return metadata, prefixes


def _scalar(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except json.JSONDecodeError:
            return text.strip('"')
    return text[1:-1].replace("''", "'") if text.startswith("'") and text.endswith("'") else text
