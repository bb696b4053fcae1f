"""Made-up pairs of a few jobs, in the words of a tiny transformer and of the title encoder."""

from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_recipe import SearchRecipe, SearchTraining, TaskRecipe

JOBS = {
    "baker": ("bakes bread", "makes rolls", "works at the oven", "kneads dough"),
    "nurse": ("cares for patients", "gives medicine", "works on a ward", "takes blood"),
    "mason": ("lays bricks", "builds walls", "mixes mortar", "works on a site"),
    "welder": ("joins metal", "welds pipes", "repairs steel frames", "cuts metal sheets"),
    "gardener": ("plants trees", "cuts hedges", "mows lawns", "waters flowers"),
    "lawyer": ("defends people", "writes contracts", "goes to court", "advises on law"),
}
POSITIVES = [TextPair(text, job) for job, texts in JOBS.items() for text in texts]
LABELLED = [TextPair(text, job, float(job == own)) for own, texts in JOBS.items() for text in texts[:2] for job in JOBS]
TRANSLATIONS = [
    TextPair(german, english)
    for german, english in zip(
        ("Bäcker", "Krankenschwester", "Maurer", "Schweißer", "Gärtner", "Anwältin"), JOBS, strict=True
    )
]
PAIRS = {"clicks": POSITIVES, "inference": LABELLED, "translations": TRANSLATIONS}
TASKS = (
    TaskRecipe("clicks", "positives", ("clicks.tsv",), negatives="semi-hard"),
    TaskRecipe("inference", "pairs", ("inference.tsv",)),
    TaskRecipe("translations", "translations", ("translations.tsv",), loss="softmax", weight=0.5),
)
TRAINING = SearchTraining(
    epochs=4,
    batch_size=6,
    learning_rate=0.1,
    validation=0.2,
    features=500,
    least_texts=1,
    feature_dropout=0.1,
    curve_points=6,
)
RECIPE = SearchRecipe("tiny", TASKS, dimension=32, training=TRAINING, seed=3)
