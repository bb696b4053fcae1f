"""A training in a process of its own that only reports: `made_run.py RUN/job.json`; the taxonomy says what."""

import signal
import sys
import time
from pathlib import Path

from jobmatch.services.run_status import reported
from jobmatch.services.training_job import LinkingJob, read_job
from jobmatch_core.errors import LabellingError

FILE = Path(sys.argv[1])
JOB = read_job(FILE)
assert isinstance(JOB, LinkingJob)
WHAT, OUT, RUN = JOB.taxonomy, Path(JOB.out), FILE.parent


def main() -> None:
    """Report some losses, then end, fail, or run until stopped or, if deaf, killed."""
    with reported(RUN, lambda line: sys.stdout.write(f"{line}\n")) as writer:
        writer.stage("Training")
        (OUT.with_name(f"{OUT.name}.unfinished") / "epoch-1").mkdir(parents=True)
        for step in range(1, 4):
            writer.losses(step, 1 / step)
            writer.progress(step, 3)
        if WHAT == "fail":
            raise LabellingError("There is no label to learn from.")
        if WHAT == "deaf":  # as in a long call of a library, during which Python handles no signal
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        writer.stage("Waiting")
        while WHAT in ("wait", "deaf"):
            time.sleep(0.02)
        OUT.with_name(f"{OUT.name}.unfinished").rename(OUT)


if __name__ == "__main__":
    main()
