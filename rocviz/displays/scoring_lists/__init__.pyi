from .score_card import ScoreCardDisplay as ScoreCardDisplay
from .stage import StageDisplay as StageDisplay
