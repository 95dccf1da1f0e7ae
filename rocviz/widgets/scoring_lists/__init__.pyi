from .explorer import ScoringListExplorer as ScoringListExplorer
from .result import ScoringListResult as ScoringListResult
from .state import ScoringListState as ScoringListState
