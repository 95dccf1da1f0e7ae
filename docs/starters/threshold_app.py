# A Shiny app: `shiny run threshold_app.py`. A colleague gives it a CSV file with labels and scores,
# states the costs, chooses a threshold, and takes the decisions home.

import pandas as pd
from shiny import App, reactive, render, req, ui
from shinywidgets import output_widget, reactive_read, render_widget
from traitlets import TraitError

import rocviz

app_ui = ui.page_sidebar(
    ui.sidebar(
        ui.input_file("file", "CSV file, one line a sample", accept=[".csv"]),
        ui.input_select("label_column", "Column of labels", []),
        ui.input_select("positive_label", "Positive label", []),
        ui.input_select("score_column", "Column of scores", []),
        ui.input_numeric("cost_fn", "A miss costs ... false alarms", 5, min=0.01, max=100),
        ui.input_numeric("prevalence", "Percent positive where it is used", 10, min=0.1, max=99.9),
        ui.input_action_button("use_best", "Go to the threshold that costs least"),
        ui.download_button("decisions", "Download the decisions"),
        width=300,
    ),
    output_widget("explorer", height="auto"),
    ui.card(ui.output_text("advice")),
    title="Choose a threshold",
)


def server(input, output, session):
    @reactive.calc
    def table():
        """The file, or an example until there is one."""
        files = input.file()
        if files:
            return pd.read_csv(files[0]["datapath"])
        example = rocviz.datasets.load_breast_cancer_scores()
        return pd.DataFrame({"malignant": example.y_true, "score": example.y_prob})

    @reactive.effect
    def _choose_columns():
        names = list(table().columns)
        few = [name for name in names if table()[name].nunique() == 2]
        numeric = [name for name in table().select_dtypes("number").columns if name not in few[:1]]
        ui.update_select("label_column", choices=names, selected=few[0] if few else None)
        ui.update_select("score_column", choices=names, selected=numeric[-1] if numeric else None)

    @reactive.effect
    def _choose_positive():
        req(input.label_column() in table())
        labels = [str(label) for label in sorted(table()[input.label_column()].dropna().unique())]
        ui.update_select("positive_label", choices=labels, selected=labels[-1])

    @reactive.calc
    def samples():
        """Labels and scores as the columns chosen say."""
        label_column, score_column = req(input.label_column()), req(input.score_column())
        req(label_column in table(), score_column in table())
        y_true = table()[label_column].astype(str) == req(input.positive_label())
        return y_true, table()[score_column]

    @render_widget
    def explorer():
        y_true, scores = samples()
        return rocviz.ROCExplorer(y_true, scores)

    @reactive.effect
    def _state_costs():
        costs = {
            "cost_fn": req(input.cost_fn()),
            "deployment_prevalence": req(input.prevalence()) / 100,
        }
        try:
            explorer.widget.update(**costs)
        except TraitError as error:  # out of range
            ui.notification_show(str(error), type="error")

    @reactive.effect
    @reactive.event(input.use_best)
    def _use_best():
        explorer.widget.threshold = explorer.widget.result.optimum.threshold

    @render.text
    def advice():
        result = reactive_read(explorer.widget, "result")
        at = result.segments.at_threshold(explorer.widget.threshold)
        cost = at.expected_cost(**result.costs)
        return (
            f"Predict positive from {at.threshold:.3f} up. In this file, that finds {at.tp:.0f} of"
            f" {at.n_pos:.0f} positives and raises {at.fp:.0f} false alarms among {at.n_neg:.0f}"
            f" negatives. Mean cost of a decision: {cost:.4f}; at the threshold that costs least,"
            f" {result.optimum.threshold:.3f}, it is {result.optimal_cost:.4f}."
        )

    @render.download_button(filename="decisions.csv")
    def decisions():
        decided = table().assign(predicted_positive=samples()[1] >= explorer.widget.threshold)
        yield decided.to_csv(index=False)


app = App(app_ui, server)
