"""What the cards of the shipped models say of opening them is true."""

import re
from pathlib import Path

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

import jobmatch
from jobmatch_core.titles.encoder import shipped_folder

ROOT = Path(__file__).parents[1]
CARDS = sorted({path.parent / "README.md" for path in (ROOT / "jobmatch_core").rglob("model.safetensors")})
TITLES = ["Krankenschwester", "infirmière", "nurse", "Briefträgerin", ""]


def code(card: Path) -> list[str]:
    """Return the Python of a card."""
    return re.findall(r"^```python\n(.*?)^```", card.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_cards_are_found() -> None:
    """Of the title encoder, the posting network, the skill extractor and the search encoder."""
    assert [card.parent.name for card in CARDS] == [
        "jobmatch-jdan",
        "jobmatch-skills",
        "jobmatch-search",
        "jobmatch-titles",
    ]


@pytest.mark.parametrize("card", CARDS, ids=lambda path: path.parent.name)
@pytest.mark.usefixtures("use_linker_home")
def test_the_lines_of_a_card_run(card: Path) -> None:
    """In their order."""
    names: dict[str, object] = {}
    assert code(card)
    for block in code(card):
        exec(block, names)


@pytest.mark.usefixtures("use_linker_home")
def test_the_lines_give_the_title_encoders_vectors() -> None:
    """The card's shape, and the same by both ways."""
    names: dict[str, np.ndarray] = {}
    for block in code(shipped_folder() / "README.md"):
        exec(block, names)
    assert names["vectors"].shape == (3, 256)
    np.testing.assert_allclose(np.linalg.norm(names["vectors"], axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(names["same_vectors"], names["vectors"], atol=1e-5)


def test_sentence_transformers_alone_refuses_the_folder() -> None:
    """For its class; with the flag it gives the same vectors, and no code lies in the folder."""
    folder = str(shipped_folder())
    with pytest.raises(ValueError, match="trust_remote_code=True"):
        SentenceTransformer(folder, device="cpu", trust_remote_code=False)
    model = SentenceTransformer(folder, device="cpu", trust_remote_code=True)
    np.testing.assert_allclose(model.encode(TITLES), jobmatch.load_encoder("titles").encode(TITLES), atol=1e-6)
    assert list(shipped_folder().rglob("*.py")) == []
