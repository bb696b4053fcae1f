"""`python -m jobmatch.cli`: the same as `jobmatch`."""

from jobmatch.cli.main import main

main()
