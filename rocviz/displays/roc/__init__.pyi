from .auc_interval import AUCIntervalDisplay as AUCIntervalDisplay
from .pairs import PairsDisplay as PairsDisplay
from .people import PeopleDisplay as PeopleDisplay
from .roc import ROCHullDisplay as ROCHullDisplay
