"""Postings to train on, and a recipe that needs no backbone's files."""

from dataclasses import replace

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.jdan_recipe import Doc2VecRecipe, JdanRecipe, JdanTraining
from jobmatch_core.descriptions.postings import Posting
from tests.core.descriptions.made_postings import made_postings

POSTINGS = [*made_postings(90), Posting("empty", "Cook", ""), Posting("nameless", "", "You cook.")]
RECIPE = JdanRecipe(
    name="tiny",
    backbone="words",
    train_backbone=False,
    seed=3,
    network=NetworkConfig(layers=1, heads=2),
    training=JdanTraining(epochs=8, batch_size=12, learning_rate=0.01, validation=0.25),
    doc2vec=Doc2VecRecipe(dimensions=8, epochs=3),
)
SHORT = replace(RECIPE, training=replace(RECIPE.training, epochs=2))
