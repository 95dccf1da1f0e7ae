"""Draws the picture of the layers for the architecture page, once for each theme.

    python docs/draw_layers.py

Plain SVG from rocviz's own colour table, so that the picture and the package cannot disagree.
"""

from pathlib import Path

from rocviz.theme import COLOURS

WIDTH, HEIGHT = 960, 540
FONT = "font-family='system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif'"


def box(x, y, width, height, colour, title, lines, ink, soft, paper, strong=False):
    """Return a labelled rectangle with a coloured edge on its left."""
    parts = [
        f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='10' fill='{paper}' "
        f"stroke='{colour}' stroke-width='{3 if strong else 2}'/>",
        f"<rect x='{x}' y='{y + 12}' width='8' height='{height - 24}' rx='4' fill='{colour}'/>",
        f"<text x='{x + 28}' y='{y + 36}' font-size='22' font-weight='700' fill='{ink}' {FONT}>"
        f"{title}</text>",
    ]
    parts += [
        f"<text x='{x + 28}' y='{y + 63 + 23 * row}' font-size='16.5' fill='{soft}' {FONT}>"
        f"{line}</text>"
        for row, line in enumerate(lines)
    ]
    return parts


def arrow(x1, y1, x2, y2, colour):
    """Return a line that ends in a head: the one at its tail imports the one at its head."""
    return [
        f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{colour}' stroke-width='2.5' "
        "marker-end='url(#head)'/>"
    ]


def picture(dark):
    """Return the whole picture as the text of an SVG file."""
    ink, soft, paper, rule, held, blue, green, orange = (
        COLOURS[name][dark]
        for name in (*("text", "muted", "paper", "muted", "held", "negative", "hull", "positive"),)
    )
    colours = {"ink": ink, "soft": soft, "paper": paper}
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' "
        "aria-label='Notebooks import widgets, displays, estimators, datasets and exercises; "
        "these import core; core imports NumPy and SciPy only.'>",
        "<defs><marker id='head' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='8' "
        "markerHeight='8' orient='auto-start-reverse'>"
        f"<path d='M0 0 10 5 0 10z' fill='{rule}'/></marker></defs>",
    ]
    parts += box(
        20, 20, 920, 84, COLOURS["optimum"][dark], "notebooks",
        ["the course: one idea each, text sources paired with executed pages"], **colours,
    )  # fmt: skip
    columns = (
        (20, held, "widgets", ["explorers to touch:", "state (traitlets)", "+ view (bqplot)"]),
        (336, orange, "displays", ["figures to print:", "matplotlib, in", "scikit-learn’s manner"]),
        (652, blue, "estimators", ["models to fit:", "fit, predict_proba;", "in any pipeline"]),
    )
    for x, colour, title, lines in columns:
        parts += box(x, 160, 288, 134, colour, title, lines, **colours)
        parts += arrow(x + 144, 104, x + 144, 157, rule)
        parts += arrow(x + 144, 294, x + 144, 349, rule)
    parts += arrow(308, 227, 334, 227, rule)
    parts += box(
        20, 352, 920, 108, green, "core",
        [
            "ideas as pure functions on NumPy arrays, frozen results out",
            "RankedSegments → curve, AUC, convex hull, Brier score, calibration, intervals",
        ],
        strong=True, **colours,
    )  # fmt: skip
    parts += [
        f"<text x='480' y='508' text-anchor='middle' font-size='16.5' fill='{soft}' {FONT}>"
        "an arrow means “imports”; core imports NumPy and SciPy only, "
        "and nothing but a notebook imports widgets</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    for dark, name in enumerate(("light", "dark")):
        target = Path(__file__).parent / "_static" / f"layers-{name}.svg"
        target.write_text(picture(dark), encoding="utf-8")
