"""Draw the picture of the architecture page, once for each theme.

    python docs/draw_house.py

Everything in it is read: the plan from docs/house.toml, which rooms there are from the package's
folders, the colours from rocviz's own table. A test compares the drawing with the files.
"""

import tomllib
from pathlib import Path
from textwrap import wrap

from rocviz.theme import COLOURS

HERE = Path(__file__).parent
PLAN = tomllib.loads((HERE / "house.toml").read_text("utf-8"))
IDEAS, LAYERS = PLAN["ideas"], PLAN["layers"]
PACKAGE = HERE.parent / "rocviz"

LEFT_MARGIN, COLUMN_WIDTH, ROOM_WIDTH = 20, 103, 95
PICTURE_WIDTH = 2 * LEFT_MARGIN + COLUMN_WIDTH * (len(IDEAS) - 1) + ROOM_WIDTH
FONT_FAMILY = "system-ui, -apple-system, Segoe UI, Roboto, Liberation Sans, Arial, sans-serif"
FLOORS = {"widgets": "selected", "displays": "positive", "estimators": "negative", "core": "hull"}
LETTER_WIDTH = 7  # the width of a letter of small print
LABEL_HEIGHT, LEVEL_HEIGHT = (
    34,
    58,
)  # height of a floor's line of text, and between levels of the tree


def parents(idea):
    """Collect the ideas on which an idea builds, directly or indirectly, nearest first."""
    below = IDEAS[idea].get("stands_on")
    return [below, *parents(below)] if below else []


def in_order(root="base"):
    """Order the ideas so that each follows those it builds on, and no lines of the tree cross."""
    above = [idea for idea, what in IDEAS.items() if what.get("stands_on") == root]
    return [root, *(idea for child in above for idea in in_order(child))]


class Drawing:
    """The parts of an SVG file in one theme."""

    def __init__(self, dark):
        self.dark = dark
        self.parts = []

    def colour(self, name):
        return COLOURS[name][self.dark]

    def text(self, x, y, words, size=15, colour="muted", bold=False, anchor="start"):
        weight = " font-weight='700'" if bold else ""
        self.parts.append(
            f"<text x='{x}' y='{y}' font-size='{size}' text-anchor='{anchor}'{weight} "
            f"fill='{self.colour(colour)}'>{words}</text>"
        )

    def box(self, x, y, width, height, colour, fill=0.0, dashed=False, stroke=1.5):
        dashes = " stroke-dasharray='3 5'" if dashed else ""
        self.parts.append(
            f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='7' "
            f"fill='{self.colour(colour)}' fill-opacity='{fill}' stroke='{self.colour(colour)}' "
            f"stroke-width='{stroke}'{dashes}/>"
        )

    def line(self, points, colour="muted"):
        self.parts.append(
            f"<polyline points='{' '.join(f'{x},{y}' for x, y in points)}' fill='none' "
            f"stroke='{self.colour(colour)}' stroke-width='2' marker-end='url(#head)'/>"
        )

    def svg(self, height, label):
        return "\n".join(
            [
                f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {PICTURE_WIDTH} {height}' "
                f"role='img' font-family='{FONT_FAMILY}'>",
                f"<title>{label}</title>",
                "<defs><marker id='head' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='7' "
                f"markerHeight='7' orient='auto'><path d='M0 0 10 5 0 10z' "
                f"fill='{self.colour('muted')}'/></marker></defs>",
                f"<rect width='{PICTURE_WIDTH}' height='{height}' fill='{self.colour('paper')}'/>",
                *self.parts,
                "</svg>\n",
            ]
        )


def imports(layer):
    """List the parts of rocviz that a layer may import, in words."""
    known = [name for name in LAYERS[layer]["rocviz"] if not name.startswith("_")]
    return f"uses {', '.join(known)}" if known else "uses no other part"


def floor(drawing, y, layer, colour):
    """Draw a layer: its description, and below it a box for each idea."""
    height = 52 if layer == "core" else 34
    drawing.box(
        LEFT_MARGIN - 10,
        y,
        PICTURE_WIDTH - 2 * LEFT_MARGIN + 20,
        LABEL_HEIGHT + height + 14,
        colour,
        stroke=2.5,
    )
    drawing.text(LEFT_MARGIN + 4, y + 23, layer, 18, "text", bold=True)
    drawing.text(LEFT_MARGIN + 126, y + 23, LAYERS[layer]["holds"])
    drawing.text(PICTURE_WIDTH - LEFT_MARGIN - 4, y + 23, imports(layer), anchor="end")
    for column, idea in enumerate(in_order()):
        x = LEFT_MARGIN + column * COLUMN_WIDTH
        if not (PACKAGE / layer / idea / "__init__.py").exists():
            drawing.box(x, y + LABEL_HEIGHT, ROOM_WIDTH, height, "reference", dashed=True, stroke=1)
            continue
        trunk = idea in PLAN["trunk"]
        drawing.box(
            x,
            y + LABEL_HEIGHT,
            ROOM_WIDTH,
            height,
            colour,
            0.28 if trunk and layer == "core" else 0.1,
        )
        middle = x + ROOM_WIDTH / 2
        drawing.text(middle, y + LABEL_HEIGHT + 22, idea, 13, "text", anchor="middle")
        if layer == "core":
            drawing.text(middle, y + LABEL_HEIGHT + 42, IDEAS[idea]["opens"], 13, anchor="middle")
    return y + LABEL_HEIGHT + height + 26


def beside(drawing, y):
    """Draw the parts beside the layers."""
    names = [name for name in LAYERS if name not in FLOORS and not name.startswith("_")]
    step = (PICTURE_WIDTH - 2 * LEFT_MARGIN + 20 + 8) / len(names)
    letters = round((step - 20) / LETTER_WIDTH)
    lines = {
        name: [*wrap(LAYERS[name]["holds"], letters), *wrap(imports(name), letters)]
        for name in names
    }
    height = 36 + 18 * max(map(len, lines.values()))
    for place, name in enumerate(names):
        x = LEFT_MARGIN - 10 + place * step
        drawing.box(x, y, step - 8, height, "reference")
        drawing.text(x + 10, y + 22, name, 16, "text", bold=True)
        for row, line in enumerate(lines[name]):
            drawing.text(x + 10, y + 43 + 18 * row, line, 12.5)
    return y + height


def tree(drawing, y):
    """Draw the dependencies between ideas; each line ends at the idea that another builds on."""
    order = in_order()
    depth = {idea: len(parents(idea)) for idea in order}
    lowest = max(depth.values())

    def place(idea):
        return LEFT_MARGIN + order.index(idea) * COLUMN_WIDTH, y + (
            lowest - depth[idea]
        ) * LEVEL_HEIGHT

    for idea in order[1:]:
        (x, top), (carrier, level) = place(idea), place(IDEAS[idea]["stands_on"])
        middle = x + ROOM_WIDTH / 2
        drawing.line([(middle, top + 34), (middle, level + 17), (carrier + ROOM_WIDTH, level + 17)])
    for idea in order:
        x, top = place(idea)
        trunk = idea in PLAN["trunk"]
        drawing.box(x, top, ROOM_WIDTH, 34, "hull", 0.28 if trunk else 0.1)
        drawing.text(x + ROOM_WIDTH / 2, top + 22, idea, 13, "text", anchor="middle")
    bottom = y + lowest * LEVEL_HEIGHT
    notes = (
        "An idea may use the one that its arrow ends at, and what that one stands on.",
        f"{', '.join(PLAN['trunk'])} are the trunk: every room above core may use them.",
        "In core the small print names the module to open first.",
    )
    for row, note in enumerate(notes):
        drawing.text(LEFT_MARGIN + 3 * COLUMN_WIDTH, bottom - 16 + 20 * row, note, 14)
    return bottom + 34


def picture(dark):
    """Draw the whole picture as the text of an SVG file."""
    drawing = Drawing(dark)
    drawing.box(
        LEFT_MARGIN - 10, 10, PICTURE_WIDTH - 2 * LEFT_MARGIN + 20, 38, "optimum", stroke=2.5
    )
    drawing.text(LEFT_MARGIN + 4, 35, "notebooks", 18, "text", bold=True)
    drawing.text(
        LEFT_MARGIN + 126, 35, "the course: a chapter for each idea, which may use everything below"
    )
    y = 60
    for layer, colour in FLOORS.items():
        y = floor(drawing, y, layer, colour)
    y = beside(drawing, y) + 30
    drawing.text(LEFT_MARGIN - 10, y, "Which idea stands on which", 18, "text", bold=True)
    y = tree(drawing, y + 18)
    return drawing.svg(
        y + 12,
        "The house of rocviz: layers are floors, ideas are rooms of the same name on every floor, "
        "and each idea stands on one other, down to base.",
    )


def files():
    """Yield the path of each picture and its text."""
    for dark, name in enumerate(("light", "dark")):
        yield HERE / "_static" / f"house-{name}.svg", picture(dark)


if __name__ == "__main__":
    for path, text in files():
        path.write_text(text, encoding="utf-8")
