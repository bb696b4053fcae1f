"""Files of an audit: JSON, CSV, Markdown and HTML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from jobmatch_core.audit.report import FLOOR, UNKNOWN, AuditReport, Finding, error_sentences, findings, method
from jobmatch_core.io.folders import make_folder, write_text_whole
from jobmatch_core.io.tables import Record, write_table
from jobmatch_core.io.text_files import json_text

JSON_FILE, CSV_FILE, MARKDOWN_FILE, HTML_FILE = "audit.json", "audit.csv", "audit.md", "audit.html"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.3rem .5rem;text-align:left;"
    "vertical-align:top;font-variant-numeric:tabular-nums}td:first-child{width:20%}"
    "td{overflow-wrap:break-word}td:last-child{overflow-wrap:anywhere}h2{margin-top:2rem}"
    ".gap{background:#fff3cd;border-left:.3rem solid #b8860b;padding-left:.5rem}"
    # browsers omit backgrounds in print, so a gap has a border, too
    "@media print{body{font-size:10pt;max-width:none;margin:0;padding:0}h2{break-after:avoid}"
    "tr,p{break-inside:avoid}thead{display:table-header-group}}@page{margin:15mm}"
)
_FINDINGS = "All findings, the worst first"
_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|#])")


def write_audit(report: AuditReport, folder: Path) -> list[Path]:
    """Write the files of an audit into a folder, which is made if it is missing; OSError if the disk refuses."""
    make_folder(folder)
    paths = [folder / name for name in (JSON_FILE, CSV_FILE, MARKDOWN_FILE, HTML_FILE)]
    write_text_whole(paths[0], report_json(report))
    write_table(paths[1], rows(report))
    write_text_whole(paths[2], markdown(report))
    write_text_whole(paths[3], html(report))
    return paths


def report_json(report: AuditReport) -> str:
    """Return the report as JSON."""
    return json_text(asdict(report), ensure_ascii=False, indent=1)


def rows(report: AuditReport) -> Iterator[Record]:
    """Yield one row for each cue or language, flat."""
    for result in report.cues:
        impact = result.impact
        yield {
            "cue": result.cue,
            "kind": result.kind,
            "first": result.first_group,
            "second": result.second_group,
            "by_design": result.by_design,
            "profiles": result.profiles,
            **_interval_cells(asdict(result.overlap)),
            "lowest": result.lowest,
            "moved": result.moved,
            "left": result.left,
            "k": impact.k,
            "first_rate": impact.first_rate,
            "second_rate": impact.second_rate,
            "second_to_first": impact.second_to_first.value,
            "second_to_first_low": impact.second_to_first.low,
            "second_to_first_high": impact.second_to_first.high,
            "impact_ratio": impact.impact_ratio,
            "exposure": impact.exposure.value,
        }
    for titles in report.titles:
        cells = asdict(titles)
        flat = {name: cell for name, cell in cells.items() if name not in ("overlap", "examples")}
        yield flat | _interval_cells(cells["overlap"])


def _interval_cells(interval: dict[str, float]) -> Record:
    return {"overlap": interval["mean"], "overlap_low": interval["low"], "overlap_high": interval["high"]}


def markdown(report: AuditReport) -> str:
    """Return the report as Markdown; texts of data are escaped."""
    made = f"{report.created}, jobmatch {report.version}, seed {report.seed}, data {report.data_hash or 'not hashed'}."
    lines = [f"# Audit: {_marked(report.name)}", "", made, ""]
    for heading, mark, sentences in _sections(report):
        lines += [f"## {heading}", "", *(mark + _marked(sentence) for sentence in sentences), ""]
    return "\n".join(lines)


def _sections(report: AuditReport) -> list[tuple[str, str, Sequence[str]]]:
    # the heading, the sentences, and in Markdown the sign before each
    worst_first, errors = findings(report), error_sentences(report)
    examples = [f"{one.what}: {example}." for one in worst_first for example in one.examples]
    return [
        ("Worst finding", "", [one.sentence for one in worst_first[:1]]),
        (_FINDINGS, "1. ", [one.sentence for one in worst_first]),
        ("Worst examples", "- ", examples),
        *([("Errors on judged titles", "- ", errors)] if errors else []),
        ("How it was measured", "- ", method(report)),
        ("What is not known", "- ", UNKNOWN),
    ]


def _marked(text: str) -> str:
    return _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))


def html(report: AuditReport) -> str:
    """Return the report as a page of its own; all texts are escaped."""
    parts = [
        f"<h1>Audit: {escape(report.name)}</h1>",
        f"<p>{escape(report.created)}, jobmatch {escape(report.version)}, seed {report.seed}</p>",
    ]
    for heading, _, sentences in _sections(report):
        table = heading == _FINDINGS
        parts += [f"<h2>{heading}</h2>", *([findings_table(findings(report))] if table else paragraphs(sentences))]
    return html_page(f"Audit: {report.name}", parts)


def html_page(title: str, parts: Sequence[str]) -> str:
    """Return a page from a title, which is escaped, and parts, which are HTML."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def paragraphs(sentences: Sequence[str]) -> list[str]:
    """Return escaped paragraphs."""
    return [f"<p>{escape(sentence)}</p>" for sentence in sentences]


def findings_table(rows: Sequence[Finding]) -> str:
    """Return findings as an escaped HTML table."""
    head = "<thead><tr><th>what</th><th>overlap</th><th>impact ratio</th><th>in words</th></tr></thead>"
    body = "".join(
        f"<tr><td>{escape(one.what)}{f' (below {FLOOR})' if one.below_floor else ''}</td>"
        f"<td>{one.overlap.mean:.3f}</td><td>{one.impact_ratio:.3f}</td><td>{escape(one.sentence)}</td></tr>"
        for one in rows
    )
    return f"<table>{head}<tbody>{body}</tbody></table>"
