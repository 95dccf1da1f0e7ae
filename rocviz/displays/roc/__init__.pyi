from .auc_interval import AUCIntervalDisplay as AUCIntervalDisplay
from .roc import ROCHullDisplay as ROCHullDisplay
