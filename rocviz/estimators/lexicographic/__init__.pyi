from .lexicographic import LexRank as LexRank
from .lexprob import LexProb as LexProb
