import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { key, Player, nearest, revive, unpack } from "../src/player.js";

// A threshold of three values in two views; the handle of "dot" stands at 0, 0.5 and 1.
const recording = () => ({
  columns: [{ model: "dot", name: "x", values: [[0], [0.5], [1]] }],
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
  handles: [],
  rail: "rail",
});

class Model {
  static async _deserialize_state(state) { return state; }
  constructor() { this.state = {}; }
  set_state(state) { Object.assign(this.state, state); }
  get(name) { return this.state[name]; }
  trigger() {}
}

const playerOf = (data = recording()) => {
  const models = new Map();
  const getModel = async (id) => models.get(id) ?? models.set(id, new Model()).get(id);
  const refused = [];
  return { player: new Player(data, getModel, {}, () => refused.push(1)), models, refused };
};

test("the nearest of values is found, the first of two", () => {
  assert.equal(nearest([0, 1, 2], 1.4), 1);
  assert.equal(nearest([0, 2], 1), 0);
});

test("bytes are revived wherever they are", () => {
  const { a: [bytes] } = revive({ a: [{ $: "AQI=" }] });
  assert.equal(bytes.getUint8(1), 2);
  assert.equal(revive(null), null);
});

test("a compressed recording is unpacked, as bytes or as text", async () => {
  const packed = deflateSync(JSON.stringify({ scenes: [1] }));
  assert.deepEqual(await unpack(packed), { scenes: [1] });
  assert.deepEqual(await unpack(packed.toString("base64")), { scenes: [1] });
});

test("a message has one key, whatever the order of its parts", () => {
  assert.equal(key({ b: 1, a: 2 }), key({ a: 2, b: 1 }));
});

test("a state gives each model the values recorded for it", async () => {
  const { player, models } = playerOf();
  player.go(0, 2);
  await player.busy;
  assert.deepEqual(models.get("dot").state, { x: [1] });
});

test("a state that cannot be shown does not keep the next from being shown", async (t) => {
  const said = t.mock.method(console, "error", () => {});
  const { player, models } = playerOf();
  models.set("dot", Object.assign(new Model(), { set_state() { throw new Error("cannot"); } }));
  player.go(0, 1);
  await player.busy;
  delete models.get("dot").set_state;
  player.go(0, 2);
  await player.busy;
  assert.deepEqual(models.get("dot").state, { x: [1] });
  assert.equal(said.mock.callCount(), 1);
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
  player.fromRail({ control: "kind", index: 2 }, new Model());
  assert.deepEqual([player.at, refused.length], [[0, 1, 0], 0]);
  player.fromRail({ control: "kind", index: 1 }, new Model());
  assert.deepEqual([player.at, refused.length], [[0, 1, 0], 1]);
});

test("a button leads where it led in the recording", async () => {
  const { player, refused } = playerOf();
  player.press(key({ control: "most" }));
  await player.busy;
  assert.equal(player.at[0], 2);
  player.press(key({ control: "most" }));
  player.press(key({ control: "other" }));
  assert.equal(refused.length, 2);
});

test("the rail may ask how far the kernel is, and is answered", async () => {
  const { player, refused } = playerOf();
  const answers = [];
  const rail = { trigger: (name, message) => name === "msg:custom" && answers.push(message) };
  player.fromRail({ ping: true, serial: "a1" }, rail);
  await player.busy;
  await Promise.resolve();
  assert.deepEqual([answers, refused], [[{ ack: "a1" }], []]);
});

test("another picture becomes the large one, unless one view of all was recorded", async () => {
  const { player } = playerOf();
  player.focus("brier");
  assert.equal(player.at[2], 2);
  player.data.scenes[0].views = ["roc"];
  player.focus("roc");
  assert.equal(player.at[2], 2);
  await player.busy;
});

test("a handle goes to the state whose recorded place is nearest", async () => {
  const { player, models } = playerOf();
  const axis = { limits: [0, 1] };
  models.set("figure", Object.assign(new Model(), { state: { axes: [axis, axis] } }));
  const handle = { figure: "figure", picture: "roc", mark: "mark:dot", columns: [0, -1], fixed: [0, 0.5], along: [true, false] };
  assert.deepEqual(await player.nearest(handle, [0.9, 0]), [2, 0, 0]);
  assert.deepEqual(await player.nearest(handle, [0.4, 9]), [1, 0, 0]);
});
