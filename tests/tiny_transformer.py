"""A transformer of a few thousand weights as a folder, whole, or with a pickle that tells when it was run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "cook", "nurse", "baker")
SIZES = {
    "vocab_size": len(WORDS),
    "hidden_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 8,
    "max_position_embeddings": 64,
}


class _Trap:
    """Writes a file when it is read."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.write_text, (self.marker, "code was run")


def save_transformer(folder: Path, *, layers: int = 1) -> Path:
    """Write a transformer and its tokenizer, and the mean of its tokens as a sentence-transformers model."""
    torch.manual_seed(1)
    words = Tokenizer(WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    BertModel(BertConfig(**SIZES | {"num_hidden_layers": layers})).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    modules = [Transformer(str(folder)), Pooling(SIZES["hidden_size"]), Normalize()]
    model = SentenceTransformer(modules=modules, device="cpu", trust_remote_code=False)
    model.save_pretrained(str(folder), create_model_card=False)
    return folder


def trap(folder: Path, marker: Path) -> Path:
    """Turn a model's weights into a pickle that writes a marker, and ask for it to be read as such.

    Without `dtype` in the configuration the library reads the weights twice, the first time as it is asked to.
    """
    (folder / "model.safetensors").unlink()
    torch.save(_Trap(marker), folder / "pytorch_model.bin")
    change(folder / "sentence_bert_config.json", model_args={"weights_only": False, "dtype": "auto"})
    change(folder / "config.json", dtype=None)
    return folder


def change(path: Path, **values: object) -> None:
    """Set values of a JSON object."""
    content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps(content | values), "utf-8")
