"""Made files of the shape of SkillSpan, about the skills of the made taxonomy."""

import csv
import json
from pathlib import Path

_TOOLS = ("hammering", "sifting", "weighing", "stirring", "folding", "counting", "tuning", "sorting", "binding")
_MATTER = ("bytes", "pages", "colours", "fields", "chapters", "tongues")
_FRAMES = ("You are good at {} .", "Experience in {} is a plus", "We want {} and tea")


def write_skill_spans(folder: Path) -> Path:
    """Write all seven files; every sentence of the links names one skill; a third of the tagged ones has no span."""
    names = [f"{tool} {matter}" for tool in _TOOLS for matter in _MATTER]
    sentences = [_FRAMES[number % 3].format(name) for number, name in enumerate(names)]
    for part in ("train", "dev", "test"):
        lines = [_tagged(sentence, number) for number, sentence in enumerate(sentences)]
        lines += [_tagged(f"We offer tea and fruit on day {number}", number) for number in range(27)]
        (folder / f"{part}.json").write_text("\n".join(lines), "utf-8")
    for number, (set_name, part) in enumerate((s, p) for s in ("tech", "house") for p in ("validation", "test")):
        with (folder / f"{set_name}_{part}_annotations.csv").open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(("sentence", "span", "sub_span", "label"))
            for place in range(number, len(names), 4):
                rows.writerow((sentences[place], names[place], "", names[place]))
            rows.writerow((f"You are kind {number}", "kind", "", "LABEL NOT PRESENT"))
    return folder


def _tagged(sentence: str, number: int) -> str:
    tokens = sentence.split()
    inside = ["B" if token in _TOOLS else "I" if token in _MATTER else "O" for token in tokens]
    knowledge = ["B" if token in _MATTER else "O" for token in tokens]
    source = "tech" if number % 2 else "house"
    return json.dumps({"tokens": tokens, "tags_skill": inside, "tags_knowledge": knowledge, "source": source})
