"""A text in any form as a posting: its title, its description; models that are trained again while they are used."""

import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from jobmatch.services import describing
from jobmatch.services.describing import DescribingService, posting_of
from jobmatch_core.descriptions import posting_models
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.settings import Settings

HTML = (
    "Coordinateur de formation\n\n"
    "<b>1 Coordinateur</b>, charg&eacute; de&nbsp;: <ul><li>accueil</li><li>suivi</li></ul>"
)


@pytest.mark.parametrize(
    ("text", "title", "description"),
    [
        ("Baker\n\nYou bake.", "Baker", "You bake."),
        ("\n Baker \r\n\r\nYou bake.\r\nYou sell.\r", "Baker", "You bake.\nYou sell."),
        ("Baker\n  \nYou bake.", "Baker", "You bake."),
        ("Baker\nYou bake.", "Baker", "You bake."),
        ("You bake.", "", "You bake."),
        ("", "", ""),
        ("<script>x</script><br>", "", ""),
        (HTML, "Coordinateur de formation", "1 Coordinateur, chargé de :\n• accueil\n• suivi"),
        ("<h1>Baker</h1><p>You bake.</p>", "Baker", "You bake."),
        ("# Baker\nYou bake *bread*.", "Baker", "You bake bread."),
        ("**Baker (m/f/d)**\nYou bake.", "Baker (m/f/d)", "You bake."),
        ("C# developer\n\n* <5 years\n* a < b", "C# developer", "* <5 years\n* a < b"),
        ("Staff Nurse\nWe look for a nurse.\nApply now.", "Staff Nurse", "We look for a nurse.\nApply now."),
        ("You care for patients.\nApply now.", "", "You care for patients.\nApply now."),
        ("We look for a nurse who will\ncare for patients.", "", "We look for a nurse who will\ncare for patients."),
        ("x" * 81 + "\nApply now.", "", "x" * 81 + "\nApply now."),
        ("Nurse\nWe are hiring a midwife.", "Nurse", "We are hiring a midwife."),
        ("Your tasks:\nCare for patients", "", "Your tasks:\nCare for patients"),
    ],
)
def test_posting_of(text: str, title: str, description: str) -> None:
    """The title is a first line followed by a blank one, or a short one that is no sentence, unless one is given."""
    assert (posting_of("x", text).title, posting_of("x", text).description) == (title, description)
    assert posting_of("x", text, " ") == posting_of("x", text)
    given = posting_of("x", text, "R&amp;D")
    assert given.title == "R&D"
    assert given.description.startswith(title)


def test_a_posting_that_says_who_is_wanted() -> None:
    """Its description is the whole text; a title that is given, or a first line, comes first."""
    text = "We are hiring a nurse to join us.\nApply now."
    assert posting_of("x", text) == Posting("x", "nurse", text)
    assert posting_of("x", text, "Matron") == Posting("x", "Matron", text)
    assert posting_of("x", f"Staff\n\n{text}").title == "Staff"


def test_a_model_that_is_stored_again_while_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The describer that was loaded first keeps its own key; the next call loads the new model."""
    config = tmp_path / "models" / "mine" / "config.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"variant": "sentence-max"}', "utf-8")
    os.utime(config, (1, 1))

    def load(*_: object) -> Mock:
        os.utime(config, (2, 2))
        return Mock()

    monkeypatch.setattr(posting_models, "load_posting_model", load)
    monkeypatch.setattr(describing, "open_title_space", Mock())
    monkeypatch.setattr(describing, "PostingLinker", Mock())
    service, linker = DescribingService(Settings(tmp_path)), Mock()
    first, second, third = (service.opening("mine", linker, "en").result() for _ in range(3))
    assert second is third is not first
    assert second.key != first.key
