"""The bundled names against official ones: three groups in two languages, and once all that are bundled."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy.bundled import bundled_files
from lab.experiments import occupation_names
from lab.experiments.occupation_names import evaluate_group_names

OURS = {
    "en": "code,preferred,alternatives,description\n2,Professionals,,\n2221,Nursing professionals,nurse|teacher,\n"
    "5120,Cooks,cook|chief cook,\n2320,Vocational teachers,,\n",
    "fr": "code,preferred,alternatives,description\n2221,Infirmières,,\n5120,Cuisinières,pâtissier,\n",
}
OFFICIAL = {"2": "Professionals", "2221": "Nursing professionals", "5120": "Cooks", "2320": "Teachers"}


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put three groups in place of the 436 bundled ones."""
    files = [tmp_path / f"names_{language}.csv" for language in OURS]
    for path, content in zip(files, OURS.values(), strict=True):
        path.write_text(content, "utf-8")
    monkeypatch.setattr(occupation_names, "LANGUAGES", tuple(OURS))
    monkeypatch.setattr(occupation_names, "bundled_files", lambda: files)


@pytest.fixture
def official(tmp_path: Path) -> Callable[[str, dict[str, str]], Path]:
    """Give a writer of `ISCOGroups_XX.csv`."""
    folder = tmp_path / "official"
    folder.mkdir()

    def write(language: str, names: dict[str, str]) -> Path:
        with (folder / f"ISCOGroups_{language}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([("conceptUri", "code", "preferredLabel"), *((c, c, name) for c, name in names.items())])
        return folder

    return write


Official = Callable[[str, dict[str, str]], Path]


@pytest.mark.usefixtures("ours")
def test_a_report_by_hand(official: Official) -> None:
    """Of seven names of unit groups six are closest to their own group, and so are all three preferred ones.

    The seventh, `teacher`, stands under nurses: another group comes first, and no letters lead to its own.
    """
    [report] = evaluate_group_names(official("en", OFFICIAL))
    assert (report.language, report.names, report.all_right) == ("en", 7, 6)
    assert (report.all_at_1, report.all_at_5) == (pytest.approx(6 / 7), pytest.approx(6 / 7))
    assert report.preferred_at_1 == 1.0


@pytest.mark.usefixtures("ours")
def test_two_official_names_exchanged(official: Official) -> None:
    """Cooks are called nurses and nurses cooks: only the teachers' one name finds its group, of seven, and of three."""
    names = OFFICIAL | {"2221": OFFICIAL["5120"], "5120": OFFICIAL["2221"]}
    [report] = evaluate_group_names(official("en", names))
    assert (report.names, report.all_right) == (7, 1)
    assert (report.all_at_1, report.preferred_at_1) == (pytest.approx(1 / 7), pytest.approx(1 / 3))


@pytest.mark.usefixtures("ours")
def test_case_and_accents_do_not_matter(official: Official) -> None:
    """`INFIRMIERES` is `Infirmières`."""
    [report] = evaluate_group_names(official("fr", {"2221": "INFIRMIERES", "5120": "CUISINIERES"}))
    assert (report.language, report.names, report.preferred_at_1) == ("fr", 3, 1.0)


@pytest.mark.usefixtures("ours")
def test_a_name_that_shares_no_letters_with_any_is_not_right(official: Official) -> None:
    """A score of nought is no first place, though no group scores higher."""
    [report] = evaluate_group_names(official("en", {"2221": "看護師", "5120": "調理師", "2320": "教師"}))
    assert (report.all_right, report.all_at_1, report.all_at_5, report.preferred_at_1) == (0, 0.0, 0.0, 0.0)


@pytest.mark.usefixtures("ours")
def test_several_languages_in_our_order(official: Official) -> None:
    """Languages that we do not have are left aside."""
    official("fr", {"2221": "Infirmiers", "5120": "Cuisiniers"})
    folder = official("en", OFFICIAL)
    (folder / "ISCOGroups_sv.csv").write_text("nothing of ours", "utf-8")
    assert [report.language for report in evaluate_group_names(folder)] == ["en", "fr"]


@pytest.mark.usefixtures("ours")
def test_codes_with_escos_letter(official: Official) -> None:
    """`C2221` is 2221, as it is when ESCO is imported."""
    [report] = evaluate_group_names(official("en", {f"C{code}": name for code, name in OFFICIAL.items()}))
    assert report.preferred_at_1 == 1.0


def test_a_file_without_the_column(tmp_path: Path) -> None:
    """Says which."""
    (tmp_path / "ISCOGroups_en.csv").write_text("code,name\n2221,Nurses\n", "utf-8")
    with pytest.raises(DataFileError, match=r"ISCOGroups_en\.csv, line 1: the column 'preferredLabel' is missing"):
        evaluate_group_names(tmp_path)


@pytest.mark.usefixtures("ours")
@pytest.mark.parametrize("codes", [[], ["2"], ["2221"], ["2221", "5120"]], ids=["none", "no unit", "one", "two"])
def test_a_file_without_all_groups(official: Official, codes: list[str]) -> None:
    """Our names of the other groups have nothing to be found by."""
    with pytest.raises(DataFileError, match=r"ISCOGroups_en\.csv"):
        evaluate_group_names(official("en", {code: OFFICIAL[code] for code in codes}))


@pytest.mark.thorough
def test_all_bundled_names(official: Official) -> None:
    """Where our preferred names are the official ones, all 436 find themselves; not every everyday title does."""
    with bundled_files()[0].open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if len(row["code"]) == 4]
    [report] = evaluate_group_names(official("en", {row["code"]: row["preferred"] for row in rows}))
    names = [name for row in rows for name in [row["preferred"], *row["alternatives"].replace("|", "\n").split("\n")]]
    assert report.names == sum(bool(name.strip()) for name in names)
    assert report.all_at_1 == pytest.approx(report.all_right / report.names)
    assert 0.2 < report.all_at_1 < report.all_at_5 < report.preferred_at_1 == 1
