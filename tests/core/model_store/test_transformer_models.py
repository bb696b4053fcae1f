"""Models of folders and the hub: none runs code, contacts a host or fills the memory."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense
from transformers import AutoModel

from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import stored_word
from jobmatch_core.model_store.transformer_models import load_sentence_transformer, load_transformer
from tests.tiny_transformer import change, save_transformer, trap

CONFIG, SETTINGS, MODULES = "config.json", "sentence_bert_config.json", "modules.json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that is only read."""
    return save_transformer(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(whole, tmp_path / "tiny"))


def test_a_folder_is_read_as_the_libraries_read_it(whole: Path) -> None:
    """Vectors of texts and tokens equal those of the libraries."""
    expected = SentenceTransformer(str(whole), device="cpu").encode(["nurse", "cook baker"])
    model = load_sentence_transformer(whole)
    assert np.array_equal(model.encode(["nurse", "cook baker"]), expected)
    tokenizer, transformer = load_transformer(whole)
    inputs = tokenizer(["cook"], return_tensors="pt")
    with torch.inference_mode():
        found, wanted = (each(**inputs).last_hidden_state for each in (transformer, AutoModel.from_pretrained(whole)))
    assert torch.equal(found, wanted)


def test_a_folder_without_modules_is_averaged(folder: Path) -> None:
    """A plain transformer is read with mean pooling."""
    expected = load_sentence_transformer(folder).encode(["nurse cook"], normalize_embeddings=True)
    for name in (MODULES, SETTINGS, "config_sentence_transformers.json"):
        (folder / name).unlink()
    found = load_sentence_transformer(folder).encode(["nurse cook"], normalize_embeddings=True)
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_trap_is_one(folder: Path, tmp_path: Path) -> None:
    """Without our checks, the pickle does run code."""
    marker = tmp_path / "marker"
    with pytest.raises(Exception, match=r".*"):
        SentenceTransformer(str(trap(folder, marker)), device="cpu", trust_remote_code=False)
    assert marker.read_text("utf-8") == "code was run"


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("load", [load_sentence_transformer, load_transformer])
def test_a_pickle_is_not_read(load: Callable[[Path], Any], folder: Path, tmp_path: Path, asked: bool) -> None:
    """The settings make no difference; the error says what to do."""
    marker = tmp_path / "marker"
    trap(folder, marker)
    if not asked:
        change(folder / SETTINGS, model_args={})
    told = (
        r"sentence_bert_config.json says how the model is loaded \(model_args\)"
        if asked
        else ("only as pytorch_model.bin, which can run code .* convert it to safetensors")
    )
    with pytest.raises(ModelError, match=told):
        load(folder)
    assert not marker.exists()


def test_a_pickle_beside_safetensors_is_left_alone(folder: Path, tmp_path: Path) -> None:
    """Many models of the hub have both."""
    shutil.copy(folder / "model.safetensors", tmp_path / "kept")
    trap(folder, tmp_path / "marker")
    change(folder / SETTINGS, model_args={})
    shutil.copy(tmp_path / "kept", folder / "model.safetensors")
    assert load_sentence_transformer(folder).encode(["cook"]).shape == (1, 8)
    assert not (tmp_path / "marker").exists()


def test_an_index_of_pickles_is_refused(folder: Path, tmp_path: Path) -> None:
    """Even one named like an index of safetensors."""
    trap(folder, tmp_path / "marker")
    change(folder / SETTINGS, model_args={})
    change(folder / "model.safetensors.index.json", metadata={}, weight_map={"embeddings": "pytorch_model.bin"})
    with pytest.raises(ModelError, match="names files other than safetensors"):
        load_sentence_transformer(folder)
    assert not (tmp_path / "marker").exists()


@pytest.mark.parametrize(
    ("file", "values", "told"),
    [
        (SETTINGS, {"config_kwargs": {"a": 1}}, "says how the model is loaded"),
        (SETTINGS, {"processor_kwargs": {"a": 1}}, "says how the model is loaded"),
        (SETTINGS, {"tokenizer_name_or_path": "somebody/something"}, "says how the model is loaded"),
        ("sentence_roberta_config.json", {"tokenizer_args": {"a": 1}}, "says how the model is loaded"),
        (CONFIG, {"auto_map": {"AutoModel": "code.Model"}}, r"asks for code or files from elsewhere \(auto_map\)"),
        (CONFIG, {"attn_implementation": "somebody/kernels"}, r"elsewhere \(attn_implementation\)"),
        (CONFIG, {"text_config": {"_attn_implementation": "somebody/kernels"}}, r"elsewhere \(_attn_implementation\)"),
        (CONFIG, {"quantization_config": {"quant_method": "gptq"}}, r"elsewhere \(quantization_config\)"),
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["code.T", None]}}, r"elsewhere \(auto_map\)"),
        ("adapter_config.json", {"base_model_name_or_path": "somebody/something"}, "holds an adapter"),
        ("config_sentence_transformers.json", {"model_type": "CrossEncoder"}, "holds a CrossEncoder"),
        (CONFIG, {"num_hidden_layers": 1_000_000}, "num_hidden_layers = 1e"),
        (CONFIG, {"num_labels": 1_000_000_000}, "num_labels = 1e"),
        (CONFIG, {"vocab_size": 10**12}, "vocab_size = 1e"),
        (CONFIG, {"hidden_size": 200_000}, "config.json describes a model of .* numbers"),
        (CONFIG, {"intermediate_size": 10**6}, "config.json describes a model of .* numbers"),
    ],
)
def test_a_folder_that_asks_for_too_much(folder: Path, file: str, values: dict[str, object], told: str) -> None:
    """Loader arguments, code, other files and memory."""
    change(folder / file, **values)
    with pytest.raises(ModelError, match=told):
        load_sentence_transformer(folder)


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ({"type": "os.path.Transformer"}, "asks for 'os.path.Transformer', which is not allowed"),
        ({"type": "sentence_transformers.base.modules.router.Router"}, "which is not allowed"),
        ({"type": "sentence_transformers.util.misc.import_from_string"}, "which is not allowed"),
        ({"path": "../elsewhere"}, "path outside the folder"),
        ({"path": "/elsewhere"}, "path outside the folder"),
    ],
)
def test_foreign_modules_are_refused(folder: Path, module: dict[str, str], told: str) -> None:
    """Foreign classes, importing ones, and paths outside the folder."""
    modules = json.loads((folder / MODULES).read_text("utf-8"))
    modules[0] |= module
    (folder / MODULES).write_text(json.dumps(modules), "utf-8")
    with pytest.raises(ModelError, match=told):
        load_sentence_transformer(folder)


def test_a_dense_layer(whole: Path, tmp_path: Path) -> None:
    """It needs an allowed activation and weights of its size."""
    model = load_sentence_transformer(whole)
    model.append(Dense(8, 4))
    model.save_pretrained(str(tmp_path / "dense"), create_model_card=False)
    titles = ["cook", "nurse baker"]
    assert np.array_equal(load_sentence_transformer(tmp_path / "dense").encode(titles), model.encode(titles))
    config = tmp_path / "dense" / "3_Dense" / "config.json"
    change(config, out_features=10**6)
    with pytest.raises(ModelError, match="more numbers than its weights have"):
        load_sentence_transformer(tmp_path / "dense")
    change(config, out_features=4, activation_function="torch.utils.collect_env.SystemEnv")
    with pytest.raises(ModelError, match="asks for code"):
        load_sentence_transformer(tmp_path / "dense")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers(folder: Path, value: float) -> None:
    """NaN weights are refused."""
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][3, 3] = value
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    for load in (load_sentence_transformer, load_transformer):
        with pytest.raises(ModelError, match="damaged: some are not finite numbers"):
            load(folder)


@pytest.fixture
def hub(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return what `hub:people/tiny` was downloaded to."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    kept = tmp_path / "hub" / "models--people--tiny"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text("a" * 40, "utf-8")
    return Path(shutil.copytree(whole, kept / "snapshots" / ("a" * 40)))


def test_a_hubs_model_is_asked_for_by_its_prefix(hub: Path, tmp_path: Path) -> None:
    """It passes the same checks as a folder."""
    expected = load_sentence_transformer(hub).encode(["cook"])
    assert np.array_equal(load_sentence_transformer("hub:people/tiny").encode(["cook"]), expected)
    with pytest.raises(ModelError, match="no such folder; a model of the Hugging Face hub is written hub:people/tiny"):
        load_sentence_transformer("people/tiny")
    trap(hub, tmp_path / "marker")
    with pytest.raises(ModelError, match="says how the model is loaded"):
        load_sentence_transformer("hub:people/tiny")
    assert not (tmp_path / "marker").exists()


@pytest.mark.usefixtures("hub")
def test_words_that_models_kept(tmp_path: Path) -> None:
    """A hub's name without its prefix means a downloaded model; no other is requested."""
    assert stored_word("people/tiny") == stored_word("hub:people/tiny") == "hub:people/tiny"
    assert stored_word(str(tmp_path)) == str(tmp_path)
    for word in ("models/mistyped", "hub:people/other"):
        with pytest.raises(ModelError, match=r"neither a folder here .* run `hf download (models/mis|people/other)"):
            stored_word(word)
    assert stored_word("/nowhere/at/all") == "/nowhere/at/all"


def test_a_folder_asks_for_no_host(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other models named in its files are not requested."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    asked: list[object] = []

    def refused(*words: object, **_: object) -> None:
        asked.append(words)
        raise OSError("no network")

    monkeypatch.setattr("socket.getaddrinfo", refused)
    for file in (CONFIG, "tokenizer_config.json"):
        change(folder / file, _name_or_path="somebody/something", name_or_path="somebody/something")
    load_sentence_transformer(folder)
    load_transformer(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"model\.safetensors is missing"):
        load_sentence_transformer(folder)
    assert asked == []
