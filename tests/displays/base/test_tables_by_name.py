"""Tables by name have an entry for every name that code may look up."""

import pytest

from rocviz.core.ensembles.rank_ensemble import METHODS as COMBINATIONS
from rocviz.core.groups.policy import CRITERIA
from rocviz.core.ranking_loss.methods import METHODS as RANKING_METHODS
from rocviz.core.roc.auc_intervals import METHODS as AUC_INTERVALS
from rocviz.core.roc.metrics import INTERVALS
from rocviz.displays.base.draw_picture import ARTIST_MAKERS, DASHES, MARKERS
from rocviz.displays.ensembles import pictures as ensembles
from rocviz.displays.groups import pictures as groups
from rocviz.displays.lexicographic import pictures as lexicographic
from rocviz.displays.multiclass import pictures as multiclass
from rocviz.displays.ranking_loss import pictures as ranking_loss
from rocviz.displays.scoring_lists import pictures as scoring_lists
from rocviz.pictures import Mark, model_style
from rocviz.pictures.placement import PLACES
from rocviz.theme import COLOURS
from rocviz.words import COMBINATION_NAMES, INTERVAL_NAMES


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (INTERVAL_NAMES, AUC_INTERVALS),
        (COMBINATION_NAMES, COMBINATIONS),
        (scoring_lists.METHODS, INTERVALS),
        (ranking_loss.STYLES, RANKING_METHODS),
        (groups.VALUES, CRITERIA),
    ],
)
def test_every_name_of_the_core_has_an_entry(table, names):
    assert set(table) == set(names)


def test_all_combinations_are_drawn():
    assert set(COMBINATIONS) <= set(ensembles.METHODS)


def test_every_style_has_a_colour_a_dash_and_a_marker():
    models = [model_style(i) for i in range(24)]
    curves = [*lexicographic.CURVE_STYLES.values(), *scoring_lists.CURVE_STYLES.values()]
    methods = [*ensembles.METHODS.values(), *ranking_loss.STYLES.values()]
    with_markers = [*groups.STYLES, *multiclass.STYLES, multiclass.OTHER_STYLE]
    styles = [*models, *curves, *methods, *with_markers]
    assert {role for role, *_ in styles} <= set(COLOURS)
    assert {style.ink for style in models} <= set(COLOURS)
    assert {dash for _, dash, *_ in [*models, *curves, *methods]} <= set(DASHES)
    markers = [marker for _, marker in with_markers]
    markers += [marker for _, _, marker in ranking_loss.STYLES.values()]
    assert set(markers) <= set(MARKERS)


def test_every_kind_of_mark_is_drawn_or_placed():
    def kinds(kind):
        children = kind.__subclasses__()
        if not children:
            yield kind
        for child in children:
            yield from kinds(child)

    placed = {kind.__name__ for kind in PLACES} | {"Column"}
    drawn = {kind.__name__ for kind in ARTIST_MAKERS}
    assert {kind.__name__ for kind in kinds(Mark)} == placed | drawn
