import assert from "node:assert/strict";
import { test } from "node:test";
import { drawAtOnce, INSIDES, partsOf, setAll } from "../src/bqplot.js";

const selectionOf = (inPicture) => {
  const log = [];
  const prototype = Object.fromEntries(INSIDES.selection.map((name) => [name, () => null]));
  Object.assign(prototype, {
    transition() { log.push("slow"); return this; },
    node: () => ({ closest: () => inPicture, matches: () => false }),
    each(act) { act.call({ __transition: { 1: { name: "old" } } }); },
    interrupt(name) { log.push(`interrupt ${name}`); },
  });
  return { selection: Object.create(prototype), prototype, log };
};

test("a transition in an explorer's picture takes place at once", () => {
  const { selection, log } = selectionOf(true);
  assert.ok(drawAtOnce(selection));
  assert.ok(drawAtOnce(selection));
  assert.equal(selection.transition().duration(300).delay(1).ease().node().matches(), false);
  assert.deepEqual(log, ["interrupt old"]);
});

test("pictures of others keep their transitions", () => {
  const { selection, log } = selectionOf(false);
  drawAtOnce(selection);
  selection.transition();
  assert.deepEqual(log, ["slow"]);
});

test("selections that have changed are left alone", () => {
  const { selection, prototype } = selectionOf(true);
  delete prototype.interrupt;
  assert.equal(drawAtOnce(selection), false);
  assert.equal(drawAtOnce(null), false);
});

class Model {
  constructor(attributes) { this.attributes = attributes; this.views = []; }
  get(name) { return this.attributes[name]; }
  set_state(state) {
    Object.assign(this.attributes, state);
    for (const view of this.views) for (const name of Object.keys(state)) view.changed(name);
  }
  off() {}
  trigger() {}
}

class MarkView {
  constructor(model) {
    this.model = model;
    this.drawn = [];
    this.d3el = { filter: () => ({ nothing: true }) };
    model.views.push(this);
  }
  changed(name) { if (name === "visible") this.update_visibility(); else this.draw(); }
  draw() { this.drawn.push(this.d3el.nothing ? "nothing" : "draw"); }
  relayout() { this.drawn.push("relayout"); }
  update_visibility() {}
  listenToOnce(model, _name, act) { this.shown = act; }
}

const figureOf = (...views) => ({ mark_views: { views }, axis_views: { views: [] }, scale_x: { model: scale }, scale_y: { model: scale } });
const scale = /** @type {any} */ (Object.assign(new Model({}), { domain: [0, 1] }));

test("a mark is drawn once for all of its new traits, and for its scale", async () => {
  const mark = new MarkView(new Model({ visible: true, scales: { x: scale } }));
  const parts = await partsOf([figureOf(mark)]);
  setAll([[scale, { min: 0 }], [mark.model, { x: [1], y: [2] }]], parts);
  assert.deepEqual(mark.drawn, ["draw"]);
  assert.deepEqual(mark.model.get("y"), [2]);
});

test("a mark whose scale alone has changed is laid out again", async () => {
  const mark = new MarkView(new Model({ visible: true, scales: { x: scale } }));
  setAll([[scale, { max: 2 }]], await partsOf([figureOf(mark)]));
  assert.deepEqual(mark.drawn, ["relayout"]);
});

test("dots take the shape that comes with new places before they are drawn", async () => {
  class Dots extends MarkView {
    dot = { type: (shape) => this.drawn.push(shape) };
  }
  const mark = new Dots(new Model({ visible: true, scales: {} }));
  setAll([[mark.model, { x: [1], marker: "diamond" }]], await partsOf([figureOf(mark)]));
  assert.deepEqual(mark.drawn, ["diamond", "draw"]);
});

test("a hidden mark is drawn when it is shown again", async () => {
  const mark = new MarkView(new Model({ visible: false, scales: {} }));
  setAll([[mark.model, { x: [1] }]], await partsOf([figureOf(mark)]));
  assert.deepEqual(mark.drawn, []);
  mark.shown();
  assert.deepEqual(mark.drawn, ["draw"]);
});

test("a mark that cannot be drawn leaves the others drawn", async (t) => {
  const logged = t.mock.method(console, "error", () => {});
  class Broken extends MarkView {
    draw() { throw new Error("cannot"); }
  }
  const marks = [Broken, MarkView].map((View) => new View(new Model({ visible: true, scales: {} })));
  setAll(marks.map(({ model }) => [model, { x: [1] }]), await partsOf([figureOf(...marks)]));
  assert.deepEqual(marks[1].drawn, ["draw"]);
  assert.equal(/** @type {any} */ (marks[0].d3el).nothing, undefined);
  assert.equal(logged.mock.callCount(), 1);
});

test("a mark without the expected methods draws by itself", async () => {
  const mark = new MarkView(new Model({ visible: true, scales: {} }));
  /** @type {any} */ (mark).relayout = undefined;
  const parts = await partsOf([figureOf(mark)]);
  assert.deepEqual(parts, []);
  setAll([[mark.model, { x: [1] }]], parts);
  assert.deepEqual(mark.drawn, ["draw"]);
});
