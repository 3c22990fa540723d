"""``python -m algatt`` runs the command line."""

import sys

from algatt.cli.main import main

sys.exit(main())
