"""`jobmatch audit titles|matching|pack`: twins, impact ratios, and the evidence pack."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, SeedOption, TitleColumnOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.cli.places import print_home
from jobmatch.services.auditing import N_FREELANCERS, N_PROJECTS, SEED, AuditService, MatchingAudit
from jobmatch.services.encoder_choice import SHIPPED
from jobmatch.services.evidence import collected_evidence
from jobmatch.services.judged_titles import coded_to_judged
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.audit.evidence_pack import write_pack
from jobmatch_core.audit.judged_errors import JudgedTitle
from jobmatch_core.audit.report import AuditReport, error_sentences, findings
from jobmatch_core.audit.report_files import write_audit
from jobmatch_core.audit.title_audit import PER_LANGUAGE
from jobmatch_core.benchmarks.production.coded_titles import read_coded_titles
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.taxonomy import BUNDLED_ID

app = typer.Typer(help="Audit models with counterfactual twins.", no_args_is_help=True)

OutOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Also write the report there: JSON, CSV, Markdown and HTML.")
]


@app.command()
def titles(
    taxonomy: Annotated[str, typer.Option(help="Taxonomy; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    encoder: Annotated[str, typer.Option(help="Encoder, as for `jobmatch link`.")] = SHIPPED,
    per_language: Annotated[int, typer.Option(min=1, help="Titles per language, drawn by chance.")] = PER_LANGUAGE,
    coded: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Table of titles with ISCO-08 codes, to count errors on.")
    ] = None,
    code: Annotated[str, typer.Option(help="Column of the codes in that table.")] = "isco",
    column: TitleColumnOption = None,
    language: Annotated[str, typer.Option(help="Column of the titles' languages in that table.")] = "",
    seed: SeedOption = SEED,
    out: OutOption = None,
    json: JsonOption = False,
) -> None:
    """Compare the links of masculine and feminine titles in twenty languages, and count errors on judged titles.

    Example: jobmatch audit titles --taxonomy esco-1.2.1 --out audit
    """
    settings = Settings.from_environment()
    linking = LinkingService(settings)
    judged: list[JudgedTitle] = []
    if coded is not None:
        layout = guess_layout(coded, column=column, taxonomy=taxonomy)
        judged = coded_to_judged(
            read_coded_titles(coded, layout, linking.taxonomy(taxonomy), code=code, language=language)
        )
    with progress_bar("Auditing", hidden=json) as progress:
        options = LinkOptions(taxonomy=taxonomy, encoder=encoder)
        report = AuditService(linking).titles(options, per_language, judged=judged, seed=seed, progress=progress)
    _end(report, settings, out, json=json)


@app.command()
def matching(
    marketplace: Annotated[str, typer.Argument(help="Marketplace; see `jobmatch marketplace list`.")],
    model: Annotated[str, typer.Option(help="Towers, by name or folder, or untrained; by default those in use.")] = "",
    ranker: Annotated[bool, typer.Option(help="With the second stage, as on the pages.")] = True,
    projects: Annotated[int, typer.Option(min=1, help="Number of the latest projects.")] = N_PROJECTS,
    freelancers: Annotated[int, typer.Option(min=20, help="Number of freelancers, drawn by chance.")] = N_FREELANCERS,
    seed: SeedOption = SEED,
    out: OutOption = None,
    json: JsonOption = False,
) -> None:
    """Compare the rankings of profiles and of their twins: gendered forms, names, age, home, language.

    Example: jobmatch audit matching demo --model untrained --out audit
    """
    settings = Settings.from_environment()
    service = AuditService(LinkingService(settings))
    audit = MatchingAudit(marketplace, model, ranker, projects, freelancers, seed)
    with progress_bar("Auditing", hidden=json) as progress:
        report = service.matching(audit, progress=progress)
    _end(report, settings, out, json=json)


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(help="Folder to write to; made if it is missing.")], json: JsonOption = False
) -> None:
    """Write the evidence pack: what is stored, under the headings of the AI Act's Annex IV, with gaps marked.

    Example: jobmatch audit pack evidence
    """
    collected = collected_evidence(Settings.from_environment())
    written = write_pack(collected, folder)
    n_facts = sum(len(section.facts) for section in collected.sections)
    n_gaps = sum(len(section.gaps) for section in collected.sections)
    if json:
        print_json({"facts": n_facts, "gaps": n_gaps, "files": [*map(str, written)]})
        return
    print_line(f"{n_facts:,} stored facts and {n_gaps:,} gaps, which people have to fill.")
    for path in written:
        print_line(f"Wrote {path}")


def _end(report: AuditReport, settings: Settings, out: Path | None, *, json: bool) -> None:
    print_home(settings)
    written = write_audit(report, out) if out else []
    worst_first = findings(report)
    worst = worst_first[0].sentence if worst_first else ""
    if json:
        print_json(asdict(report) | {"worst": worst, "files": [*map(str, written)]})
        return
    cells = [
        (
            finding.what,
            f"{finding.overlap.mean:.3f}",
            f"{finding.overlap.low:.3f}-{finding.overlap.high:.3f}",
            f"{finding.impact_ratio:.3f}",
        )
        for finding in worst_first
    ]
    print_table(("what", "overlap", "95% interval", "impact ratio"), cells, title=report.name)
    if worst:
        print_line(f"Worst finding: {worst}")
    for sentence in error_sentences(report):
        print_line(sentence)
    for path in written:
        print_line(f"Wrote {path}")
