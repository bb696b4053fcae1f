"""Audit an environment's packages for known vulnerabilities: .ci/vulnerabilities.py PIP_AUDIT SITE_PACKAGES.

A finding fails. Where the vulnerability service cannot be asked, or knows none of the packages, that is said and does
not fail: a machine that only reaches a package registry cannot check this.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SECONDS_A_REQUEST = 5
SECONDS_IN_ALL = 180


def audit(program: str, packages: str) -> dict[str, Any] | None:
    """Return pip-audit's report; None where it could not ask the service."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "report.json")
        command = [
            program,
            "--path",
            packages,
            "--progress-spinner",
            "off",
            "--skip-editable",
            "--timeout",
            str(SECONDS_A_REQUEST),
            "--format",
            "json",
            "--output",
            str(out),
        ]
        try:
            subprocess.run(command, capture_output=True, check=False, timeout=SECONDS_IN_ALL)
        except subprocess.TimeoutExpired:
            return None
        # it exits with 1 for findings and for a service that it cannot reach; only findings leave a report
        return json.loads(out.read_text("utf-8")) if out.exists() else None


def verdict(report: dict[str, Any] | None) -> tuple[int, list[str]]:
    """Return the exit code and the lines to print."""
    if report is None:
        return 0, ["NOT CHECKED for vulnerabilities: the vulnerability service cannot be reached from here."]
    packages = report["dependencies"]
    checked = [each for each in packages if "skip_reason" not in each]
    found = [
        f"{each['name']} {each['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no release'}"
        for each in checked
        for flaw in each["vulns"]
    ]
    if found:
        return 1, ["Known vulnerabilities:", *found]
    if not checked:
        return 0, [f"NOT CHECKED for vulnerabilities: the service knows none of the {len(packages)} packages."]
    skipped = [each["name"] for each in packages if each not in checked]
    left_out = f"; NOT CHECKED: {', '.join(skipped)}" if skipped else ""
    return 0, [f"No known vulnerabilities in {len(checked)} packages{left_out}."]


if __name__ == "__main__":
    code, lines = verdict(audit(*sys.argv[1:3]))
    sys.stdout.write("\n".join(lines) + "\n")
    sys.exit(code)
