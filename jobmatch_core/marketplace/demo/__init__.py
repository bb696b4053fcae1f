"""The demo marketplace: synthetic, made from an installed taxonomy, the same for the same seed, of any size.

world       the taxonomy as the generator needs it: occupations, their titles, skills and specialties
personas    true abilities of freelancers and needs of projects: hidden, and never in a text
profiles    personas and needs -> the visible freelancers and projects, in words of phrases/XX.toml
legacy      a biased system shows freelancers to projects, and they answer: the interactions
generator   all of it, block by block
"""
