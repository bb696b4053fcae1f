"""`python -m jobmatch`: the same as `jobmatch`."""

from jobmatch.cli.main import main

main()
