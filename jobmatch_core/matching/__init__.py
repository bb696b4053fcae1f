"""Match projects and freelancers by skills, whatever their languages.

Paper: Jouanneau, Palyart and Jouffroy (2024), 'Skill matching at scale': two towers over a frozen multilingual
backbone, trained on past interactions, and retrieval by nearest vectors.
"""
