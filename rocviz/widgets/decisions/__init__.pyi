from .explorer import DecisionExplorer as DecisionExplorer
from .result import DecisionResult as DecisionResult
from .state import DecisionState as DecisionState
