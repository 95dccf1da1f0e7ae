from ._breast_cancer import load_breast_cancer_scores as load_breast_cancer_scores
from ._chest_pain import make_chest_pain as make_chest_pain
from ._fetch import fetch_coimbra as fetch_coimbra
from ._fetch import fetch_indian_liver as fetch_indian_liver
from ._flach_matsubara import load_flach_matsubara as load_flach_matsubara
from ._groups import make_groups as make_groups
from ._scoring_list_example import load_scoring_list_example as load_scoring_list_example
