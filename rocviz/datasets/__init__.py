"""Small real data sets and the worked examples of the papers."""

from rocviz.datasets._breast_cancer import load_breast_cancer_scores
from rocviz.datasets._flach_matsubara import load_flach_matsubara

__all__ = ["load_breast_cancer_scores", "load_flach_matsubara"]
