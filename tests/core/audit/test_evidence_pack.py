"""The evidence pack: headings, facts and gaps in three files, escaped, and no verdict."""

import json
from pathlib import Path

from jobmatch_core.audit.evidence_pack import Evidence, EvidencePack, EvidenceSection, pack_html, pack_rows, write_pack

PACK = EvidencePack(
    "2026-11-28T00:00:00+00:00",
    "0.2.0",
    (
        EvidenceSection("1. General", (Evidence("<i>towers", "in use", "=1+1"),), ("Who deploys it.",)),
        EvidenceSection("5. Risks", (), ("The risks.",)),
    ),
)


def test_facts_and_gaps_are_told_apart() -> None:
    """In rows and on the page."""
    assert [row["is_gap"] for row in pack_rows(PACK)] == [False, True, True]
    assert pack_html(PACK).count('class="gap"') == 2


def test_texts_are_escaped_and_formulas_neutralised(tmp_path: Path) -> None:
    """Names of models are users' texts."""
    page, table, _ = write_pack(PACK, tmp_path / "pack")
    assert "<i>towers" not in page.read_text("utf-8")
    assert '"=1+1"' not in table.read_text("utf-8")


def test_it_never_says_compliant(tmp_path: Path) -> None:
    """That is for people to decide."""
    paths = write_pack(PACK, tmp_path / "pack")
    assert all("complian" not in path.read_text("utf-8").casefold() for path in paths)
    assert json.loads(paths[2].read_text("utf-8"))["sections"][1]["gaps"] == ["The risks."]
