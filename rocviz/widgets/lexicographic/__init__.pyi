from .explorer import LexicographicExplorer as LexicographicExplorer
from .state import LexicographicResult as LexicographicResult
from .state import LexicographicState as LexicographicState
