import assert from "node:assert/strict";
import { test } from "node:test";
import { numbers } from "../src/dom.js";
import { Drawing, KINDS, isWithin, merged } from "../src/picture.js";

const sent = (...values) => {
  const flat = Float64Array.from(values.flat());
  const shape = Array.isArray(values[0]) ? [values.length, values[0].length] : [values.length];
  return { shape, data: new DataView(flat.buffer) };
};

// Stands for every model of bqplot.
class Model {
  constructor(attributes) { this.attributes = { ...attributes }; this.listeners = []; this.views = {}; }
  get(name) { return this.attributes[name]; }
  set(name, value) { this.set_state(typeof name === "string" ? { [name]: value } : name); }
  set_state(state) {
    const changed = Object.keys(state).some((name) => this.attributes[name] !== state[name]);
    Object.assign(this.attributes, state);
    if (changed) for (const act of this.listeners) act();
  }
  on(_events, act) { this.listeners.push(act); }
}

const AXIS = { limits: [0, 2], visible: true, label: "score", offset: "30px", ticks: [[0, "0"], [2, "two"]] };
const SCALING = { shape: "rocviz-square", font: 20, stroke: 2, handle: 1, shrink: 1, margin: { left: 40 } };
const LINE = { kind: "Line", role: "curve", part_roles: [], dash: "solid", width: 3, opacities: [1], x: sent(0, 1), y: sent(0, 1) };
const HANDLE = { kind: "Handle", role: "selected", along: "x", arrow: "", hint: [1, 0.6], x: sent(1), y: sent(0.5) };

const pictureOf = (more = {}) => {
  const loaded = [], events = [];
  const manager = { loadClass: async (name, module, version) => { loaded.push([name, module, version]); return Model; } };
  const values = {
    "panel roc": { clicked: ["model"] },
    "figure roc": { scaling: SCALING, axes: [AXIS, AXIS], order: ["line", "point"] },
    "mark roc line": LINE, "mark roc point": HANDLE, ...more,
  };
  const stage = { values, manager, modules: { bqplot: "^0.5.0", bqscales: "^0.3.0" }, hand: (detail) => events.push(detail), land() {} };
  return { values, loaded, events, drawing: new Drawing(stage, "roc") };
};

test("numbers come as bytes and their shape", () => {
  assert.deepEqual([...numbers(sent(1, 2.5))], [1, 2.5]);
  assert.deepEqual([...numbers({ shape: [1], data: "AAAAPw==" })], [0.5]);
  assert.deepEqual(numbers(sent([1, 2], [3, 4])).map((row) => [...row]), [[1, 2], [3, 4]]);
});

test("a mark has the style of its role and of the size of the picture", () => {
  const [kind, , traits] = KINDS.Line;
  const shown = traits(LINE, { ...SCALING, shrink: 0.5 }, 1);
  assert.deepEqual([kind, shown.stroke_width, shown.opacities], ["LinesModel", 3, []]);
  assert.deepEqual(KINDS.Line[2]({ ...LINE, opacities: [0.5, 1] }, SCALING, 3).opacities, [0.5, 1, 0.5]);
});

test("each of several areas has a colour and an opacity of its own", () => {
  const [kind, fixed, traits] = KINDS.Areas;
  const shown = traits({ role: "selected", part_roles: ["positive", "negative"], opacities: [0.5] }, SCALING, 3);
  assert.deepEqual([kind, /** @type {any} */ (fixed).fill], ["LinesModel", "inside"]);
  assert.deepEqual(shown.fill_colors, ["positive", "negative", "positive"].map((role) => `var(--rocviz-${role})`));
  assert.deepEqual(shown.fill_opacities, [0.5, 0.5, 0.5]);
});

test("a picture is drawn with models of the versions that the kernel names", async () => {
  const { drawing, loaded } = pictureOf();
  await drawing.update();
  const figure = await drawing.figure;
  assert.ok(loaded.some(([name, module, version]) => name === "FigureModel" && module === "bqplot" && version === "^0.5.0"));
  assert.deepEqual(figure.get("fig_margin"), { left: 40 });
  assert.equal(figure.get("marks").length, 1 + 5);
  const [across] = figure.get("axes");
  assert.deepEqual(across.get("tick_labels"), { 0: "0", 2: "two" });
  assert.deepEqual([across.get("scale").get("min"), across.get("scale").get("max")], [0, 2]);
  const [line] = figure.get("marks");
  assert.deepEqual([line.get("visible"), [...line.get("x")], line.get("colors")], [true, [0, 1], ["var(--rocviz-curve)"]]);
});

test("only what has changed is set, and what is not in the picture is hidden", async () => {
  const { drawing, values } = pictureOf();
  await drawing.update();
  const { models: [line] } = /** @type {any} */ (drawing.parts.get("line"));
  let times = 0;
  line.on("change", () => { times += 1; });
  values["mark roc point"] = /** @type {any} */ ({ ...HANDLE, hint: null });
  await drawing.update();
  assert.equal(times, 0);
  values["figure roc"] = { ...values["figure roc"], order: ["point"] };
  await drawing.update();
  assert.deepEqual([times, line.get("visible")], [1, false]);
});

test("a mark that comes back as it was is seen again", async () => {
  const { drawing, values } = pictureOf();
  await drawing.update();
  const { models: [line] } = /** @type {any} */ (drawing.parts.get("line"));
  for (const [order, visible] of /** @type {[string[], boolean][]} */ ([[["point"], false], [["line", "point"], true]])) {
    values["figure roc"] = { ...values["figure roc"], order };
    await drawing.update();
    assert.equal(line.get("visible"), visible);
  }
});

test("a mark of another kind under the same name has a model of its own", async () => {
  const dots = { kind: "Dots", role: "a", rim: "", width: 1, size: 9, sizes: null, part_roles: [], marker: "circle", opacities: [1], x: sent(1), y: sent(2) };
  const { drawing, values } = pictureOf();
  const modelOf = async (name, mark) => {
    values[`mark roc ${name}`] = mark;
    await drawing.update();
    const { models } = /** @type {any} */ (drawing.parts.get(name)), shown = (await drawing.figure).get("marks");
    assert.ok(models.every((model) => shown.includes(model)));
    assert.equal(shown.length, 1 + 4 + (values["mark roc point"].along === "xy" ? 2 : 1));
    return models.at(-1);
  };
  const first = await modelOf("line", dots);
  assert.equal(await modelOf("line", { ...dots, x: sent(2) }), first);
  assert.notEqual(await modelOf("line", { ...dots, sizes: sent(0.5) }), first);
  const free = await modelOf("point", { ...HANDLE, along: "xy" });
  assert.deepEqual([free.get("restrict_x"), free.get("restrict_y")], [false, false]);
});

test("what the mouse moves is put back, but not while it is dragged", async () => {
  const { drawing, values, events } = pictureOf();
  await drawing.update();
  const part = /** @type {any} */ (drawing.parts.get("point")), { area, ways: [across] } = part;
  assert.deepEqual([across.get("visible"), across.get("rotate_angle"), ...across.get("x")], [true, 0, 1]);
  drawing.received("point", part, { event: "drag_start", index: 0, point: { x: 1, y: 0.5 } });
  area.set("x", [1.7]);
  values["mark roc point"] = { ...HANDLE, x: sent(1.5) };
  await drawing.update();
  assert.deepEqual([...area.get("x")], [1.7]); // a hand holds it
  assert.deepEqual([...part.seen.get("x")], [1.5]);
  drawing.received("point", part, { event: "drag_end", index: 0, point: { x: 1.7, y: 0.5 } });
  assert.deepEqual([...area.get("x")], [1.5]);
  area.set("x", [0.2]); // the browser's own position comes late
  assert.deepEqual([...area.get("x")], [1.5]);
  assert.deepEqual([part.hint, across].map((model) => model.get("visible")), [false, false]); // it is known what can be dragged
  assert.deepEqual(events.map(({ picture, mark, event, x }) => [picture, mark, event, x]), [
    ["roc", "point", "drag_start", 1], ["roc", "point", "drag_end", 1.7],
  ]);
});

test("a handle without room for a word beside it has its arrows", async () => {
  const { drawing } = pictureOf({ "mark roc point": { ...HANDLE, along: "xy", hint: [] } });
  await drawing.update();
  const { hint, ways } = /** @type {any} */ (drawing.parts.get("point"));
  assert.deepEqual([hint, ...ways].map((model) => model.get("visible")), [false, true, true]);
  assert.deepEqual(ways.map((model) => model.get("rotate_angle")), [0, 90]);
});

test("no arrow of a handle leaves the picture", async () => {
  const { drawing, values } = pictureOf({ "mark roc point": { ...HANDLE, along: "xy" } });
  const arrowsAt = async (x, y) => {
    values["mark roc point"] = { ...HANDLE, along: "xy", x: sent(x), y: sent(y) };
    await drawing.update();
    return /** @type {any} */ (drawing.parts.get("point")).ways.map((model) => model.get("text")[0].trim());
  };
  const both = "◀\u2002\u2005\u2002\u2005▶";
  assert.deepEqual(await arrowsAt(1, 0.5), [both, both]);
  assert.deepEqual(await arrowsAt(2, 0), ["◀", "◀"]); // to the left and up
  assert.deepEqual(await arrowsAt(0, 2), ["▶", "▶"]); // to the right and down
});

test("a click is sent only where it does something", async () => {
  const clicked = { ...LINE, x: sent(0, 2) };
  const figure = { scaling: SCALING, axes: [AXIS, AXIS], order: ["line", "model:1"] };
  const { drawing, events } = pictureOf({ "mark roc model:1": clicked, "figure roc": figure });
  await drawing.update();
  for (const name of ["line", "model:1"]) {
    drawing.received(name, /** @type {any} */ (drawing.parts.get(name)), { event: "element_click", data: { index: 3 } });
  }
  assert.deepEqual(events, [{ picture: "roc", event: "click", mark: "model:1", index: 3 }]);
});

test("a mark that goes and comes back stays in the figure, hidden", async () => {
  const { values, drawing } = pictureOf();
  await drawing.update();
  const marks = drawing.made.get("marks");
  values["figure roc"] = { ...values["figure roc"], order: ["point"] };
  await drawing.update();
  assert.equal(drawing.made.get("marks"), marks);
  assert.equal(marks[0].get("visible"), false);
  values["figure roc"] = { ...values["figure roc"], order: ["line", "point"] };
  await drawing.update();
  assert.equal(drawing.made.get("marks"), marks);
  assert.equal(marks[0].get("visible"), true);
});

test("marks that have gone keep their place in a new order", () => {
  assert.ok(isWithin(["a", "c"], ["a", "b", "c"]));
  assert.ok(!isWithin(["c", "a"], ["a", "b", "c"]));
  assert.ok(!isWithin(["a", "d"], ["a", "b", "c"]));
  assert.deepEqual(merged(["a", "b", "c"], ["a", "c", "d"]), ["a", "b", "c", "d"]);
  assert.deepEqual(merged(["x", "a", "b"], ["b", "a"]), ["x", "b", "a"]);
});

test("a handle glides where a hand calls it, and follows at once where a hand moves it on", async () => {
  const globals = /** @type {any} */ (globalThis), frames = [];
  globals.matchMedia = () => ({ matches: false });
  globals.requestAnimationFrame = (act) => frames.push(act);
  const at = (place) => ({ ...HANDLE, along: "xy", glides: true, x: sent(place), way_x: sent(0, place), way_y: sent(0, 0.5) });
  const { values, drawing } = pictureOf({ "mark roc point": at(1) });
  await drawing.update();
  const part = /** @type {any} */ (drawing.parts.get("point"));
  const moveTo = async (place) => {
    values["mark roc point"] = at(place);
    await drawing.update();
    return [part.area, part.seen].map((model) => [...model.get("x")][0]);
  };
  part.moved("drag_start");
  part.moved("drag");
  assert.deepEqual([await moveTo(2), frames.length], [[1, 1], 1]); // the area waits for the end of the drag
  part.moved("drag");
  assert.deepEqual(await moveTo(0.5), [1, 0.5]);
  part.moved("drag_end");
  assert.deepEqual(await moveTo(1.5), [1.5, 0.5]);
});
