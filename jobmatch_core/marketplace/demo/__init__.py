"""The demo marketplace: made up from an installed taxonomy, the same for the same seed, of any size.

world       what the generator needs of a taxonomy: occupations, their titles, skills and specialties
personas    who a freelancer is and what a project needs: hidden, and never in a text
profiles    personas and needs -> the freelancers and projects that everybody sees, in words of phrases/XX.toml
legacy      a biased system shows freelancers to projects, and they answer: the interactions
generator   all of it, block by block
"""
