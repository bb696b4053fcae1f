"""The demo marketplace: synthetic, generated from an installed taxonomy, reproducible by its seed, of any size.

world               the taxonomy's occupations, titles, skills and specialties
market              day rates, cities and phrases by language
synthetic_records   hidden abilities and needs, and the freelancers and projects written from them
generator           all of it with the interactions, block by block
"""
