"""Search: one multi-task encoder of queries and documents, its losses, data and training.

Paper: Hajiaghayi et al. (2021), "Unbiased Sentence Encoder For Large-Scale Multi-lingual Search Engines".
"""
