from .explorer import RankingLossExplorer as RankingLossExplorer
from .result import RankingLossResult as RankingLossResult
from .state import RankingLossState as RankingLossState
