from .explorer import MulticlassExplorer as MulticlassExplorer
from .result import MulticlassResult as MulticlassResult
from .state import MulticlassState as MulticlassState
