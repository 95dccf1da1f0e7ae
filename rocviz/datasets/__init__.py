"""Small real data sets, a synthetic cohort, and the worked examples of the papers."""

from rocviz.datasets._breast_cancer import load_breast_cancer_scores
from rocviz.datasets._chest_pain import make_chest_pain
from rocviz.datasets._fetch import fetch_coimbra, fetch_indian_liver
from rocviz.datasets._flach_matsubara import load_flach_matsubara
from rocviz.datasets._scoring_list_example import load_scoring_list_example

__all__ = [
    "fetch_coimbra",
    "fetch_indian_liver",
    "load_breast_cancer_scores",
    "load_flach_matsubara",
    "load_scoring_list_example",
    "make_chest_pain",
]
