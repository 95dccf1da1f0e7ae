"""matplotlib displays in scikit-learn's manner; knows nothing of widgets."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz.displays.calibration.brier import BrierDisplay as BrierDisplay
    from rocviz.displays.calibration.calibration_map import (
        CalibrationMapDisplay as CalibrationMapDisplay,
    )
    from rocviz.displays.calibration.reliability import ReliabilityDisplay as ReliabilityDisplay
    from rocviz.displays.comparison.comparison import (
        ModelComparisonDisplay as ModelComparisonDisplay,
    )
    from rocviz.displays.comparison.cross_validation import (
        CrossValidationDisplay as CrossValidationDisplay,
    )
    from rocviz.displays.curve_spaces.curve_space import CurveSpaceDisplay as CurveSpaceDisplay
    from rocviz.displays.decisions.decision import DecisionDisplay as DecisionDisplay
    from rocviz.displays.ensembles.ensemble import EnsembleDisplay as EnsembleDisplay
    from rocviz.displays.fermi_dirac.experiment import (
        FermiDiracExperimentDisplay as FermiDiracExperimentDisplay,
    )
    from rocviz.displays.fermi_dirac.fermi_dirac import FermiDiracDisplay as FermiDiracDisplay
    from rocviz.displays.fermi_dirac.surface import (
        FermiDiracSurfaceDisplay as FermiDiracSurfaceDisplay,
    )
    from rocviz.displays.lexicographic.lexicographic import (
        LexicographicDisplay as LexicographicDisplay,
    )
    from rocviz.displays.ranking_loss.bound import RankingBoundDisplay as RankingBoundDisplay
    from rocviz.displays.ranking_loss.experiment import (
        RankingExperimentDisplay as RankingExperimentDisplay,
    )
    from rocviz.displays.roc.auc_interval import AUCIntervalDisplay as AUCIntervalDisplay
    from rocviz.displays.roc.roc import ROCHullDisplay as ROCHullDisplay
    from rocviz.displays.scoring_lists.score_card import ScoreCardDisplay as ScoreCardDisplay
    from rocviz.displays.scoring_lists.stage import StageDisplay as StageDisplay
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
