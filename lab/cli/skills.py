"""`python -m lab evaluate skills`, `python -m lab train skill-extractor`: the skills of sentences, on SkillSpan."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_figures, print_json, print_line, print_table, progress_bar
from jobmatch_core.descriptions.skill_extractor import SHIPPED_SKILLS, SkillExtractor
from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.descriptions.skill_model import SkillModel
from jobmatch_core.encoders.loading import TITLES, kept_on_disk, load_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from lab.experiments.skill_linking import (
    CUTOFFS,
    found_figures,
    measure,
    preferred_numbers,
    rank_by_extractor,
    rank_by_letters,
    rank_by_meaning,
)
from lab.shipping.skill_span_files import SETS, TEST, read_linked, read_tagged, right_skills, without_spans
from lab.shipping.skill_training import train_skill_model

FolderArgument = Annotated[
    Path, typer.Argument(help="Folder of SkillSpan and its links to ESCO: train.json, SET_PART_annotations.csv ...")
]
EscoOption = Annotated[str, typer.Option(help="ESCO in English, with its skills.")]


def skills(
    folder: FolderArgument,
    taxonomy: EscoOption = "esco-1.1.1",
    encoder: Annotated[
        str, typer.Option(help="Fit the weights for another encoder, and measure these instead of the shipped ones.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Measure R-precision of the skills of sentences on the sets `tech` and `house`, beside simple rankings.

    Example: python -m lab evaluate skills skill_spans --taxonomy esco-1.1.1
    """
    esco = TaxonomyStore.open().load(taxonomy)
    numbers = preferred_numbers(esco)
    index = _index(esco, encoder or TITLES, json=json)
    if encoder:
        with progress_bar("Fitting the weights", hidden=json) as progress:
            model, _ = train_skill_model(folder, index, numbers, progress)
    else:
        model = SkillModel.load(SHIPPED_SKILLS)
    extractor = SkillExtractor(index, model)
    rows, figures_by_set = [], {}
    for name in SETS:
        linked = read_linked(folder, name, TEST)
        right = right_skills(linked, numbers)
        texts = [sentence.text for sentence in linked]
        with progress_bar(f"Ranking skills, {name}", hidden=json) as progress:
            rankings = {
                "letters, preferred names": rank_by_letters(esco, texts, all_names=False),
                "letters, all names": rank_by_letters(esco, texts, all_names=True),
                f"{encoder or TITLES}, all names": rank_by_meaning(index, texts),
                "skill extractor": rank_by_extractor(extractor, texts, progress),
            }
        rows += [measure(name, system, ranked, right) for system, ranked in rankings.items()]
        tagged = [sentence for sentence in read_tagged(folder, TEST) if sentence.set == name]
        whole = [*linked, *without_spans(tagged)]
        with progress_bar(f"Finding skills, {name}", hidden=json) as progress:
            figures_by_set[name] = found_figures(extractor, whole, right_skills(whole, numbers), progress)
    if json:
        figures = {
            name: asdict(row) | {"precision": row.precision, "recall": row.recall}
            for name, row in figures_by_set.items()
        }
        print_json({"encoder": index.encoder.name, "ranked": [asdict(row) for row in rows], "found": figures})
        return
    print_table(
        ("set", "system", "sentences", *(f"RP@{k}" for k in CUTOFFS)),
        [(row.set, row.system, row.sentences, *(f"{value:.3f}" for value in row.r_precision)) for row in rows],
        title=f"Skills of sentences, ranked, {taxonomy}, encoder {index.encoder.name}",
    )
    print_table(
        ("set", "sentences", "linked", "found", "precision", "recall"),
        [
            (name, row.sentences, row.linked, row.found, f"{row.precision:.3f}", f"{row.recall:.3f}")
            for name, row in figures_by_set.items()
        ],
        title=f"Skills found, probability {model.features.threshold:.3f} or more",
    )


def skill_extractor(
    folder: FolderArgument,
    taxonomy: EscoOption = "esco-1.1.1",
    out: Annotated[Path | None, typer.Option(help="The model's folder; the shipped one by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the skill extractor that comes with jobmatch again.

    Example: python -m lab train skill-extractor skill_spans --taxonomy esco-1.1.1
    """
    esco = TaxonomyStore.open().load(taxonomy)
    index = _index(esco, TITLES, json=json)
    with progress_bar("Training", hidden=json) as progress:
        model, report = train_skill_model(folder, index, preferred_numbers(esco), progress)
    target = out or SHIPPED_SKILLS
    card = target / "README.md"
    text = card.read_text("utf-8") if card.is_file() else ""
    model.save(target, report | {"taxonomy": taxonomy}, replace=True)
    if text:
        card.write_text(text, "utf-8")
    print_figures(report, json=json)
    if not json:
        print_line(f"Written to {target}.")


def _index(taxonomy: Taxonomy, encoder: str, *, json: bool) -> SkillIndex:
    settings = Settings.from_environment()
    with progress_bar("Reading skill names", hidden=json) as progress:
        return SkillIndex(taxonomy, kept_on_disk(load_encoder(encoder, settings), settings), progress)
