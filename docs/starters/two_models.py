# A marimo notebook: `marimo edit two_models.py` opens it, `marimo run two_models.py` shows it as
# an app. It compares two models; put your labels and scores into the cell "Data".

import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import marimo as mo
    import pandas as pd
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict
    from sklearn.tree import DecisionTreeClassifier

    import rocviz

    return (
        DecisionTreeClassifier,
        LogisticRegression,
        cross_val_predict,
        load_breast_cancer,
        mo,
        pd,
        rocviz,
    )


@app.cell
def _(DecisionTreeClassifier, LogisticRegression, cross_val_predict, load_breast_cancer):
    # Data: labels, and the scores of each model on samples that it was not fitted on.
    features, y_true = load_breast_cancer(return_X_y=True)
    models = {
        "logistic": LogisticRegression(solver="newton-cholesky"),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    }
    scores = {
        name: cross_val_predict(model, features[:, :5], y_true, method="predict_proba")[:, 1]
        for name, model in models.items()
    }
    return scores, y_true


@app.cell
def _(mo, rocviz, scores, y_true):
    compared = rocviz.compare_classifiers(y_true, scores)
    numbers = compared.to_frame()[["auc", "auc_low", "auc_high", "brier"]].round(3)
    pairs = compared.pairs()[["model_a", "model_b", "difference", "lower", "upper", "p_holm"]]
    pairs = pairs.round({"difference": 3, "lower": 3, "upper": 3})
    pairs["p_holm"] = pairs["p_holm"].map("{:.2g}".format)
    mo.vstack(
        [
            mo.md("# Two models on the same samples"),
            numbers,
            mo.md("Differences of the AUCs, with intervals and p-values:"),
            pairs,
        ]
    )
    return


@app.cell
def _(mo, rocviz, scores, y_true):
    # Drag the threshold, click a curve to bring its model to the front, set the costs.
    explorer = mo.ui.anywidget(rocviz.ROCExplorer(y_true, scores))
    explorer
    return (explorer,)


@app.cell
def _(explorer, mo, pd, rocviz, scores, y_true):
    # This cell runs again whenever the explorer is moved.
    costs = {"cost_fn": explorer.cost_fn, "prevalence": explorer.deployment_prevalence}

    def row(name, rule, table):
        return {
            "model": name,
            "rule": rule,
            "threshold": round(table.threshold, 3),
            "sensitivity": round(table.tpr, 3),
            "specificity": round(table.tnr, 3),
            "expected cost": round(table.expected_cost(**costs), 4),
        }

    in_front = rocviz.RankedSegments.from_scores(y_true, scores[explorer.model])
    chosen = in_front.at_threshold(explorer.threshold)
    rows = [row(explorer.model, "as chosen above", chosen)]
    for model_name, model_scores in scores.items():
        ranked = rocviz.RankedSegments.from_scores(y_true, model_scores)
        rows.append(row(model_name, "where it costs least", ranked.optimal_point(**costs)))
    decisions = pd.DataFrame(rows)
    mo.vstack(
        [
            mo.md(
                f"If a miss costs **{explorer.cost_fn:.3g}** times as much as a false alarm, and"
                f" **{explorer.deployment_prevalence:.1%}** are positive where the model is used:"
            ),
            decisions,
        ]
    )
    return (decisions,)


if __name__ == "__main__":
    app.run()
