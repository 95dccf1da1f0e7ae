from .lexicographic import LexicographicOrder as LexicographicOrder
from .lexicographic import lex_order as lex_order
from .lexicographic import lexicographic_rank as lexicographic_rank
from .lexicographic import odds_ratios as odds_ratios
from .tree import LexicographicTree as LexicographicTree
from .tree import lexicographic_tree as lexicographic_tree
