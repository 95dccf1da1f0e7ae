from .binarizer import EntropyBinarizer as EntropyBinarizer
from .ranker import ScoringListRanker as ScoringListRanker
from .scoring_list import ProbabilisticScoringList as ProbabilisticScoringList
