"""Source lists: chosen columns, and what the list says of its codes."""

from pathlib import Path

from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.source_list import read_source_list

LIST = "Nr;Old code;Job title;Above;Definition;Not\n1;22;Care;;;\n2;2221;Nurse;22;Pflegt Männer;doctors\n"


def test_chosen_columns_count(tmp_path: Path) -> None:
    """With their encoding and separator; notes stand under the words of the list."""
    path = tmp_path / "list.csv"
    path.write_text(LIST, "cp1252")
    columns = {"code": "Old code", "name": "Job title", "parent": "Above", "description": "Definition"}
    found = read_source_list(path, columns=columns | {"excludes": "Not"}, encoding="cp1252", separator=";")
    assert found.codes == (
        SourceCode("22", "Care"),
        SourceCode("2221", "Nurse", "22", "Pflegt Männer\n\nNot: doctors"),
    )
