"""The folder of an unfinished training, beside the model's folder."""

import hashlib
import json
from pathlib import Path

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import remove_whole

_STAMP_FILE = "stamp"


def open_unfinished(out: Path, determined_by: object, *, resume: bool) -> Path:
    """Return `OUT.unfinished`, empty for a new training.

    Args:
        out: the model's folder.
        determined_by: everything that determines the training, as JSON values; only an equal training may resume.
        resume: continue with the stored state, or start again.

    Raises:
        SettingsError: an unfinished training with another recipe or other data lies there.
    """
    folder = out.with_name(f"{out.name}.unfinished")
    stamp = hashlib.sha256(json.dumps(determined_by).encode()).hexdigest()
    stamp_file = folder / _STAMP_FILE
    if folder.exists() and not resume:
        remove_whole(folder)
    if stamp_file.exists() and stamp_file.read_text("utf-8") != stamp:
        raise SettingsError(
            f"{folder} holds an unfinished training by another recipe or on other data; finish it with that, start "
            "over with --no-resume, or say with --out where else to write the model."
        )
    folder.mkdir(parents=True, exist_ok=True)
    stamp_file.write_text(stamp, "utf-8")
    return folder
