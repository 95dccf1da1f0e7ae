"""Replaces the package of this name, which jsonschema imports if it is installed.

Its grammar of international addresses takes more than a second to make, in every worker, server and
build, and no notebook's schema asks for it. ``make test`` puts this folder on the path.
"""

raise ImportError("left out of the tests: see tools/without")
