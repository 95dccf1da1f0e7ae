"""Lets the modules of this folder find each other, as ``python tests/fuzz`` does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
