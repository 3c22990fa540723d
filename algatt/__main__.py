"""``python -m algatt`` runs the command line."""

import sys

from algatt.cli.main import program

sys.exit(program())
