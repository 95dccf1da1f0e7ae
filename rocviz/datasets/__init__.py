"""Small real data sets, a synthetic cohort, and the worked examples of the papers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocviz.datasets._breast_cancer import (
        load_breast_cancer_scores as load_breast_cancer_scores,
    )
    from rocviz.datasets._chest_pain import make_chest_pain as make_chest_pain
    from rocviz.datasets._fetch import (
        fetch_coimbra as fetch_coimbra,
        fetch_indian_liver as fetch_indian_liver,
    )
    from rocviz.datasets._flach_matsubara import load_flach_matsubara as load_flach_matsubara
    from rocviz.datasets._scoring_list_example import (
        load_scoring_list_example as load_scoring_list_example,
    )
else:
    from rocviz._lazy import attach

    __getattr__, __dir__, __all__ = attach(__name__)
