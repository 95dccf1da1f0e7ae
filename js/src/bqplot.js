// How a step is shown at once by bqplot, which draws by transitions and trait by trait.
// This uses undocumented methods of bqplot and d3 (`INSIDES` lists them): where one is missing or has
// changed, they draw as usual.

import { each } from "./dom.js";

/** The undocumented methods of bqplot's marks, axes and figures and of d3's selections in use. */
export const INSIDES = {
  selection: ["transition", "interrupt", "node", "each", "selectAll", "attr", "style", "filter"],
  mark: ["draw", "relayout", "update_visibility"],
  axis: ["update_scales", "set_tick_values", "tickformat_changed", "update_grid_lines", "update_label"],
};

const hasAll = (object, methods) => methods.every((name) => typeof object[name] === "function");

const immediate = { duration() { return this; }, delay() { return this; }, ease() { return this; } };

// A transition that began while the picture was not on the page must not end after this.
function interruptAll(selection) {
  const names = new Set();
  selection.each(/** @this {any} */ function () {
    for (const { name } of Object.values(this.__transition || {})) names.add(name);
  });
  for (const name of names) selection.interrupt(name);
}

/**
 * Do what d3's transitions do at once in the pictures of explorers, where they take no time but are
 * put off to a later frame. Pictures of others keep theirs.
 * @param {any} drawing a selection of d3
 * @returns {boolean} whether this is done
 */
export function drawAtOnce(drawing) {
  const selection = drawing && Object.getPrototypeOf(drawing);
  if (!selection || !hasAll(selection, INSIDES.selection)) return false;
  const transition = selection.transition;
  if (transition.atOnce) return true;
  selection.transition = function (...args) {
    const node = this.node();
    if (!node || !node.closest(".rocviz")) return transition.apply(this, args);
    interruptAll(this);
    if (node.matches(".axis")) interruptAll(this.selectAll("*"));
    return Object.assign(Object.create(this), immediate);
  };
  selection.transition.atOnce = true;
  return true;
}

/**
 * Give the shadow tree of an element bqplot's styles, which bqplot puts into the head of the page.
 * @param {HTMLElement} el
 */
export function styleShadow(el) {
  const root = el.getRootNode();
  if (!(root instanceof ShadowRoot) || root.querySelector("style[data-of=bqplot]")) return;
  for (const style of document.head.querySelectorAll("style")) {
    if (!style.textContent?.includes(".bqplot") || style.textContent.includes(".rocviz")) continue;
    const copy = /** @type {HTMLElement} */ (style.cloneNode(true));
    copy.dataset.of = "bqplot";
    root.prepend(copy); // before our own, which change them
  }
}

/**
 * The marks and axes of figures whose drawing can be put off. None of our pictures has a legend, which
 * bqplot makes again with every mark, nor names of single dots, nor scales that leave room for the
 * widths of marks, for which it draws all others again.
 * @param {any[]} figures
 */
export async function partsOf(figures) {
  const parts = [];
  for (const figure of figures) {
    const [marks, axes] = await Promise.all(
      [figure.mark_views, figure.axis_views].map((list) => Promise.all((list && list.views) || [])),
    );
    for (const mark of marks) {
      mark.model.off("data_updated redraw_legend", null, figure);
      if (mark.update_names && !mark.model.get("names")?.length) mark.update_names = () => {};
    }
    const pads = [figure.scale_x, figure.scale_y].some((scale) => !scale || scale.model.get("allow_padding"));
    if (!pads) figure.mark_padding_updated = () => {};
    parts.push(...marks.filter(canWait), ...axes.filter(canWait));
  }
  return parts;
}

const isAxis = (part) => "axis_scale" in part;

// Whether a mark or an axis draws on what it is expected to, by the methods it is expected to have.
function canWait(part) {
  const place = isAxis(part) ? part.g_axisline : part.d3el;
  return Boolean(place && place.filter) && hasAll(part, isAxis(part) ? INSIDES.axis : INSIDES.mark);
}

// bqplot draws a mark for each of its traits that changes and for the scale of either axis. While a step
// is set there is nothing to draw on; then each is drawn once, a hidden one when it is shown again.
function putOff(part) {
  const axis = isAxis(part), name = axis ? "g_axisline" : "d3el", place = part[name];
  const skipped = ["draw", "update_line_xy", "update_position"].filter((method) => !axis && part[method]);
  part[name] = place.filter(() => false);
  for (const method of skipped) part[method] = () => {};
  return (state, hasMoved) => {
    for (const method of skipped) delete part[method];
    if (axis) {
      try {
        part.update_scales();
        part.set_tick_values();
        part.tickformat_changed();
      } finally {
        part[name] = place;
      }
      part.update_grid_lines();
      part.update_label();
      if ("label_offset" in state) part.update_label_offset();
      return;
    }
    part[name] = place;
    // bqplot forgets the shape of dots that move at the same time
    if ("marker" in state && part.dot && part.dot.type) part.dot.type(state.marker);
    const visible = part.model.get("visible");
    if ("visible" in state) part.update_visibility(part.model, visible);
    const isNew = part.isStale || Object.keys(state).some((key) => key !== "visible");
    const method = isNew ? "draw" : hasMoved ? "relayout" : "";
    if (method && !visible && !part.isStale) {
      part.listenToOnce(part.model, "change:visible", () => { if (part.isStale) part.draw(); });
    }
    part.isStale = Boolean(method) && !visible;
    if (method && visible) part[method]();
  };
}

/**
 * Give models new traits, and draw each mark and axis once.
 * @param {[any, Record<string, any>][]} changes models with their traits
 * @param {any[]} parts views of marks and axes
 */
export function setAll(changes, parts) {
  const states = new Map(changes);
  const isScale = (model) => "domain" in model;
  const scales = new Set([...states.keys()].filter(isScale));
  const waiting = [];
  for (const part of parts) {
    const { scales: of, scale } = part.model.attributes;
    const hasMoved = Object.values(of || { scale }).some((one) => scales.has(one));
    if (!hasMoved && !states.has(part.model)) continue;
    waiting.push({ model: part.model, draw: putOff(part), state: states.get(part.model) || {}, hasMoved });
  }
  // where bqplot is not as expected: marks with new data do not draw themselves for a scale as well
  const drawn = new Set(waiting.map(({ model }) => model));
  const dirty = changes
    .filter(([model, state]) => typeof model.dirty === "boolean" && ("x" in state || "y" in state))
    .map(([model]) => model);
  for (const model of dirty) model.dirty = true;
  each(scales, (model) => model.set_state(states.get(model)));
  each(changes, ([model, state]) => { if (!scales.has(model)) model.set_state(state); });
  each(waiting, ({ draw, state, hasMoved }) => draw(state, hasMoved));
  for (const model of dirty) {
    const hadThese = model.dirty && !drawn.has(model);
    model.dirty = false;
    if (hadThese) model.trigger("data_updated");
  }
}
