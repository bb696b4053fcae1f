"""`python -m lab`."""

from lab.cli.main import main

main()
