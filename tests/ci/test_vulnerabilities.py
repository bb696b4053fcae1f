"""Findings fail; what could not be checked is told, and never taken for a clean bill."""

from pathlib import Path
from typing import Any

import pytest

from tests.ci.test_licences import script

vulnerabilities = script("vulnerabilities")

CLEAN = {"name": "rich", "version": "15.0.0", "vulns": []}
FLAWED = {
    "name": "old",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}, {"id": "PYSEC-2", "fix_versions": []}],
}
UNKNOWN = {"name": "ours", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("packages", "code", "lines"),
    [
        ([CLEAN], 0, ["No known vulnerabilities in 1 packages."]),
        ([CLEAN, UNKNOWN], 0, ["No known vulnerabilities in 1 packages; NOT CHECKED: ours."]),
        ([UNKNOWN], 0, ["NOT CHECKED for vulnerabilities: the service knows none of the 1 packages."]),
        (
            [CLEAN, FLAWED, UNKNOWN],
            1,
            ["Known vulnerabilities:", "old 1.0: PYSEC-1, mended in 1.1", "old 1.0: PYSEC-2, mended in no release"],
        ),
    ],
)
def test_verdicts(packages: list[dict[str, Any]], code: int, lines: list[str]) -> None:
    """A service that knows nothing of any package has not checked anything."""
    assert vulnerabilities.verdict({"dependencies": packages}) == (code, lines)


def test_no_service(tmp_path: Path) -> None:
    """pip-audit then ends without a report."""
    program = tmp_path / "pip-audit"
    program.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    program.chmod(0o755)
    report = vulnerabilities.audit(str(program), str(tmp_path))
    assert report is None
    code, lines = vulnerabilities.verdict(report)
    assert (code, len(lines)) == (0, 1)
    assert lines[0].startswith("NOT CHECKED")


def test_a_report_is_read(tmp_path: Path) -> None:
    """Whatever the exit code, which is 1 for findings as well."""
    program = tmp_path / "pip-audit"
    program.write_text('#!/bin/sh\nfor last; do :; done\necho \'{"dependencies": []}\' > "$last"\nexit 1\n', "utf-8")
    program.chmod(0o755)
    assert vulnerabilities.audit(str(program), str(tmp_path)) == {"dependencies": []}
