"""Tables by name have an entry for every name that code may look up."""

import pytest

from rocviz.core.ensembles.rank_ensemble import METHODS as COMBINATIONS
from rocviz.core.groups.policy import CRITERIA, EQUALISED_RATES
from rocviz.core.groups.summary import RATES
from rocviz.core.multiclass.batch import _SOLVERS as BATCH_SOLVERS
from rocviz.core.multiclass.metrics import LABELS as CLASS_METRIC_LABELS
from rocviz.core.multiclass.metrics import METRICS as CLASS_METRICS
from rocviz.core.ranking_loss.methods import METHODS as RANKING_METHODS
from rocviz.core.roc.auc_intervals import METHODS as AUC_INTERVALS
from rocviz.core.roc.metrics import INTERVAL_METHODS, METRICS
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
from rocviz.widgets.decisions.state import FIVE_METRICS
from rocviz.widgets.groups.words import PROMISES
from rocviz.widgets.ranking_loss.words import METHOD_ROLES
from rocviz.words import COMBINATION_NAMES, INTERVAL_NAMES


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (INTERVAL_NAMES, AUC_INTERVALS),
        (COMBINATION_NAMES, COMBINATIONS),
        (scoring_lists.METHODS, INTERVAL_METHODS),
        (ranking_loss.METHOD_STYLES, RANKING_METHODS),
        (groups.VALUE_LABELS, CRITERIA),
        (PROMISES, CRITERIA),
        (EQUALISED_RATES, CRITERIA[2:]),
        (METHOD_ROLES, RANKING_METHODS),
        (CLASS_METRIC_LABELS, CLASS_METRICS),
    ],
)
def test_every_name_of_the_core_has_an_entry(table, names):
    assert set(table) == set(names)


@pytest.mark.parametrize(
    ("names", "table"),
    [
        ([name for names in EQUALISED_RATES.values() for name in names], RATES),
        (RATES, groups.RATES),
        (BATCH_SOLVERS, CLASS_METRICS),
        (FIVE_METRICS, [name for name, row in METRICS.items() if row.is_objective]),
        ([row.isometrics_of for row in METRICS.values() if row.isometrics_of], METRICS),
    ],
)
def test_names_of_metrics_are_in_the_table(names, table):
    assert set(names) <= set(table)


@pytest.mark.parametrize("row", METRICS.values(), ids=METRICS)
def test_every_metric_has_what_its_readers_need(row):
    assert row.text
    assert not row.text.endswith(".")
    assert row.label
    if row.in_groups or row.in_report:
        assert row.is_proportion
    assert row.label_of({})


def test_all_combinations_are_drawn():
    assert set(COMBINATIONS) <= set(ensembles.METHODS)


def test_every_style_has_a_colour_a_dash_and_a_marker():
    models = [model_style(i) for i in range(24)]
    curves = [*lexicographic.CURVE_STYLES.values(), *scoring_lists.CURVE_STYLES.values()]
    methods = [*ensembles.METHODS.values(), *ranking_loss.METHOD_STYLES.values()]
    with_markers = [*groups.GROUP_STYLES, *multiclass.CLASS_STYLES, multiclass.OTHER_CLASS_STYLE]
    styles = [*models, *curves, *methods, *with_markers]
    assert {role for role, *_ in styles} <= set(COLOURS)
    assert {style.ink for style in models} <= set(COLOURS)
    assert {dash for _, dash, *_ in [*models, *curves, *methods]} <= set(DASHES)
    markers = [marker for _, marker in with_markers]
    markers += [marker for _, _, marker in ranking_loss.METHOD_STYLES.values()]
    assert set(markers) <= set(MARKERS)


def test_every_kind_of_mark_is_drawn_or_placed():
    def kinds(kind):
        children = kind.__subclasses__()
        if not children:
            yield kind
        for child in children:
            yield from kinds(child)

    # what is lit up under the mouse is in no file
    placed = {kind.__name__ for kind in PLACES} | {"Column", "Lit"}
    drawn = {kind.__name__ for kind in ARTIST_MAKERS}
    assert {kind.__name__ for kind in kinds(Mark)} == placed | drawn
