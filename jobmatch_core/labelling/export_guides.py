"""The README.md in each exported folder: how the tool reads it, and how its answers come back."""

from pathlib import Path

_BACK = """
`jobmatch labels import` restores the exported judgments with their ids, and adds a judgment for each new answer.
Do not change or remove the fields `kind`, `source`, `left_id`, `right_id` and `judgments`.
"""

GUIDES = {
    "label-studio": """# Pairs for Label Studio

Run this in the folder:

```python
import json
from pathlib import Path

from label_studio_sdk import LabelStudio

client = LabelStudio(base_url="http://localhost:8080", api_key="YOUR KEY")
project = client.projects.create(title="pairs", label_config=Path("config.xml").read_text("utf-8"))
client.projects.import_tasks(id=project.id, request=json.loads(Path("tasks.json").read_text("utf-8")))
```

When the pairs are labelled:

```python
answers = client.projects.exports.as_json(project.id)
Path("answers.json").write_text(json.dumps(answers, default=str), "utf-8")
```

```
jobmatch labels import answers.json --format label-studio
```

An annotator without an email address in the file is called `label-studio-3`, by the number of the user.
""",
    "argilla": """# Pairs for Argilla

`.argilla/settings.json` has the settings. Responses need users of the server: those of other people are left out here
and stay in the metadata. Run this in the folder:

```python
import json
from pathlib import Path

import argilla as rg

client = rg.Argilla(api_url="http://localhost:6900", api_key="YOUR KEY")
users = {user.username: str(user.id) for user in client.users}
here = {key: users[name] for name, key in json.loads(Path("users.json").read_text()).items() if name in users}
records = json.loads(Path("records.json").read_text())
for record in records:
    given = [response for response in record["responses"]["verdict"] if response["user_id"] in here]
    record["responses"]["verdict"] = [response | {"user_id": here[response["user_id"]]} for response in given]
dataset = rg.Dataset.from_disk(".", workspace="YOUR WORKSPACE", client=client, with_records=False)
dataset.records.log([rg.Record.from_dict(record) for record in records])
```

When the pairs are labelled:

```python
dataset.to_disk("answers")
Path("answers/users.json").write_text(json.dumps(users))
```

```
jobmatch labels import answers --format argilla
```

`users.json` tells the names of the annotators. Argilla's file does not tell drafts without an answer from discarded
records: both are read as skips.
""",
    "prodigy": """# Pairs for Prodigy

`tasks.jsonl` has each pair once, and `annotations.jsonl` each judgment as an annotation of the interface `choice`.

```
prodigy db-in pairs annotations.jsonl
prodigy mark pairs tasks.jsonl --view-id choice
prodigy db-out pairs > answers.jsonl
jobmatch labels import answers.jsonl --format prodigy
```

Prodigy names the annotators after the sessions: open it with `?session=NAME`. A rejected task is read as a skip.
""",
    "doccano": """# Pairs for doccano

1. Create a project for text classification, with a single label per document.
2. Import `labels.json` under 'Labels'.
3. Import `pairs.jsonl` under 'Dataset' as JSONL, with the columns `text` and `label`. The documents have no labels; the
   judgments so far travel as metadata.
4. When the documents are labelled, export the dataset as JSONL: one file for each annotator, which bears the name, or
   `all.jsonl` of a project in which all share their labels.

```
jobmatch labels import ann.jsonl --format doccano
jobmatch labels import all.jsonl --format doccano --annotator Ann
```
""",
}


def write_guide(folder: Path, tool: str) -> None:
    """Write the README.md of a tool's folder; raises OSError if the disk refuses."""
    (folder / "README.md").write_text(GUIDES[tool] + _BACK, "utf-8")
