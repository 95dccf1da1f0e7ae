// A picture of an explorer: the marks that the kernel describes, shown by bqplot's models and views.
// These are made here, and the kernel does not know them.

import { drawAtOnce, partsOf, setAll, styleShadow } from "./bqplot.js";
import { numbers } from "./dom.js";
import { Glides, placesOf, walk } from "./glide.js";
import { pointsOf } from "./hands.js";
import { follow, intervalOf, snap } from "./pointing.js";
import { Crowd } from "./people.js";

const GRIP = 1.7; // width of what the mouse finds, as a share of what is seen
const HANDLE = 22; // pixels of what one drags, on a desk
const HALF = "\u2002\u2005"; // half of the room that a handle has between arrows
const EDGE = 0.08; // of an axis, within which there is no room for an arrow outwards
const ARROWS = ["↔", "↕"]; // on a handle, which then needs none beside it
const WAYS_SHARE = 0.85; // their type, as a share of the handle
const SMALL = 0.75; // a handle in a small picture, as a share of its usual width; a hand finds it as well
const CLEAR = "transparent";
const NONE = /** @type {string[]} */ ([]); // handles that cannot be moved

const ink = (role) => (role === CLEAR || role.startsWith("#") ? role : `var(--rocviz-${role})`);

/** The colour of words about what is in that of a role. */
const wordsInk = (role) => ink(role === "muted" ? role : `${role}-text`);

const repeated = (values, count) => Array.from({ length: count }, (_, i) => values[i % values.length]);

const roles = (mark) => (mark.part_roles && mark.part_roles.length ? mark.part_roles : [mark.role]).map(ink);
const size = (scaling, area) => Math.round(area * scaling.handle ** 2 * scaling.shrink);

/**
 * By the kind of a mark: bqplot's model, the traits that stay, and those that follow its values.
 * @type {Record<string, [string, object, (mark: any, scaling: any, count: number) => object]>}
 */
export const KINDS = {
  Line: ["LinesModel", {}, (mark, scaling, rows) => ({
    opacities: Math.min(...mark.opacities) === 1 ? [] : repeated(mark.opacities, rows),
    line_style: mark.dash,
    stroke_width: mark.width * scaling.stroke * scaling.shrink,
  })],
  Band: ["LinesModel", { fill: "between", opacities: [0, 0] }, (mark) => ({
    fill_colors: [ink(mark.role)],
    fill_opacities: [mark.opacity],
  })],
  Areas: ["LinesModel", { fill: "inside", close_path: true, stroke_width: 0 }, (mark, _scaling, rows) => ({
    fill_colors: repeated(roles(mark), rows),
    fill_opacities: repeated(mark.opacities, rows),
  })],
  Dots: ["ScatterModel", {}, (mark, scaling) => ({
    ...(mark.sizes && { size: numbers(mark.sizes) }),
    opacities: mark.opacities,
    stroke: ink(mark.rim || mark.role),
    stroke_width: mark.width * scaling.stroke * scaling.shrink,
    fill: mark.role !== CLEAR || mark.part_roles.length > 0,
    marker: mark.marker,
    apply_clip: mark.clipped,
    default_size: size(scaling, mark.size),
  })],
  Bars: ["BarsModel", { stroke: CLEAR }, (mark) => ({ opacities: [mark.opacity], padding: mark.gap })],
  Words: ["LabelModel", { text: [""], apply_clip: false }, (mark, scaling) => ({
    text: mark.text,
    align: mark.align,
    rotate_angle: -mark.angle,
    font_weight: mark.bold ? "bold" : "normal",
    default_size: scaling.font * mark.size * (scaling.shrink === 1 ? 1 : 0.86),
  })],
};

const rowsOf = (values) => (Array.isArray(values) ? values.length : 1);

/** A mark that cannot be dragged; it may be clicked. */
class Seen {
  constructor(mark, create) {
    const [kind, fixed] = KINDS[mark.kind];
    this.made = mark;
    const shape = mark.kind === "Dots" ? { marker: mark.marker } : {};
    this.models = [create(kind, { ...fixed, ...shape, visible: false }, mark.sizes)];
    this.targets = this.models;
    this.gliding = this.models;
  }

  /** The places that it passes on the way to a new one: none, it glides straight. */
  stops(_mark) { return []; }

  /** Whether its model can show a new mark of the same name. */
  fits({ kind, sizes }) { return kind === this.made.kind && !sizes === !this.made.sizes; }

  /** The new traits of each model. */
  show(mark, scaling, _isFixed, _axes) {
    const [model] = this.models;
    const x = numbers(mark.x), y = numbers(mark.y);
    if (!(x.length && y.length)) return [[model, { visible: false }]];
    const more = KINDS[mark.kind][2](mark, scaling, rowsOf(y));
    return [[model, { visible: true, x, y, colors: roles(mark), ...more }]];
  }
}

/** Lines between the cells of a table, one of which is outlined while it is pointed at. */
class Table {
  constructor(mark, create) {
    this.made = mark;
    this.lines = create("LinesModel", { visible: false });
    const style = { visible: false, colors: [ink("text")] };
    this.cell = create("LinesModel", { ...style, close_path: true });
    this.guides = create("LinesModel", { ...style, line_style: "dotted" }); // to both axes
    this.models = [this.lines, this.guides, this.cell];
    this.targets = [];
    this.columns = this.rows = /** @type {any} */ ([]);
  }

  fits({ kind }) { return kind === this.made.kind; }

  show(mark, scaling, _isFixed, _axes) {
    const hidden = [this.cell, this.guides].map((model) => [model, { visible: false }]);
    this.columns = numbers(mark.x);
    this.rows = numbers(mark.y);
    this.about = mark;
    if (!(this.columns.length && this.rows.length)) return [[this.lines, { visible: false }], ...hidden];
    const { x, y } = between(this.columns, this.rows);
    const width = mark.width * scaling.shrink;
    this.cell.set("stroke_width", 3 * scaling.stroke * scaling.shrink);
    this.guides.set("stroke_width", 2 * scaling.stroke * scaling.shrink);
    return [[this.lines, { visible: true, x, y, colors: roles(mark), stroke_width: width }], ...hidden];
  }

  /** The column and the row at a place, if there are. */
  at({ x, y }) {
    const column = intervalOf(this.columns, x), row = intervalOf(this.rows, y);
    return column < 0 || row < 0 ? null : { column, row };
  }

  /** Outline a cell, or none, and read it out. */
  light(cell) {
    if (!cell) {
      this.cell.set("visible", false);
      this.guides.set("visible", false);
      return "";
    }
    const { column, row } = cell, mark = this.about;
    const [left, right] = this.columns.slice(column, column + 2), [low, high] = this.rows.slice(row, row + 2);
    const x = (left + right) / 2, y = (low + high) / 2;
    this.cell.set({ visible: true, x: [left, right, right, left], y: [low, low, high, high] });
    this.guides.set({ visible: true, x: [[x, x], [left, this.columns[0]]], y: [[low, this.rows[0]], [y, y]] });
    const order = Math.sign(numbers(mark.row_values)[row] - numbers(mark.column_values)[column]);
    return `${mark.row_names[row]}, ${mark.column_names[column]}: ${mark.verdicts[order + 1]}`;
  }
}

/** Points that are shown only while a cell of another picture is pointed at. */
class Lamps {
  constructor(mark, create) {
    this.made = mark;
    this.model = create("ScatterModel", { visible: false, apply_clip: false, stroke: ink("text"), stroke_width: 2.5 });
    this.models = [this.model];
    this.targets = [];
    this.x = this.y = /** @type {any} */ ([]);
  }

  fits({ kind }) { return kind === this.made.kind; }

  show(mark, scaling, _isFixed, _axes) {
    this.x = numbers(mark.x);
    this.y = numbers(mark.y);
    this.of = mark.of;
    // at once: what is hidden is not drawn until it is shown
    this.model.set({ visible: false, colors: roles(mark), default_size: size(scaling, mark.size) });
    return [];
  }

  /** Show the points of a column and of a row, of which there are so many columns, or none. */
  light(cell, columns) {
    if (!cell) { this.model.set("visible", false); return; }
    const places = [cell.column, columns + cell.row];
    this.model.set({ visible: true, x: places.map((i) => this.x[i]), y: places.map((i) => this.y[i]) });
  }
}

/** Kinds of marks with parts of their own; others are seen only, or dragged. @type {Record<string, any>} */
const PARTS = { Cells: Table, Lit: Lamps, People: Crowd };

/**
 * One line along the inner borders of all columns, then of all rows.
 * @param {ArrayLike<number>} columns
 * @param {ArrayLike<number>} rows
 */
export const between = (columns, rows) => {
  const x = [], y = [], right = columns.length - 1, top = rows.length - 1;
  let isUp = false, isRight = false;
  for (let i = 1; i < right; i++) {
    x.push(columns[i], columns[i]);
    y.push(...(isUp ? [rows[top], rows[0]] : [rows[0], rows[top]]));
    isUp = !isUp;
  }
  x.push(columns[0]); // along the border to the first row
  y.push(isUp ? rows[top] : rows[0]);
  for (let i = 1; i < top; i++) {
    x.push(...(isRight ? [columns[right], columns[0]] : [columns[0], columns[right]]));
    y.push(rows[i], rows[i]);
    isRight = !isRight;
  }
  return { x, y };
};

/**
 * A handle, which is always shown where the kernel puts it. Its last model is invisible and follows the
 * mouse; while it is dragged nothing else moves it, because that would fight the cursor, and it is put back
 * when it is released. The word "drag" and arrows stand beside the handle until it has been dragged once.
 */
class Dragged {
  constructor(mark, create) {
    const label = (style) => create("LabelModel", { text: [""], colors: [wordsInk(mark.role)], align: "middle", visible: false, apply_clip: false, ...style });
    const dots = (role, rim, style = {}) => create("ScatterModel", { colors: [ink(role)], stroke: ink(rim), apply_clip: false, visible: false, ...style });
    const { align, more, style } = DRAGGED[mark.kind];
    this.made = mark;
    this.hint = label({ text: ["drag"], font_weight: "normal", align });
    // by this weight the style sheet knows them, whose size is the handle's and not that of words
    this.ways = [...mark.along].map((axis) => label({ font_weight: "bolder", rotate_angle: axis === "x" ? 0 : 90 }));
    this.seen = dots(mark.role, "paper");
    this.more = more(mark, label, dots);
    this.style = style;
    this.area = dots(CLEAR, CLEAR, {
      enable_move: true, update_on_move: false, drag_size: 1,
      restrict_x: mark.along === "x", restrict_y: mark.along === "y",
    });
    this.models = [this.hint, ...this.ways, this.seen, this.more, this.area];
    this.targets = [this.area];
    this.gliding = [this.seen, this.more, ...this.ways]; // what the mouse finds is where it will be
    this.isDragged = this.wasDragged = false;
    this.moves = 0; // of a hand, since it took hold
    /** @type {number[][]} */
    this.way = [];
    this.place = { x: this.area.get("x"), y: this.area.get("y") };
    this.area.on("change:x change:y", () => this.putBack());
  }

  fits({ kind, along }) { return kind === this.made.kind && along === this.made.along; }

  // Only if it has moved: a model that is set while it is being set forgets its changes.
  putBack() {
    const { x, y } = this.place, { area } = this;
    if (!this.isDragged && (area.get("x") !== x || area.get("y") !== y)) area.set(this.place);
  }

  /** Whether a hand moves it on, and does not only call it to another place. */
  get isSteered() { return this.isDragged && this.moves > 1; }

  /** The places that it passes on the way to a new one, if it remembers those it came by. */
  stops({ way_x, way_y }) {
    const before = this.way;
    this.way = way_x ? placesOf({ x: numbers(way_x), y: numbers(way_y) }) : [];
    return walk(before, this.way);
  }

  /** The user begins, continues or ends a drag. @param {string} event */
  moved(event) {
    this.isDragged = event !== "drag_end";
    if (event === "drag_start") this.moves = 0;
    if (event === "drag") this.moves += 1;
    this.wasDragged = true;
    for (const model of [this.hint, ...this.ways]) model.set("visible", false);
    this.putBack();
  }

  show(mark, scaling, isFixed, axes) {
    const { hint } = mark;
    const x = numbers(mark.x), y = numbers(mark.y);
    if (!x.length) return this.models.map((model) => [model, { visible: false }]);
    this.place = { x, y };
    const [seen, more, grip] = this.style(mark, scaling, x, y);
    const area = { visible: true, enable_move: !isFixed, default_size: grip, ...(this.isDragged ? {} : this.place) };
    const isHinted = Boolean(hint) && !this.wasDragged && !isFixed;
    const isWord = isHinted && hint.length > 0;
    const at = isWord ? { x: [hint[0]], y: [hint[1]], default_size: scaling.font * (scaling.shrink === 1 ? 1 : 0.86) } : {};
    const hasArrow = Boolean(mark.arrow) || ARROWS.includes(mark.letter);
    const isShown = isHinted && !hasArrow;
    const ways = { visible: isShown, x, y, default_size: WAYS_SHARE * Math.sqrt(seen.default_size) };
    return [
      [this.seen, seen], [this.more, more], [this.area, area], [this.hint, { visible: isWord, ...at }],
      ...this.ways.map((model, i) => [model, isShown ? { ...ways, ...arrowsFrom(mark.along[i], x[0], y[0], axes) } : ways]),
    ];
  }
}

/**
 * Arrows which way a handle can be dragged along an axis, without one that would leave the picture. Turned
 * upright, the first points up.
 */
const arrowsFrom = (along, x, y, axes) => {
  const [low, high] = axes[along === "x" ? 0 : 1].limits;
  const share = along === "x" ? (x - low) / (high - low) : (high - y) / (high - low);
  if (share < EDGE) return { text: [`${HALF}▶`], align: "start" };
  if (share > 1 - EDGE) return { text: [`◀${HALF}`], align: "end" };
  return { text: [`◀${HALF}${HALF}▶`], align: "middle" };
};

// A round handle, perhaps with a letter on it; an arrow if it is outside of the picture.
const handle = (mark, scaling, x, y) => {
  const usual = size(scaling, (Math.PI / 4) * HANDLE ** 2), share = mark.scale * (scaling.shrink === 1 ? 1 : SMALL);
  const area = Math.round(usual * share ** 2);
  const stroke = 2.5 * scaling.stroke * scaling.shrink;
  const align = { "◀": "start", "▶": "end" }[mark.arrow] ?? "middle";
  const words = { text: [mark.arrow || mark.letter], align, default_size: scaling.font * (mark.letter?.length > 2 ? 0.8 : 1), x, y,
    colors: [ink(mark.arrow ? `${mark.role}-text` : "paper")],
    y_offset: { "▲": 6, "▼": -6 }[mark.arrow] ?? 0 }; // inside of the picture, not on the numbers beside it
  return [
    { visible: !mark.arrow, x, y, default_size: area, stroke_width: stroke },
    mark.arrow || mark.letter ? { visible: true, ...words } : { visible: false },
    Math.round(Math.max(area, usual) * GRIP ** 2),
  ];
};

// A knob at each of many points, one of which may be chosen.
const knobs = (mark, scaling, x, y) => {
  const k = mark.chosen;
  const chosen = k >= 0 ? { visible: true, x: x.slice(k, k + 1), y: y.slice(k, k + 1), default_size: size(scaling, 230) } : { visible: false };
  return [{ visible: true, x, y, default_size: size(scaling, 80) }, chosen, size(scaling, 1.4 * HANDLE ** 2)];
};

/** By the kind of the handle: alignment of "drag", its second model, and the traits of its models. */
const DRAGGED = {
  Handle: { align: "middle", more: (_mark, label) => label({ font_weight: "bold" }), style: handle },
  Knobs: { align: "end", more: (mark, _label, dots) => dots(mark.role, "paper"), style: knobs },
};

/**
 * Whether names stand in a list in the same order, maybe with others between them.
 * @param {string[]} names
 * @param {string[]} all
 */
export function isWithin(names, all) {
  const kept = all.filter((name) => names.includes(name));
  return kept.length === names.length && kept.every((name, i) => name === names[i]);
}

/**
 * Put the marks that have gone back into a new order, each on top of the one that was below it.
 * @param {string[]} stack
 * @param {string[]} order
 */
export function merged(stack, order) {
  const all = [...order];
  stack.forEach((name, i) => {
    if (!all.includes(name)) all.splice(all.indexOf(stack[i - 1]) + 1, 0, name);
  });
  return all;
}

/** A picture, for all of its views. */
export class Drawing {
  /**
   * @param {any} stage what is shown, see `Shown`
   * @param {string} name
   */
  constructor(stage, name) {
    this.stage = stage;
    this.name = name;
    /** @type {Map<string, any>} */
    this.parts = new Map();
    this.drawn = new Map(); // what is drawn of each mark, and around them
    /** All marks from back to front. Hidden ones stay: bqplot would make all in front of them again. @type {string[]} */
    this.stack = [];
    /** @type {Set<any>} */
    this.views = new Set();
    /** Views of marks and axes, once all are there: what changes then is drawn at once. */
    this.seen = null;
    this.changed = 0;
    this.wasDrawn = false;
    this.endSnap = () => {};
    this.glides = new Glides((changes) => setAll(changes, this.seen || []));
    /** Whether the mouse is over a mark that can be dragged or clicked. */
    this.isOverPart = false;
    /** @type {{ marks: any[], points: {x: number, y: number}[] }} */
    this.pointed = { marks: [], points: [] };
    this.figure = this.make();
    this.last = this.figure;
  }

  async make() {
    const { modules } = this.stage, manager = await this.stage.manager;
    const load = (name, module) => manager.loadClass(name, module, modules[module]);
    const create = (Model, state) =>
      new Model(state, { widget_manager: manager, model_id: `rocviz${Math.random().toString(36).slice(2)}` });
    const names = ["FigureModel", "AxisModel", ...new Set(Object.values(KINDS).map(([kind]) => kind))];
    const [Scale, ...kinds] = await Promise.all([load("LinearScaleModel", "bqscales"), ...names.map((name) => load(name, "bqplot"))]);
    const classes = Object.fromEntries(names.map((name, i) => [name, kinds[i]]));
    this.scales = [0, 1].map(() => create(Scale, { allow_padding: false, min: 0, max: 1 }));
    const [x, y] = this.scales;
    this.axes = this.scales.map((scale, i) => create(classes.AxisModel, {
      scale, side: ["bottom", "left"][i], orientation: ["horizontal", "vertical"][i],
      grid_lines: "solid", grid_color: ink("grid"), color: ink("reference"), label_color: ink("text"),
    }));
    this.create = (kind, state, sizes) => create(classes[kind], {
      x: [0], y: [0], ...state, scales: { x, y, ...(sizes && { size: create(Scale, { min: 0, max: 1 }) }) },
    });
    this.made = create(classes.FigureModel, {
      scale_x: x, scale_y: y, axes: this.axes, marks: [], layout: null,
      animation_duration: 0, display_toolbar: false, background_style: { fill: CLEAR },
      padding_x: 0, padding_y: 0, min_aspect_ratio: 0.01, max_aspect_ratio: 100,
    });
    return this.made;
  }

  /** Draw what has changed: at once, if all views are there and can wait for it. */
  update() {
    if (this.seen) this.draw();
    else {
      this.findViews();
      this.last = this.last.then(() => this.draw()).catch(console.error);
    }
    return this.last;
  }

  /** Find the views of the figure and of its marks again. */
  findViews() {
    const change = this.changed += 1;
    this.seen = null;
    this.last = this.last.then(async () => {
      const seen = await partsOf([...this.views]);
      const marks = await Promise.all([...this.views].flatMap((view) => view.mark_views?.views || []));
      if (change !== this.changed) return;
      if (this.isWhole()) this.seen = seen;
      for (const part of this.crowds) part.views = marks.filter((view) => view.model === part.models[0]);
      this.paint();
    }).catch(console.error);
  }

  // Whether bqplot has made the views of all marks, which it does once a figure has a place on the page.
  isWhole() {
    const count = this.made?.get("marks").length;
    return [...this.views].every((view) => view.mark_views?.views.length === count);
  }

  // Whether a value differs from the one that is drawn.
  isNew(what, value) {
    if (this.drawn.get(what) === value) return false;
    this.drawn.set(what, value);
    return true;
  }

  get crowds() { return [...this.parts.values()].filter((part) => part instanceof Crowd); }

  /** A view has its place on the page, or another size. */
  resized() {
    // bqplot's marks, which are told after this, give their scales the new size
    if (this.crowds.every((part) => part.views.length === this.views.size)) queueMicrotask(() => this.paint());
    else this.findViews();
  }

  /** Draw the people in all views, as large as these have room for. */
  paint() {
    for (const part of this.crowds) part.paint(this.stage.isSteered);
  }

  mark(name) { return this.stage.values[`mark ${this.name} ${name}`]; }

  draw() {
    const { order, axes, scaling } = this.stage.values[`figure ${this.name}`];
    const { still = NONE } = this.stage.values;
    const [all, hasMoved, isOther] = Object.entries({ scaling, axes, order }).map(([what, value]) => this.isNew(what, JSON.stringify(value)));
    const isFixed = this.isNew("still", still);
    /** @type {any[]} */
    const changes = all || hasMoved ? this.axesChanges(axes, scaling) : [];
    const added = order.filter((name) => !this.parts.get(name)?.fits(this.mark(name)));
    for (const name of added) {
      const mark = this.mark(name);
      const Part = PARTS[mark.kind] || (mark.along ? Dragged : Seen);
      const part = new Part(mark, this.create);
      this.parts.set(name, part);
      for (const target of part.targets) target.send = (content) => this.received(name, part, content);
    }
    for (const [name, part] of this.parts) {
      if (!order.includes(name)) {
        this.drawn.delete(`mark ${name}`); // it may come back as it was
        for (const one of part.models) changes.push([one, { visible: false }]);
        this.glides.end(part.models);
      } else if (this.isNew(`mark ${name}`, this.mark(name)) || all || isFixed || (hasMoved && part instanceof Dragged)) {
        const mark = this.mark(name), now = part.show(mark, scaling, still.includes(`mark ${this.name} ${name}`), axes);
        if (mark.glides) this.glide(part, mark, now);
        changes.push(...now);
      }
    }
    const isHidden = ([one, { visible }]) => visible === false && one.get("visible") === false;
    const snapping = this.snapping(order, changes);
    setAll(changes.filter((change) => !isHidden(change)), this.seen || []);
    for (const [model, from, to] of snapping) this.endSnap = snap(model, from, to);
    this.wasDrawn = true;
    this.paint();
    if (added.length || (isOther && !isWithin(order, this.stack))) {
      this.stack = merged(this.stack, order);
      this.made.set("marks", this.stack.flatMap((name) => this.parts.get(name)?.models));
      this.findViews();
    }
  }

  // Let a mark glide to its new place, unless a hand moves a handle there.
  glide(part, mark, changes) {
    const stops = part.stops(mark);
    if (!this.wasDrawn || this.isSteered) this.glides.end(part.models);
    else this.glides.begin(part.gliding, changes, stops);
  }

  // Lines that are shown from now on, and snap from another one: their models, and both lines.
  snapping(order, changes) {
    const lines = [];
    for (const [model, { visible, x, y }] of changes) {
      const name = order.find((one) => this.parts.get(one)?.models.includes(model));
      const from = name && this.mark(name).snaps_from;
      if (!from) continue;
      this.endSnap(); // the line has another place now
      if (!visible || model.get("visible") || !this.wasDrawn || !order.includes(from)) continue;
      const { x: fromX, y: fromY } = this.mark(from);
      lines.push([model, { x: numbers(fromX), y: numbers(fromY) }, { x, y }]);
    }
    return lines;
  }

  /** Whether presses on the picture are for the kernel, which draws on it. */
  get isDrawnOn() { return Boolean(this.stage.values[`panel ${this.name}`]?.drawn_on) && !this.stage.values.still; }

  /** Whether this is the large picture. */
  get isLarge() { return Boolean(this.stage.values[`panel ${this.name}`]?.large); }

  /** The handles that can be moved now. */
  grips() {
    const { still = NONE } = this.stage.values, grips = [];
    for (const [name, part] of this.parts) {
      const isHere = this.stage.values[`figure ${this.name}`].order.includes(name);
      if (!(part instanceof Dragged) || !isHere || still.includes(`mark ${this.name} ${name}`)) continue;
      if (!part.area.get("visible")) continue;
      const { x, y } = part.place, { along, row, scale } = this.mark(name), isAside = scale < 1;
      for (let index = 0; index < x.length; index++) grips.push({ name, part, index, x: x[index], y: y[index], along, row, isAside });
    }
    return grips;
  }

  /** Whether a handle is being dragged. */
  get isDragged() { return [...this.parts.values()].some((part) => part instanceof Dragged && part.isDragged); }

  /** Whether a hand moves a handle on, and has not only called it to where it is. */
  get isSteered() { return [...this.parts.values()].some((part) => part instanceof Dragged && part.isSteered); }

  /** The points that can be read out, from left to right; found once for what is shown. */
  points() {
    const { order, axes } = this.stage.values[`figure ${this.name}`];
    const marks = order.map((name) => this.mark(name));
    const isSame = marks.length === this.pointed.marks.length && marks.every((mark, i) => mark === this.pointed.marks[i]);
    if (!isSame) this.pointed = { marks, points: pointsOf(marks, axes.some(({ visible }) => visible)) };
    return this.pointed.points;
  }

  /** Read out what is at a place, or nothing, and light it up. @param {{x: number, y: number} | null} at */
  read(at) {
    let text = "";
    for (const [name, part] of this.parts) {
      if (!(part instanceof Table)) continue;
      const isThere = this.stage.values[`figure ${this.name}`].order.includes(name);
      const cell = at && isThere ? part.at(at) : null;
      text ||= part.light(cell);
      for (const drawing of this.stage.drawings.values()) {
        for (const lamps of drawing.parts.values()) {
          const isIts = lamps instanceof Lamps && lamps.of?.[0] === this.name && lamps.of[1] === name;
          if (isIts) lamps.light(cell, part.columns.length - 1);
        }
      }
    }
    return text;
  }

  axesChanges(axes, scaling) {
    this.made.set("fig_margin", scaling.margin);
    return axes.flatMap(({ limits, ticks, ...shown }, i) => {
      const [min, max] = limits, scale = this.scales?.[i], axis = this.axes?.[i];
      return [[scale, { min, max }], [axis, {
        visible: shown.visible, label: shown.label, label_offset: shown.offset,
        tick_labels: Object.fromEntries(ticks), tick_values: ticks.map(([at]) => at),
      }]];
    });
  }

  /**
   * A view of a mark tells its model what a hand does.
   * @param {string} name
   * @param {Seen | Dragged | Crowd} part
   * @param {any} content
   */
  received(name, part, { event, data, point, index }) {
    if (event === "element_click" && this.isClicked(name)) this.report({ event: "click", mark: name, index: data?.index ?? 0 });
    if (!(part instanceof Dragged) || !point) return;
    part.moved(event);
    this.report({ event, mark: name, index: index ?? 0, x: point.x, y: point.y });
    // those who have changed their cells meanwhile fly there
    if (event === "drag_end") this.stage.land();
  }

  // "model:1" is a "model"
  isClicked(name) { return this.stage.values[`panel ${this.name}`].clicked.includes(name.split(":")[0]); }

  /** @param {object} what */
  report(what) { this.stage.hand({ picture: this.name, ...what }); }

  // Report a mark under the mouse that can be dragged or clicked.
  async over(target) {
    this.isOverPart = false;
    for (const [name, part] of this.parts) {
      if (!(part instanceof Dragged) && !this.isClicked(name)) continue;
      for (const model of part.targets) {
        for (const view of await Promise.all(Object.values(model.views || {}))) {
          if (!view.el.contains(target)) continue;
          this.isOverPart = true;
          this.report({ event: "near", mark: name });
          if (!(part instanceof Dragged)) target.style.cursor = "pointer";
        }
      }
    }
  }
}

/**
 * Show a picture in an element; returns a function that removes it.
 * @param {Drawing} drawing
 * @param {HTMLElement} el
 */
export async function mount(drawing, el) {
  await drawing.last;
  const view = await (await drawing.stage.manager).create_view(await drawing.figure);
  view.el.classList.remove("jupyter-widgets-disconnected"); // no kernel knows of it, and none has to
  styleShadow(el);
  el.append(view.el);
  drawing.views.add(view);
  view.on("margin_updated", () => drawing.resized());
  drawing.findViews();
  el.dataset.atOnce = String(drawAtOnce(view.svg));
  let isShown = false;
  const observer = new ResizeObserver(() => {
    if (!el.clientWidth) return; // it is hidden
    if (isShown) view.relayout();
    else { isShown = true; view.trigger("displayed"); }
  });
  observer.observe(el);
  el.addEventListener("pointerover", (event) => drawing.over(event.target));
  const unfollow = follow(drawing, el);
  return () => {
    unfollow();
    observer.disconnect();
    drawing.views.delete(view);
    view.remove();
    drawing.findViews();
  };
}
