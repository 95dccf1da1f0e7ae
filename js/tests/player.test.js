import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { key, Player, nearest, unpack } from "../src/player.js";

const array = (...numbers) => ({ shape: [numbers.length], data: Buffer.from(new Float32Array(numbers).buffer).toString("base64") });
const handle = (x, y) => ({ kind: "Handle", along: "x", x: array(...x), y: array(...y) });
const dots = [handle([0], [0.5]), handle([0.5], [0.5]), handle([1], [0.5])];

// A threshold of three values in two views; the handle of "dot" stands at 0, 0.5 and 1, that of "still" nowhere else.
const recording = () => ({
  shown: { "mark roc still": handle([0.5], [0.5]) },
  columns: [{ name: "mark roc dot", values: dots }],
  scenes: [{
    axes: [
      { name: "threshold", size: 3, values: [0.1, 0.5, 0.9], moves: { [key({ control: "most" })]: [2, 2, -1] } },
      { name: "kind", size: 2, moves: { [key({ control: "kind", index: 2 })]: [1, 1] } },
    ],
    views: ["roc", "scores", "brier"],
    panels: ["roc", "scores", "brier"],
    start: [0, 0, 0],
    columns: [[[0], [3], [0, 1, 2]]],
  }],
});

const playerOf = (data = recording(), shown = {}) => {
  const refused = [];
  /** @type {Record<string, any>} */
  const values = { ...data.shown, ...shown };
  const stage = { values, set: (changes) => { Object.assign(values, changes); } };
  return { player: new Player(data, stage, () => refused.push(1)), values, refused };
};

test("the nearest of values is found, the first of two", () => {
  assert.equal(nearest([0, 1, 2], 1.4), 1);
  assert.equal(nearest([0, 2], 1), 0);
});

test("a compressed recording is unpacked, as bytes or as text", async () => {
  const packed = deflateSync(JSON.stringify({ scenes: [1] }));
  assert.deepEqual(await unpack(packed), { scenes: [1] });
  assert.deepEqual(await unpack(packed.toString("base64")), { scenes: [1] });
});

test("a message has one key, whatever the order of its parts", () => {
  assert.equal(key({ b: 1, a: 2 }), key({ a: 2, b: 1 }));
});

test("a state shows the values recorded for it, and which handles do not move", () => {
  const { player, values, refused } = playerOf();
  player.go(0, 2);
  assert.deepEqual([values["mark roc dot"], values.still], [dots[2], ["mark roc still"]]);
  player.drag({ picture: "roc", mark: "still", event: "drag_start" });
  assert.equal(refused.length, 1);
});

test("a handle moves if its place does, along its way, along an axis of the scene", () => {
  const moving = (change) => {
    const data = recording();
    change(data.columns[0], data.scenes[0]);
    return Boolean(playerOf(data).player.handleOf("mark roc dot"));
  };
  assert.equal(moving(() => {}), true);
  assert.equal(moving((column) => { column.values = column.values.map((one) => ({ ...one, along: "y" })); }), false);
  assert.equal(moving((column) => { column.values = column.values.map((one) => ({ ...one, kind: "Knobs" })); }), false);
  assert.equal(moving((_column, scene) => { scene.columns = [[[2], [3], [0, 1, 2]]]; }), false);
  assert.equal(moving((_column, scene) => { scene.columns = [1]; }), false);
  // where it is away it has no place
  assert.equal(moving((column) => { column.values = [handle([], []), handle([1], [0]), handle([1], [1])]; }), false);
});

test("a part that is dragged does not follow", () => {
  const { player, values } = playerOf();
  player.dragged = "mark roc dot";
  player.go(0, 2);
  assert.equal(values["mark roc dot"], undefined);
});

test("the drawer shows what was recorded for the state, and is shut by the same tool", () => {
  const { player, values } = playerOf(recording(), { "drawer notes": "All.", drawer: null });
  player.hand({ tool: "notes" });
  assert.equal(values.drawer, "All.");
  player.hand({ tool: "notes" });
  assert.equal(values.drawer, null);
});

test("a place that was not recorded is refused", () => {
  const { player, refused } = playerOf();
  player.go(0, 3);
  player.go(-1, 0);
  assert.equal(refused.length, 2);
  assert.deepEqual(player.at, [0, 0, 0]);
});

test("a typed value goes to the nearest recorded one", () => {
  const [axis] = recording().scenes[0].axes;
  const { player } = playerOf();
  assert.equal(player.placeOf(axis, { typed: "0.6" }), 1);
  assert.equal(player.placeOf(axis, { typed: "85 %" }), 2);
  assert.equal(player.placeOf(axis, { typed: "−1" }), 0);
  assert.equal(player.placeOf(axis, { typed: "many" }), -1);
});

test("an option of a choice goes to its recorded value, or nowhere", () => {
  const { player, refused } = playerOf();
  player.hand({ control: "kind", index: 2 });
  assert.deepEqual([player.at, refused.length], [[0, 1, 0], 0]);
  player.hand({ control: "kind", index: 1 });
  assert.deepEqual([player.at, refused.length], [[0, 1, 0], 1]);
});

test("a button leads where it led in the recording", () => {
  const { player, refused } = playerOf();
  player.press(key({ control: "most" }));
  assert.equal(player.at[0], 2);
  player.press(key({ control: "most" }));
  player.press(key({ control: "other" }));
  assert.equal(refused.length, 2);
});

test("asking how far the kernel is moves nothing", () => {
  const { player, refused } = playerOf();
  player.hand({ ping: true });
  assert.deepEqual([player.at, refused], [[0, 0, 0], []]);
});

test("another picture becomes the large one, unless one view of all was recorded", () => {
  const { player } = playerOf();
  player.focus("brier");
  assert.equal(player.at[2], 2);
  player.data.scenes[0].views = ["roc"];
  player.focus("roc");
  assert.equal(player.at[2], 2);
});

test("a handle goes to the state whose recorded place is nearest", () => {
  const axis = { limits: [0, 1] };
  const { player } = playerOf(recording(), { "figure roc": { axes: [axis, axis] } });
  player.hand({ picture: "roc", mark: "dot", event: "drag", x: 0.9, y: 0 });
  assert.deepEqual(player.at, [2, 0, 0]);
  player.hand({ picture: "roc", mark: "dot", event: "drag", x: 0.4, y: 9 });
  assert.deepEqual(player.at, [1, 0, 0]);
});

test("a handle moves along the axis of its control, and the other axes keep their values", () => {
  const axis = { limits: [0, 1] };
  const data = recording();
  const [scene] = data.scenes;
  // with the second kind the handle stands nearer to the point, and elsewhere
  data.columns[0].values = [...dots, handle([0.3], [0.5])];
  scene.columns = [[[0, 1], [3, 2], [0, 3, 1, 3, 2, 3]]];
  const dragged = (drags) => {
    const { player } = playerOf({ ...data, scenes: [{ ...scene, drags }] }, { "figure roc": { axes: [axis, axis] } });
    player.hand({ picture: "roc", mark: "dot", event: "drag", x: 0.35, y: 0 });
    return player.at;
  };
  assert.deepEqual(dragged({ "mark roc dot": [0] }), [1, 0, 0]);
  assert.deepEqual(dragged({ "mark roc dot": [0, 1] }), [0, 1, 0]); // it moves on a plane
  assert.deepEqual(dragged({}), [0, 1, 0]); // its control sets other inputs
  assert.deepEqual(dragged({ "mark roc dot": [] }), [0, 0, 0]); // its input is not recorded
});

test("all that one press of a hand does is undone at once, and each press by itself", () => {
  const { player } = playerOf();
  for (const [press, position] of [[1, 1], [1, 2], [2, 0]]) player.hand({ control: "threshold", position, press });
  player.hand({ control: "kind", index: 2, press: 3 }); // recorded without the press
  const states = [];
  for (let k = 0; k < 4; k++) {
    states.push([...player.at].slice(0, 2));
    player.hand({ tool: "undo" });
  }
  assert.deepEqual(states, [[0, 1], [0, 0], [2, 0], [0, 0]]);
});

test("undo goes back a gesture at a time, redo forward, and another change ends what can be redone", () => {
  const { player } = playerOf(recording(), { "figure roc": { axes: [{ limits: [0, 1] }, { limits: [0, 1] }] } });
  player.hand({ picture: "roc", mark: "dot", event: "drag_start", x: 0, y: 0 });
  for (const x of [0.5, 1]) player.hand({ picture: "roc", mark: "dot", event: "drag", x, y: 0 });
  player.hand({ control: "kind", index: 2 });
  assert.deepEqual(player.at, [2, 1, 0]);
  player.hand({ tool: "undo" });
  assert.deepEqual(player.at, [2, 0, 0]);
  player.hand({ tool: "undo" });
  player.hand({ tool: "undo" });
  assert.deepEqual(player.at, [0, 0, 0]);
  player.hand({ tool: "redo" });
  assert.deepEqual(player.at, [2, 0, 0]);
  player.hand({ focus: 1 });
  player.hand({ tool: "redo" });
  assert.deepEqual(player.at, [2, 0, 1]);
});
