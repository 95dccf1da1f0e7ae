"""``python -m rocviz`` is the command ``rocviz``."""

import sys

from rocviz.cli import main

sys.exit(main())
