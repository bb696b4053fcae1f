"""`python -m jobmatch_core.cli`: the same as `jobmatch`."""

from jobmatch_core.cli.main import main

main()
