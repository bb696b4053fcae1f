"""Pages of the documentation site: the project's documents with links that work there. `make docs` runs this file."""

import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("zensical.toml")
FIRST = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
_CARDS = "jobmatch_core/**/README.md"  # of models and of shipped data
_LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)")
_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
_FENCE = "```"
_ITEM = re.compile(r"^(?:[-*]|\d+\.) +")
_TAB = 4  # columns by which the site's Markdown indents what belongs to an item of a list
_PICTURES = ("*.png", "*.svg", "*.webp")


def version() -> str:
    """Return the package's version."""
    [found] = re.findall(r'^__version__ = "(.+)"', (ROOT / "jobmatch_core" / "__init__.py").read_text("utf-8"), re.M)
    return str(found)


def places() -> dict[Path, str]:
    """Return the documents of the site, each with its path there."""
    placed = {ROOT / name: place for name, place in FIRST.items()}
    placed |= {path: path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    placed |= {path: path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "lab").rglob("*.md"))}
    placed |= {path: f"cards/{path.parent.name}.md" for path in sorted(ROOT.glob(_CARDS))}
    return {path: place.replace("README.md", "index.md") for path, place in placed.items()}


def page(document: Path) -> str:
    """Return a document as a page of the site."""
    text = re.sub(r" *<!--.*?-->", "", document.read_text("utf-8"), flags=re.DOTALL)
    parts, placed = _FENCED.split(text), places()  # every second part is a fenced block
    text = "".join(part if number % 2 else _linked(part, document, placed) for number, part in enumerate(parts))
    return "\n".join(_indented(text.splitlines())) + "\n"


def _linked(text: str, document: Path, placed: Mapping[Path, str]) -> str:
    # a link to a file that is no page of the site, such as one of the code, is left as its text
    def relinked(link: re.Match[str]) -> str:
        mark, words, target = link.groups()
        path, sharp, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return link.group()
        file = (document.parent / path).resolve()
        if mark:
            there = file.relative_to(ROOT / "docs").as_posix()
        elif file in placed:
            there = placed[file]
        else:
            return words
        up = "../" * placed.get(document, "").count("/")
        return f"{mark}[{words}]({up}{there}{sharp}{anchor})"

    return _LINK.sub(relinked, text)


def _indented(lines: list[str]) -> Iterator[str]:
    """Yield lines; those that belong to an item of a list are indented as the site's Markdown needs it."""
    wanting, within_block = 0, False
    for line in lines:
        if line.startswith(_FENCE):
            wanting, within_block = 0, not within_block
        elif within_block:
            pass
        elif item := _ITEM.match(line):
            wanting = max(_TAB - len(item.group()), 0)
        elif line.strip() and not line.startswith(" "):
            wanting = 0
        yield " " * wanting + line if line.startswith("  ") else line


def write(folder: Path) -> None:
    """Write the pages, the pictures and the configuration of the site into a folder."""
    for document, place in places().items():
        target = folder / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(document), "utf-8")
    for picture in (path for kind in _PICTURES for path in (ROOT / "docs").rglob(kind)):
        target = folder / "pages" / picture.relative_to(ROOT / "docs")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, target)
    (folder / CONFIG.name).write_text(CONFIG.read_text("utf-8").replace("VERSION", version()), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
