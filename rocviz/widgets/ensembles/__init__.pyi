from .explorer import EnsembleExplorer as EnsembleExplorer
from .result import EnsembleResult as EnsembleResult
from .state import EnsembleState as EnsembleState
