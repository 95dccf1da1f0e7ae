from shiny import App, render, ui
from shinywidgets import output_widget, reactive_read, render_widget

import rocviz

app_ui = ui.page_fluid(output_widget("explorer", height="auto"), ui.output_text("found"))


def server(input, output, session):
    @render_widget
    def explorer():
        return rocviz.ROCExplorer(n_samples=200_000)

    @render.text
    def found():
        table = reactive_read(explorer.widget, "result").table
        return f"{table.tp:.0f} of {table.n_pos:.0f} positives at threshold {table.threshold:.3f}"


app = App(app_ui, server)
