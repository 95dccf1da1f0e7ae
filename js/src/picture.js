// A picture of an explorer: the marks that the kernel describes, shown by bqplot's models and views.
// These are made here and known to no kernel; what a hand does on them goes to the rail as an event
// of the page, "rocviz-hand".

import { drawAtOnce, partsOf, setAll } from "./bqplot.js";

const GRIP = 1.7; // width of what the mouse finds, as a share of what is seen
const HANDLE = 22; // pixels of what one drags, on a desk
const CLEAR = "transparent";

const ink = (role) => (role === CLEAR || role.startsWith("#") ? role : `var(--rocviz-${role})`);

/** Numbers as the kernel sends them: bytes, with the shape of their array. @param {any} sent @returns {any} */
export const numbers = ({ shape, data }) => {
  const flat = new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  if (shape.length < 2) return flat;
  return Array.from({ length: shape[0] }, (_, i) => flat.slice(i * shape[1], (i + 1) * shape[1]));
};

const repeated = (values, count) => Array.from({ length: count }, (_, i) => values[i % values.length]);

const roles = (mark) => (mark.each && mark.each.length ? mark.each : [mark.role]).map(ink);
const size = (look, area) => Math.round(area * look.handle ** 2 * look.shrink);

/**
 * By the kind of a mark: bqplot's model, the traits that stay, and those that follow its values.
 * @type {Record<string, [string, object, (mark: any, look: any, count: number) => object]>}
 */
export const KINDS = {
  Line: ["LinesModel", {}, (mark, look, rows) => ({
    opacities: Math.min(...mark.opacities) === 1 ? [] : repeated(mark.opacities, rows),
    line_style: mark.dash,
    stroke_width: mark.width * look.stroke * look.shrink,
  })],
  Band: ["LinesModel", { fill: "between", opacities: [0, 0] }, (mark) => ({
    fill_colors: [ink(mark.role)],
    fill_opacities: [mark.opacity],
  })],
  Areas: ["LinesModel", { fill: "inside", close_path: true, stroke_width: 0 }, (mark, _look, rows) => ({
    fill_colors: repeated(roles(mark), rows),
    fill_opacities: repeated(mark.opacities, rows),
  })],
  Dots: ["ScatterModel", {}, (mark, look) => ({
    ...(mark.sizes && { size: numbers(mark.sizes) }),
    opacities: mark.opacities,
    stroke: ink(mark.rim || mark.role),
    stroke_width: mark.width * look.stroke * look.shrink,
    fill: mark.role !== CLEAR || mark.each.length > 0,
    marker: mark.marker,
    apply_clip: mark.clipped,
    default_size: size(look, mark.size),
  })],
  Bars: ["BarsModel", { stroke: CLEAR }, (mark) => ({ opacities: [mark.opacity], padding: mark.gap })],
  Words: ["LabelModel", { text: [""], apply_clip: false }, (mark, look) => ({
    text: mark.text,
    align: mark.align,
    rotate_angle: -mark.angle,
    font_weight: mark.bold ? "bold" : "normal",
    default_size: look.font * mark.size * (look.shrink === 1 ? 1 : 0.86),
  })],
};

const rowsOf = (values) => (Array.isArray(values) ? values.length : 1);

/** Something that is only seen, and perhaps clicked. */
class Seen {
  constructor(mark, create) {
    const [kind, fixed] = KINDS[mark.kind];
    const shape = mark.kind === "Dots" ? { marker: mark.marker } : {};
    this.models = [create(kind, { ...fixed, ...shape, visible: false }, mark.sizes)];
    this.felt = this.models;
  }

  /** The traits that each model now has. */
  show(mark, look, _hint, _isFixed) {
    const [model] = this.models;
    const x = numbers(mark.x), y = numbers(mark.y);
    if (!(x.length && y.length)) return [[model, { visible: false }]];
    const more = KINDS[mark.kind][2](mark, look, rowsOf(y));
    return [[model, { visible: true, x, y, colors: roles(mark), ...more }]];
  }
}

/**
 * Something to drag that stays where the kernel says it is. Its first models are seen; the last one is
 * invisible and follows the mouse: it is moved by nothing else while it is dragged, which would fight the
 * cursor, and put back when it is let go. "drag" stands beside it until it has been dragged once.
 */
class Dragged {
  constructor(mark, create) {
    const label = (looks) => create("LabelModel", { text: [""], colors: [ink(`${mark.role}-text`)], align: "middle", visible: false, apply_clip: false, ...looks });
    const dots = (role, rim, looks = {}) => create("ScatterModel", { colors: [ink(role)], stroke: ink(rim), apply_clip: false, visible: false, ...looks });
    this.hint = label({ text: ["drag"], font_weight: "normal", align: mark.kind === "Knobs" ? "end" : "middle" });
    this.seen = dots(mark.role, "paper");
    this.more = mark.kind === "Knobs" ? dots(mark.role, "paper") : label({ font_weight: "bold" });
    this.area = dots(CLEAR, CLEAR, {
      enable_move: true, update_on_move: false, drag_size: 1,
      restrict_x: mark.along === "x", restrict_y: mark.along === "y",
    });
    this.models = [this.hint, this.seen, this.more, this.area];
    this.felt = [this.area];
    this.isDragged = this.wasDragged = false;
    this.place = { x: this.area.get("x"), y: this.area.get("y") };
    this.area.on("change:x change:y", () => this.putBack());
  }

  // One that stands there already is not set: a model that is set while it is being set forgets what changed.
  putBack() {
    const { x, y } = this.place, { area } = this;
    if (!this.isDragged && (area.get("x") !== x || area.get("y") !== y)) area.set(this.place);
  }

  /** A hand begins, goes on or lets go. @param {string} event */
  moved(event) {
    this.isDragged = event !== "drag_end";
    this.wasDragged = true;
    this.hint.set("visible", false);
    this.putBack();
  }

  show(mark, look, hint, isFixed) {
    const x = numbers(mark.x), y = numbers(mark.y);
    if (!x.length) return this.models.map((model) => [model, { visible: false }]);
    this.place = { x, y };
    const [seen, more, grip] = (mark.kind === "Knobs" ? knobs : handle)(mark, look, x, y);
    const area = { visible: true, enable_move: !isFixed, default_size: grip, ...(this.isDragged ? {} : this.place) };
    const shown = hint && !this.wasDragged && !isFixed;
    const at = shown ? { x: [hint[0]], y: [hint[1]], default_size: look.font * (look.shrink === 1 ? 1 : 0.86) } : {};
    return [[this.seen, seen], [this.more, more], [this.area, area], [this.hint, { visible: Boolean(shown), ...at }]];
  }
}

// One round handle, perhaps with a letter on it; an arrow where it is outside of the picture.
const handle = (mark, look, x, y) => {
  const area = size(look, (Math.PI / 4) * HANDLE ** 2);
  const stroke = 2.5 * look.stroke * look.shrink;
  const words = { text: [mark.arrow || mark.letter], align: mark.align, default_size: look.font, x, y,
    colors: [ink(mark.arrow ? `${mark.role}-text` : "paper")],
    y_offset: { "▲": 6, "▼": -6 }[mark.arrow] ?? 0 }; // inside of the picture, not on the numbers beside it
  return [
    { visible: !mark.arrow, x, y, default_size: area, stroke_width: stroke },
    mark.arrow || mark.letter ? { visible: true, ...words } : { visible: false },
    Math.round(area * GRIP ** 2),
  ];
};

// A knob at each of many points, one of which may be chosen.
const knobs = (mark, look, x, y) => {
  const k = mark.chosen;
  const chosen = k >= 0 ? { visible: true, x: x.slice(k, k + 1), y: y.slice(k, k + 1), default_size: size(look, 230) } : { visible: false };
  return [{ visible: true, x, y, default_size: size(look, 110) }, chosen, size(look, 1.4 * HANDLE ** 2)];
};

/** A picture, for all of its views. */
export class Drawing {
  constructor(model) {
    this.model = model;
    /** @type {Map<string, Seen | Dragged>} */
    this.parts = new Map();
    this.shown = new Map(); // by the name of a trait: its value as it is drawn
    /** @type {Set<any>} */
    this.views = new Set();
    /** Views of marks and axes, once all are there: what changes then is drawn at once. */
    this.seen = null;
    this.changed = 0;
    this.figure = this.make();
    this.last = this.figure;
  }

  async make() {
    const { widget_manager: manager } = this.model;
    const load = (name, module) => manager.loadClass(name, module, this.model.get("modules")[module]);
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
      scale_x: x, scale_y: y, axes: this.axes, marks: [], layout: this.model.get("layout"),
      animation_duration: 0, display_toolbar: false, background_style: { fill: CLEAR },
      padding_x: 0, padding_y: 0, min_aspect_ratio: 0.01, max_aspect_ratio: 100,
    });
    return this.made;
  }

  /** Draw what has changed: at once, or when all views are there. */
  update() {
    if (this.seen) this.draw();
    else this.last = this.last.then(() => this.draw()).catch(console.error);
    return this.last;
  }

  /** There are other views, of the figure or of its marks: wait for them. */
  look() {
    const change = this.changed += 1;
    this.seen = null;
    this.last = this.last.then(async () => {
      const seen = await partsOf([...this.views]);
      if (change === this.changed) this.seen = seen;
    }).catch(console.error);
  }

  draw() {
    const { model } = this;
    const look = model.get("look"), order = model.get("order");
    const isNew = (name) => {
      const value = model.get(name);
      if (this.shown.get(name) === value) return false;
      this.shown.set(name, value);
      return true;
    };
    const all = isNew("look"), hints = model.get("hints"), fixed = model.get("fixed");
    const moved = [isNew("hints"), isNew("fixed")].includes(true);
    /** @type {any[]} */
    const changes = [];
    if (isNew("axes")) changes.push(...this.axesChanges(model.get("axes")));
    const added = order.filter((name) => !this.parts.has(name));
    for (const name of added) {
      const mark = model.get(name);
      const part = new (mark.along ? Dragged : Seen)(mark, this.create);
      this.parts.set(name, part);
      for (const felt of part.felt) felt.send = (content) => this.said(name, part, content);
    }
    for (const [name, part] of this.parts) {
      const mark = model.get(name);
      const drags = part instanceof Dragged;
      if (!order.includes(name)) for (const one of part.models) changes.push([one, { visible: false }]);
      else if (isNew(name) || all || (drags && moved)) {
        changes.push(...part.show(mark, look, hints[name], fixed.includes(name)));
      }
    }
    const isHidden = ([one, { visible }]) => visible === false && one.get("visible") === false;
    setAll(changes.filter((change) => !isHidden(change)), this.seen || []);
    if (added.length || isNew("order")) {
      this.made.set("marks", order.flatMap((name) => this.parts.get(name)?.models));
      this.look();
    }
  }

  axesChanges(axes) {
    this.made.set("fig_margin", this.model.get("look").margin);
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
   * @param {Seen | Dragged} part
   * @param {any} content
   */
  said(name, part, { event, data, point, index }) {
    if (event === "element_click" && this.isClicked(name)) this.tell({ event: "click", mark: name, index: data?.index ?? 0 });
    if (!(part instanceof Dragged) || !point) return;
    part.moved(event);
    this.tell({ event, mark: name, index: index ?? 0, x: point.x, y: point.y });
  }

  isClicked(name) { return this.model.get("clicked").includes(name.split(":")[1]); } // "mark:model:1" is a "model"

  /** @param {object} what */
  tell(what) {
    const detail = { picture: this.model.get("name"), ...what };
    const [view] = this.views;
    view?.el.dispatchEvent(new CustomEvent("rocviz-hand", { bubbles: true, detail }));
  }

  // Something that can be dragged or clicked is under the mouse.
  async over(target) {
    for (const [name, part] of this.parts) {
      if (!(part instanceof Dragged) && !this.isClicked(name)) continue;
      for (const model of part.felt) {
        for (const view of await Promise.all(Object.values(model.views || {}))) {
          if (view.el.contains(target)) this.tell({ event: "near", mark: name });
        }
      }
    }
  }
}

async function render({ model, el }, drawing) {
  el.classList.add("rocviz-figure");
  await drawing.last;
  const view = await model.widget_manager.create_view(await drawing.figure);
  view.el.classList.remove("jupyter-widgets-disconnected"); // no kernel knows of it, and none has to
  el.append(view.el);
  drawing.views.add(view);
  drawing.look();
  el.dataset.atOnce = String(drawAtOnce(view.svg));
  let isShown = false;
  const observer = new ResizeObserver(() => {
    if (isShown) view.relayout();
    else { isShown = true; view.trigger("displayed"); }
  });
  observer.observe(el);
  el.addEventListener("pointerover", (event) => drawing.over(event.target));
  return () => {
    observer.disconnect();
    drawing.views.delete(view);
    view.remove();
    drawing.look();
  };
}

export default () => {
  /** @type {Drawing} */
  let drawing;
  return {
    initialize: ({ model }) => {
      drawing = new Drawing(model);
      drawing.update();
      const update = () => { drawing.update(); };
      model.on("change", update);
      return () => model.off("change", update);
    },
    render: (context) => render(context, drawing),
  };
};
