"""Lets the tests of estimators find their stand-ins."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
